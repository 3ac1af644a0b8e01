// The definition of an integration in the shape of the external contract, and the merging of
// changes into it.
import type { Integration } from '@botstead/contract'
import { type JsonSchema, undeclared } from '../../compute/index.ts'
import {
  listActionSchemas,
  listMessageSchemas,
  listSchemas,
} from '../packages/definitions.ts'
import { each, fields, leaf, mergeByShape } from '../packages/shapes.ts'

type Parts =
  | 'identifier'
  | 'sandbox'
  | 'configuration'
  | 'configurations'
  | 'channels'
  | 'states'
  | 'events'
  | 'actions'
  | 'user'
  | 'entities'
  | 'interfaces'

/** The parts that replies contain, plus internal ones. */
export type IntegrationDefinition = Pick<Integration, Parts> & {
  extraOperations: Record<string, { enabled: boolean }>
}

/** A change; the contract has validated its shape. Unknown fields of deployments are dropped. */
export type IntegrationDefinitionChange = {
  [Part in keyof IntegrationDefinition]?: object | undefined
}

const titled = { title: leaf, description: leaf }
const tags = each(fields(titled))
const creation = { enabled: false, requiredTags: [] }
const attributes = each(leaf)
const configuration = fields(
  {
    ...titled,
    schema: leaf,
    identifier: fields({ required: leaf, linkTemplateScript: leaf }, { required: false }),
  },
  { schema: undeclared, identifier: { required: false } },
)
const channel = fields(
  {
    ...titled,
    messages: each(fields({ schema: leaf })),
    conversation: fields({ tags, creation: leaf }, { tags: {}, creation }),
    message: fields({ tags }, { tags: {} }),
  },
  { messages: {}, conversation: { tags: {}, creation }, message: { tags: {} } },
)
const withSchema = fields({ schema: leaf })
const renamed = each(fields({ name: leaf }))

export const emptyIntegrationDefinition: IntegrationDefinition = {
  identifier: {},
  configuration: { schema: undeclared, identifier: { required: false } },

  configurations: {},
  channels: {},
  states: {},
  events: {},
  actions: {},
  entities: {},
  interfaces: {},
  extraOperations: {},
  user: { tags: {}, creation },
}

const definition = fields(
  {
    configuration,
    configurations: each(configuration),
    channels: each(channel),
    identifier: fields({ extractScript: leaf, fallbackHandlerScript: leaf }),
    sandbox: fields({ identifierExtractScript: leaf, messageExtractScript: leaf }),
    states: each(fields({ type: leaf, schema: leaf })),
    events: each(fields({ ...titled, schema: leaf, attributes })),
    actions: each(
      fields({
        ...titled,
        billable: leaf,
        cacheable: leaf,
        input: withSchema,
        output: withSchema,
        attributes,
      }),
    ),
    user: fields({ tags, creation: leaf }, { tags: {}, creation }),
    entities: each(fields({ ...titled, schema: leaf })),
    interfaces: each(
      fields(
        {
          id: leaf,
          name: leaf,
          version: leaf,
          entities: renamed,
          actions: renamed,
          events: renamed,
          channels: renamed,
        },
        { entities: {}, actions: {}, events: {}, channels: {} },
      ),
    ),
    extraOperations: each(fields({ enabled: leaf })),
  },
  { ...emptyIntegrationDefinition },
)

/** Returns a new definition; does not modify the arguments. */
export const mergeIntegrationDefinition = (
  now: IntegrationDefinition,
  change: IntegrationDefinitionChange,
): IntegrationDefinition => mergeByShape(definition, now, change) as IntegrationDefinition

/** Returns every schema in the definition with its path. */
export function integrationSchemas(
  declared: IntegrationDefinition,
): [string, JsonSchema][] {
  const { configuration, configurations, channels, states, events, actions, entities } =
    declared
  return [
    ['configuration', configuration.schema],
    ...listSchemas('configurations', configurations),
    ...listSchemas('states', states),
    ...listSchemas('events', events),
    ...listSchemas('entities', entities),
    ...listActionSchemas(actions),
    ...listMessageSchemas(channels),
  ]
}
