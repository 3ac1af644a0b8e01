// The definition of an integration: its channels, events, actions, states and configuration.
// Requests and responses share these schemas.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary, id, Json, nullable } from '../../fields.ts'
import {
  ActionDefinition,
  AttributeChanges,
  Attributes,
  action,
  changes,
  EventDefinition,
  event,
  schema,
  TagDefinition,
  titled,
} from '../bots/bot-definition.ts'

/** A script in the Vector Remap Language (VRL). */
const Script = T.String({ maxLength: 2000 })
const ScriptChange = nullable(Script)
const Creation = closed({ enabled: T.Boolean(), requiredTags: T.Array(T.String()) })

export const Identifier = closed({
  extractScript: T.Optional(Script),
  fallbackHandlerScript: T.Optional(Script),
})
export const IntegrationSandbox = closed({
  identifierExtractScript: T.Optional(Script),
  messageExtractScript: T.Optional(Script),
})

/** @component */
export const ConfigurationDefinition = closed({
  ...titled,
  identifier: closed({ required: T.Boolean(), linkTemplateScript: T.Optional(Script) }),
  schema: Json,
})
export type ConfigurationDefinition = Static<typeof ConfigurationDefinition>

/** @component */
export const ChannelDefinition = closed({
  ...titled,
  messages: dictionary(closed(schema)),
  conversation: closed({ tags: dictionary(TagDefinition), creation: Creation }),
  message: closed({ tags: dictionary(TagDefinition) }),
})
export type ChannelDefinition = Static<typeof ChannelDefinition>

const state = { type: T.Enum(['conversation', 'user', 'integration']), schema: Json }
/** @component */
export const EntityDefinition = closed({ ...titled, schema: Json })
export type EntityDefinition = Static<typeof EntityDefinition>

const Renamed = dictionary(closed({ name: T.String({ maxLength: 200 }) }))

/** Maps the names in an interface to the integration's names for them. @component */
export const InterfaceImplementation = closed({
  id: id('ifver'),
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
  entities: Renamed,
  actions: Renamed,
  events: Renamed,
  channels: Renamed,
})
export type InterfaceImplementation = Static<typeof InterfaceImplementation>

export const integrationDefinition = {
  identifier: Identifier,
  sandbox: T.Optional(IntegrationSandbox),
  configuration: ConfigurationDefinition,
  configurations: dictionary(ConfigurationDefinition),
  channels: dictionary(ChannelDefinition),
  states: dictionary(closed(state)),
  events: dictionary(EventDefinition),
  actions: dictionary(ActionDefinition),
  user: closed({ tags: dictionary(TagDefinition), creation: Creation }),
  entities: dictionary(EntityDefinition),
  interfaces: dictionary(InterfaceImplementation),
  attributes: T.Optional(Attributes),
}

const ConfigurationChange = T.Object({
  ...titled,
  schema: T.Optional(Json),
  identifier: T.Optional(
    T.Object({
      required: T.Optional(T.Boolean()),
      linkTemplateScript: T.Optional(ScriptChange),
    }),
  ),
})
const OpenCreation = T.Object({ enabled: T.Boolean(), requiredTags: T.Array(T.String()) })
const TagChanges = changes(T.Object(titled))
const ChannelChange = T.Object({
  ...titled,
  messages: T.Optional(changes(T.Object(schema))),
  conversation: T.Optional(
    T.Object({ tags: T.Optional(TagChanges), creation: T.Optional(OpenCreation) }),
  ),
  message: T.Optional(T.Object({ tags: T.Optional(TagChanges) })),
})
const Parts = T.Optional(dictionary(T.Object({ name: T.String({ maxLength: 200 }) })))

/**
 * Properties that createIntegration and updateIntegration share. Deployments send further
 * properties, so unknown ones are accepted at every level. The definitions are merged: see
 * `changes`.
 */
export const integrationChanges = {
  identifier: T.Optional(
    T.Object({
      extractScript: T.Optional(ScriptChange),
      fallbackHandlerScript: T.Optional(ScriptChange),
    }),
  ),
  sandbox: T.Optional(
    T.Object({
      identifierExtractScript: T.Optional(ScriptChange),
      messageExtractScript: T.Optional(ScriptChange),
    }),
  ),
  configuration: T.Optional(ConfigurationChange),
  configurations: T.Optional(changes(ConfigurationChange)),
  channels: T.Optional(changes(ChannelChange)),
  states: T.Optional(changes(T.Object(state))),
  events: T.Optional(
    changes(T.Object({ ...event, attributes: T.Optional(AttributeChanges) })),
  ),
  actions: T.Optional(
    changes(
      T.Object({
        ...action,
        input: T.Object(schema),
        output: T.Object(schema),
        attributes: T.Optional(AttributeChanges),
      }),
    ),
  ),
  user: T.Optional(
    T.Object({ tags: T.Optional(TagChanges), creation: T.Optional(OpenCreation) }),
  ),
  entities: T.Optional(changes(T.Object({ ...titled, schema: Json }))),
  interfaces: T.Optional(
    changes(
      T.Object({
        id: id('ifver'),
        entities: Parts,
        actions: Parts,
        events: Parts,
        channels: Parts,
      }),
    ),
  ),
  attributes: T.Optional(AttributeChanges),
  extraOperations: T.Optional(changes(T.Object({ enabled: T.Boolean() }))),
  secrets: T.Optional(changes(T.String({ maxLength: 20_000 }))),
  code: T.Optional(T.String()),
  /** `icon` and `readme` are base64. All versions share the icon. */
  icon: T.Optional(T.String()),
  readme: T.Optional(T.String()),
  title: T.Optional(T.String({ minLength: 1, maxLength: 64 })),
  description: T.Optional(T.String({ maxLength: 256 })),
  sdkVersion: T.Optional(T.String({ maxLength: 200 })),
  layers: T.Optional(T.Array(T.String())),
  /** Older clients send this instead of `visibility`. */
  public: T.Optional(T.Boolean()),
  visibility: T.Optional(T.Enum(['public', 'private', 'unlisted'])),
}
