// How much a bot may declare.
import { type LimitName, type Limits, refuseMany } from '../limits.ts'
import type { Definition } from './definition.ts'

/** Of the definition as it would be. Throws LimitExceeded. */
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
