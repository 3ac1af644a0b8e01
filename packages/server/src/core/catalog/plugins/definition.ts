// The definition of a plugin. Updates are merged key by key, as for bots (bots/definition.ts).

import type { Plugin, PluginChange } from '@botstead/contract'
import { mergeKeys, merging, replacing } from '@botstead/lib'
import { type JsonSchema, undeclared } from '../../compute/index.ts'
import { type LimitName, type Limits, limitRules } from '../../config/index.ts'
import { listActionSchemas, listSchemas } from '../packages/definitions.ts'

export type PluginDefinition = Pick<
  Plugin,
  'configuration' | 'states' | 'events' | 'actions' | 'user' | 'conversation' | 'message'
> & {
  attributes: Record<string, string>
}

export const emptyPlugin: PluginDefinition = {
  configuration: { schema: undeclared },
  states: {},
  events: {},
  actions: {},
  user: { tags: {} },
  conversation: { tags: {} },
  message: { tags: {} },
  attributes: {},
}

type PluginDefinitionChange = Pick<
  PluginChange,
  | 'configuration'
  | 'states'
  | 'events'
  | 'actions'
  | 'user'
  | 'conversation'
  | 'message'
  | 'attributes'
>

const titled = ['title', 'description']

/** Returns a new definition; does not modify the arguments. */
export function mergePlugin(
  now: PluginDefinition,
  change: PluginDefinitionChange,
): PluginDefinition {
  const tags = replacing(titled)
  return {
    configuration:
      change.configuration === undefined
        ? now.configuration
        : replacing([...titled, 'schema'])(
            change.configuration ?? emptyPlugin.configuration,
          ),
    states: mergeKeys(now.states, change.states, replacing(['type', 'schema', 'expiry'])),
    events: mergeKeys(now.events, change.events, merging([...titled, 'schema'])),
    actions: mergeKeys(
      now.actions,
      change.actions,
      merging([...titled, 'billable', 'cacheable', 'input', 'output']),
    ),
    user: { tags: mergeKeys(now.user.tags, change.user?.tags, tags) },
    conversation: {
      tags: mergeKeys(now.conversation.tags, change.conversation?.tags, tags),
    },
    message: { tags: mergeKeys(now.message.tags, change.message?.tags, tags) },
    attributes: mergeKeys(now.attributes, change.attributes, (value) => value),
  }
}

/** Returns the parts of the definition, by the contract's names. */
export const pluginParts = ({
  states,
  events,
  actions,
  user,
  conversation,
  message,
}: PluginDefinition): Record<string, object> => ({
  states,
  events,
  actions,
  'user tags': user.tags,
  'conversation tags': conversation.tags,
  'message tags': message.tags,
})

/** Returns every schema in the definition with its path. */
export const pluginSchemas = ({
  configuration,
  states,
  events,
  actions,
}: PluginDefinition): [string, JsonSchema][] => [
  ['configuration', configuration.schema],
  ...listSchemas('states', states),
  ...listSchemas('events', events),
  ...listActionSchemas(actions),
]

const limited: Record<string, LimitName> = {
  states: 'statesPerBot',
  events: 'eventsPerBot',

  'user tags': 'tagDefinitions',
  'conversation tags': 'tagDefinitions',
  'message tags': 'tagDefinitions',
}

/** Applies the limits of bots. Throws LimitExceeded. */
export function rejectLargePlugin(limits: Limits, definition: PluginDefinition): void {
  const parts = pluginParts(definition)
  for (const [part, limit] of Object.entries(limited))
    limitRules.rejectTooMany(limits, limit, part, parts[part]!)
}
