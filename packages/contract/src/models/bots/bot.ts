import { type Static, Type as T } from 'typebox'
import { closed, dictionary, id, Json, nullable, Tags, Timestamp } from '../../fields.ts'
import {
  ActionDefinition,
  EventDefinition,
  Media,
  RecurringEvent,
  StateDefinition,
  TagDefinition,
} from './bot-definition.ts'
import { Installation, PluginInstallation } from './installation.ts'

const tagged = closed({ tags: dictionary(TagDefinition) })

/** The tool that created the bot. Clients newer than 1.82 set and read it. */
export const BotType = T.Enum(['studio', 'adk', 'desk'])
export type BotType = Static<typeof BotType>

/**
 * A complete bot. Clients expect every map, so empty ones are present. `secrets` contains only
 * names.
 * @component
 */
export const Bot = closed({
  id: id('bot'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.String(),
  description: T.Optional(T.String()),
  tags: Tags,
  dev: T.Boolean(),
  type: BotType,
  status: T.Enum(['active', 'deploying', 'deleting']),
  deployedAt: T.Optional(Timestamp),
  createdBy: T.Optional(T.String()),
  alwaysAlive: T.Boolean(),
  maxExecutionTime: T.Optional(T.Number()),
  signingSecret: T.String({ maxLength: 2000 }),
  secrets: T.Array(T.String()),
  medias: T.Array(Media),
  configuration: closed({ data: Json, schema: Json }),
  integrations: dictionary(Installation),
  plugins: dictionary(PluginInstallation),
  user: tagged,
  conversation: tagged,
  message: tagged,
  states: dictionary(StateDefinition),
  events: dictionary(EventDefinition),
  recurringEvents: dictionary(RecurringEvent),
  actions: dictionary(ActionDefinition),
  subscriptions: closed({ events: nullable(dictionary(closed({}))) }),
})
export type Bot = Static<typeof Bot>

/** A bot in a list. @component */
export const BotSummary = closed({
  id: id('bot'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.String(),
  deployedAt: T.Optional(Timestamp),
  tags: Tags,
  type: BotType,
})
export type BotSummary = Static<typeof BotSummary>
