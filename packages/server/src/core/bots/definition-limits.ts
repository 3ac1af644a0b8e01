// Limits on the size of a bot's definition.
import { type LimitName, type Limits, limitRules } from '../config/index.ts'
import type { BotDefinition } from './definition.ts'

/** Checks the merged definition. Throws LimitExceeded. */
export function rejectLargeDefinition(
  limits: Limits,
  { states, events, recurringEvents, user, conversation, message }: BotDefinition,
) {
  const counted: [LimitName, string, object][] = [
    ['statesPerBot', 'states', states],
    ['eventsPerBot', 'events', events],
    ['recurringEventsPerBot', 'recurring events', recurringEvents],
    ['tagDefinitions', 'user tags', user.tags ?? {}],
    ['tagDefinitions', 'conversation tags', conversation.tags ?? {}],
    ['tagDefinitions', 'message tags', message.tags ?? {}],
  ]
  for (const [limit, what, declared] of counted)
    limitRules.rejectTooMany(limits, limit, what, declared)
}
