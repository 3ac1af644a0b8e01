// Limits on the size of a bot's definition.
import { type LimitName, type Limits, refuseMany } from '../../infra/config/limits.ts'
import type { Definition } from './definition.ts'

/** Checks the merged definition. Throws LimitExceeded. */
export function refuseLargeDefinition(
  limits: Limits,
  { states, events, recurringEvents, user, conversation, message }: Definition,
) {
  const counted: [LimitName, string, object][] = [
    ['statesPerBot', 'states', states],
    ['eventsPerBot', 'events', events],
    ['recurringEventsPerBot', 'recurring events', recurringEvents],
    ['tagDefinitions', 'user tags', user.tags ?? {}],
    ['tagDefinitions', 'conversation tags', conversation.tags ?? {}],
    ['tagDefinitions', 'message tags', message.tags ?? {}],
  ]
  for (const [limit, what, declared] of counted) refuseMany(limits, limit, what, declared)
}
