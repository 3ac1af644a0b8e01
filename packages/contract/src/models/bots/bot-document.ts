import { type Static, Type as T } from 'typebox'
import { closed, Json, mapOf, nullable } from '../../fields.ts'
import { DocumentedMcpServer } from '../language-models/mcp-server.ts'
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
const Name = T.String({ maxLength: 200 })

/**
 * An installed integration by name and version. `id` is its id on the server that exported the
 * document.
 */
const DocumentedIntegration = closed({
  name: Name,
  version: Name,
  id: T.Optional(T.String({ maxLength: 36 })),
  enabled: T.Boolean(),
  configurationType: T.Optional(nullable(Name)),
  /**
   * Absent in exported documents, because a configuration can contain keys.
   * Without it, an integration installed under this alias keeps its configuration.
   */
  configuration: T.Optional(Json),
  disabledChannels: T.Optional(T.Array(Name)),
})

/**
 * An installed plugin and the integrations that it uses. `id` and `configuration` are as in
 * DocumentedIntegration.
 */
const DocumentedPlugin = closed({
  name: Name,
  version: Name,
  id: T.Optional(T.String({ maxLength: 36 })),
  enabled: T.Boolean(),
  configuration: T.Optional(Json),
  interfaces: T.Optional(
    mapOf(closed({ integrationAlias: Name, integrationInterfaceAlias: T.Optional(Name) })),
  ),
  integrations: T.Optional(mapOf(closed({ integrationAlias: Name }))),
  recurringEvents: T.Optional(mapOf(closed(recurring))),
})

/**
 * A bot as one document: the content of a bot version, which can be published to any bot. Contains
 * no secret values. `kind` and `version` identify the format. Unknown properties are rejected, so
 * that no data is lost silently.
 */
export const BotDocument = closed({
  $schema: T.Optional(T.String({ maxLength: 2000 })),
  kind: T.Literal('bot'),
  version: T.Literal(2),
  /**
   * One CommonJS file. Null removes the code; if absent, the code stays unchanged. The same applies
   * to `url`.
   */
  code: T.Optional(nullable(T.String())),
  url: T.Optional(nullable(T.String({ maxLength: 2000 }))),
  authentication: T.Optional(T.Enum(['iam', 'hmac-sha256'])),
  /** Seconds. */
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
  /** Names of required secrets. The bot must have a value for each. */
  secrets: T.Optional(T.Array(Name)),
  integrations: T.Optional(mapOf(DocumentedIntegration)),
  plugins: T.Optional(mapOf(DocumentedPlugin)),
  /** If present, the bot has exactly these. A server with the same URL keeps its key. */
  mcpServers: T.Optional(mapOf(DocumentedMcpServer)),
})
export type BotDocument = Static<typeof BotDocument>
