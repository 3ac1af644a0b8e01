// The definition of a bot: events, actions, states, tags and settings. Authors choose
// the keys, so no code here may access a prototype.
import type { Bot, RecurringEvent } from '@botstead/contract'
import { mergeKeys, merging, replacing } from '@botstead/lib'
import { undeclared } from '../compute/index.ts'

type Parts =
  | 'configuration'
  | 'states'
  | 'events'
  | 'subscriptions'
  | 'actions'
  | 'user'
  | 'conversation'
  | 'message'
  | 'medias'

/** The fields of replies, without the runtime state of recurring events. */
export type BotDefinition = Pick<Bot, Parts> & {
  recurringEvents: Record<
    string,
    Omit<RecurringEvent, 'failedAttempts' | 'lastFailureReason'>
  >
}

type Changes = Record<string, object | null>

/** A change; the contract has validated its shape. Unknown fields of deployments are dropped. */
export interface BotDefinitionChange {
  configuration?: { data?: Record<string, unknown>; schema?: Record<string, unknown> }
  states?: Changes
  events?: Changes
  recurringEvents?: Changes
  /** Null subscribes to all events. */
  subscriptions?: { events: Changes | null }
  actions?: Changes
  user?: { tags?: Changes }
  conversation?: { tags?: Changes }
  message?: { tags?: Changes }
  medias?: { url: string; name: string }[]
}

export const emptyBotDefinition: BotDefinition = {
  configuration: { data: {}, schema: undeclared },
  states: {},
  events: {},
  recurringEvents: {},
  subscriptions: { events: null },
  actions: {},
  user: { tags: {} },
  conversation: { tags: {} },
  message: { tags: {} },
  medias: [],
}

const fields = {
  tag: ['title', 'description'],
  state: ['type', 'schema', 'expiry'],
  recurringEvent: ['schedule', 'type', 'payload'],
  event: ['title', 'description', 'schema'],
  action: ['title', 'description', 'billable', 'cacheable', 'input', 'output'],
  subscription: [],
}

/** Returns a new definition; does not modify the arguments. */
export function mergeBotDefinition(
  now: BotDefinition,
  change: BotDefinitionChange,
): BotDefinition {
  return {
    configuration: {
      data: change.configuration?.data ?? now.configuration.data,
      schema: change.configuration?.schema ?? now.configuration.schema,
    },
    states: mergeKeys(now.states, change.states, replacing(fields.state)),
    events: mergeKeys(now.events, change.events, merging(fields.event)),
    recurringEvents: mergeKeys(
      now.recurringEvents,
      change.recurringEvents,
      replacing(fields.recurringEvent),
    ),
    subscriptions: change.subscriptions
      ? {
          events: mergeSubscriptions(
            now.subscriptions.events,
            change.subscriptions.events,
          ),
        }
      : now.subscriptions,
    actions: mergeKeys(now.actions, change.actions, merging(fields.action)),
    user: { tags: mergeKeys(now.user.tags, change.user?.tags, replacing(fields.tag)) },
    conversation: {
      tags: mergeKeys(
        now.conversation.tags,
        change.conversation?.tags,
        replacing(fields.tag),
      ),
    },
    message: {
      tags: mergeKeys(now.message.tags, change.message?.tags, replacing(fields.tag)),
    },
    medias: change.medias?.map(({ url, name }) => ({ url, name })) ?? now.medias,
  }
}

function mergeSubscriptions(
  now: Record<string, Record<never, never>> | null,
  input: Changes | null,
) {
  return input === null
    ? null
    : mergeKeys(now ?? {}, input, replacing(fields.subscription))
}
