import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Json, nullable } from '../../fields.ts'
import { DocumentedMcpServer } from '../language-models/mcp-server.ts'
import {
  ActionDefinition,
  EventDefinition,
  Media,
  RecurringEvent,
  StateDefinition,
  TagDefinition,
} from './bot-definition.ts'

const {
  failedAttempts: _,
  lastFailureReason: __,
  ...recurring
} = RecurringEvent.properties
const tagged = closed({ tags: dictionary(TagDefinition) })
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
    dictionary(
      closed({ integrationAlias: Name, integrationInterfaceAlias: T.Optional(Name) }),
    ),
  ),
  integrations: T.Optional(dictionary(closed({ integrationAlias: Name }))),
  recurringEvents: T.Optional(dictionary(closed(recurring))),
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
  states: T.Optional(dictionary(StateDefinition)),
  events: T.Optional(dictionary(EventDefinition)),
  recurringEvents: T.Optional(dictionary(closed(recurring))),
  actions: T.Optional(dictionary(ActionDefinition)),
  subscriptions: T.Optional(closed({ events: nullable(dictionary(closed({}))) })),
  /** Names of required secrets. The bot must have a value for each. */
  secrets: T.Optional(T.Array(Name)),
  integrations: T.Optional(dictionary(DocumentedIntegration)),
  plugins: T.Optional(dictionary(DocumentedPlugin)),
  /** If present, the bot has exactly these. A server with the same URL keeps its key. */
  mcpServers: T.Optional(dictionary(DocumentedMcpServer)),
})
export type BotDocument = Static<typeof BotDocument>
