import { type Static, Type as T } from 'typebox'
import { closed, Json, mapOf, nullable } from '../fields.ts'
import {
  ActionDefinition,
  EventDefinition,
  Media,
  RecurringEvent,
  StateDefinition,
  TagDefinition,
} from './bot-definition.ts'

const { failedAttempts: _, lastFailureReason: __, ...recurring } = RecurringEvent.properties
const tagged = closed({ tags: mapOf(TagDefinition) })
const Word = T.String({ maxLength: 200 })

/** An integration inside the bot, by its name and version; `id` says which one on the server that the document comes from. */
const DocumentedIntegration = closed({
  name: Word,
  version: Word,
  id: T.Optional(T.String({ maxLength: 36 })),
  enabled: T.Boolean(),
  configurationType: T.Optional(nullable(Word)),
  /** Absent in documents that we make, because it holds keys: an integration that is installed under this alias keeps the one it has. */
  configuration: T.Optional(Json),
  disabledChannels: T.Optional(T.Array(Word)),
})

/** A plugin inside the bot, and which of the bot's integrations it works through. Of `id` and `configuration` the same is true. */
const DocumentedPlugin = closed({
  name: Word,
  version: Word,
  id: T.Optional(T.String({ maxLength: 36 })),
  enabled: T.Boolean(),
  configuration: T.Optional(Json),
  interfaces: T.Optional(
    mapOf(closed({ integrationAlias: Word, integrationInterfaceAlias: T.Optional(Word) })),
  ),
  integrations: T.Optional(mapOf(closed({ integrationAlias: Word }))),
  recurringEvents: T.Optional(mapOf(closed(recurring))),
})

/**
 * What a bot does, as one document: what a version keeps, and what can be published into any bot. It has no secret values. `kind` and `version`
 * say what it is; a property that this version does not know is refused, so that nothing is lost in silence.
 */
export const BotDocument = closed({
  $schema: T.Optional(T.String({ maxLength: 2000 })),
  kind: T.Literal('bot'),
  version: T.Literal(2),
  /** One CommonJS file. Null: none any more. Absent: as it is. The same of the URL. */
  code: T.Optional(nullable(T.String())),
  url: T.Optional(nullable(T.String({ maxLength: 2000 }))),
  authentication: T.Optional(T.Enum(['iam', 'hmac-sha256'])),
  /** In seconds. */
  maxExecutionTime: T.Optional(T.Integer({ minimum: 1, maximum: 86_400 })),
  alwaysAlive: T.Optional(T.Boolean()),
  layers: T.Optional(T.Array(T.String({ maxLength: 2000 }), { maxItems: 50 })),
  medias: T.Optional(T.Array(Media)),
  configuration: T.Optional(closed({ data: Json, schema: Json })),
  user: T.Optional(tagged),
  conversation: T.Optional(tagged),
  message: T.Optional(tagged),
  states: T.Optional(mapOf(StateDefinition)),
  events: T.Optional(mapOf(EventDefinition)),
  recurringEvents: T.Optional(mapOf(closed(recurring))),
  actions: T.Optional(mapOf(ActionDefinition)),
  subscriptions: T.Optional(closed({ events: nullable(mapOf(closed({}))) })),
  /** Names of the secrets that the bot needs: they must be there. */
  secrets: T.Optional(T.Array(Word)),
  integrations: T.Optional(mapOf(DocumentedIntegration)),
  plugins: T.Optional(mapOf(DocumentedPlugin)),
})
export type BotDocument = Static<typeof BotDocument>
