// The definition of an interface. Updates are merged key by key, as for bots (bots/definition.ts).

import type { Interface, InterfaceChange, InterfaceChannel } from '@botstead/contract'
import { mergeKeys, merging, replacing } from '@botstead/lib'
import { schemas } from '../../compute/index.ts'
import { type Limits, limitRules } from '../../config/index.ts'
import {
  checkNames,
  listActionSchemas,
  listMessageSchemas,
  listSchemas,
} from '../packages/definitions.ts'
import { createResolver } from '../packages/entity-references.ts'

export type InterfaceDefinition = Pick<
  Interface,
  'entities' | 'events' | 'actions' | 'channels' | 'nameTemplate'
> & { attributes: Record<string, string> }
type InterfaceDefinitionChange = Pick<
  InterfaceChange,
  'entities' | 'events' | 'actions' | 'channels' | 'nameTemplate' | 'attributes'
>

export const emptyInterface: InterfaceDefinition = {
  entities: {},
  events: {},
  actions: {},
  channels: {},
  attributes: {},
}

const titled = ['title', 'description']

/** Returns a new definition; does not modify the arguments. */
export function mergeInterface(
  now: InterfaceDefinition,
  change: InterfaceDefinitionChange,
): InterfaceDefinition {
  const nameTemplate =
    change.nameTemplate === undefined ? now.nameTemplate : change.nameTemplate
  return {
    entities: mergeKeys(now.entities, change.entities, replacing([...titled, 'schema'])),
    events: mergeKeys(now.events, change.events, merging([...titled, 'schema'])),
    actions: mergeKeys(
      now.actions,
      change.actions,
      merging([...titled, 'billable', 'cacheable', 'input', 'output']),
    ),
    channels: mergeKeys(now.channels, change.channels, mergeChannel),
    ...(nameTemplate && {
      nameTemplate: replacing(['script', 'language'])(nameTemplate),
    }),
    attributes: mergeKeys(now.attributes, change.attributes, (value) => value),
  }
}

type ChannelChange = Exclude<NonNullable<InterfaceChange['channels']>[string], null>
const mergeChannel = (
  input: ChannelChange,
  before: InterfaceChannel | undefined,
): InterfaceChannel => ({
  ...before,
  ...replacing(titled)(input),
  messages: mergeKeys(before?.messages ?? {}, input.messages, replacing(['schema'])),
})

/** Returns the parts of the definition by the contract's names, and each channel's messages. */
export const interfaceParts = ({
  entities,
  events,
  actions,
  channels,
}: InterfaceDefinition): Record<string, object> => ({
  entities,
  events,
  actions,
  channels,
  ...Object.fromEntries(
    Object.entries(channels).map(([name, { messages }]) => [
      `messages of ${name}`,
      messages,
    ]),
  ),
})

/** Returns every schema in the definition with its path. */
const interfaceSchemas = ({
  entities,
  events,
  actions,
  channels,
}: InterfaceDefinition) => [
  ...listSchemas('entities', entities),
  ...listSchemas('events', events),
  ...listActionSchemas(actions),
  ...listMessageSchemas(channels),
]

/**
 * Its schemas refer to its own entities by `$ref`. Throws InvalidIdentifier, InvalidJsonSchema,
 * LimitExceeded.
 */
export async function checkInterface(
  limits: Limits,
  workspaceId: string,
  definition: InterfaceDefinition,
): Promise<void> {
  limitRules.rejectTooMany(limits, 'eventsPerIntegration', 'events', definition.events)
  limitRules.rejectTooMany(
    limits,
    'channelsPerIntegration',
    'channels',
    definition.channels,
  )
  checkNames(interfaceParts(definition))
  const resolve = createResolver((ref) =>
    Object.hasOwn(definition.entities, ref) ? definition.entities[ref]!.schema : null,
  )
  await schemas.rejectInvalid(
    workspaceId,
    interfaceSchemas(definition).map(([place, schema]) => [place, resolve(schema)]),
  )
}
