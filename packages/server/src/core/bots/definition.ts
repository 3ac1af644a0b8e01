// The definition of a bot: events, actions, states, tags and settings. Updates are merged key by
// key: given keys are set, null removes, absent keys stay. Authors choose the keys, so no code here
// may access a prototype.
import type { Bot, RecurringEvent } from '@botstead/contract'
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
  recurringEvents: Record<string, Omit<RecurringEvent, 'failedAttempts' | 'lastFailureReason'>>
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
export function mergeBotDefinition(now: BotDefinition, change: BotDefinitionChange): BotDefinition {
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
      ? { events: mergeSubscriptions(now.subscriptions.events, change.subscriptions.events) }
      : now.subscriptions,
    actions: mergeKeys(now.actions, change.actions, merging(fields.action)),
    user: { tags: mergeKeys(now.user.tags, change.user?.tags, replacing(fields.tag)) },
    conversation: {
      tags: mergeKeys(now.conversation.tags, change.conversation?.tags, replacing(fields.tag)),
    },
    message: { tags: mergeKeys(now.message.tags, change.message?.tags, replacing(fields.tag)) },
    medias: change.medias?.map(({ url, name }) => ({ url, name })) ?? now.medias,
  }
}

/**
 * Sets given keys and removes null ones. Uses a Map, because a key may have the name of an
 * inherited property.
 */
export function mergeKeys<T, C>(
  now: Record<string, T>,
  change: Record<string, C | null> | undefined,
  merge: (input: C, before: T | undefined) => NoInfer<T>,
): Record<string, T> {
  const merged = new Map(Object.entries(now))
  for (const [key, input] of Object.entries(change ?? {})) {
    if (input === null) merged.delete(key)
    else merged.set(key, merge(input, merged.get(key)))
  }
  return Object.fromEntries(merged)
}

/** Keeps only the given fields with these names. */
export const replacing =
  (names: string[]) =>
  <T>(input: object): T =>
    pick(input, names) as T

/** For events and actions: replaces each given field and merges the attributes. */
export const merging =
  (names: string[]) =>
  <T extends { attributes?: Record<string, string> }>(input: object, before: T | undefined): T => {
    const attributes =
      'attributes' in input ? (input.attributes as Record<string, string | null>) : undefined
    const merged = { ...before, ...pick(input, names) } as T
    return before?.attributes || attributes
      ? { ...merged, attributes: mergeKeys(before?.attributes ?? {}, attributes, (value) => value) }
      : merged
  }

function mergeSubscriptions(
  now: Record<string, Record<never, never>> | null,
  input: Changes | null,
) {
  return input === null ? null : mergeKeys(now ?? {}, input, replacing(fields.subscription))
}

const pick = (from: object, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
