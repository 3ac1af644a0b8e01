// What the engine of flows says went wrong in a turn (a hook, a card, an action threw), as issues of the bot. The turn is an observation like any other, and
// its writer is the bot's process: nothing in it is believed to have a shape.
import { turnObservation } from '@botstead/flows/seeing'
import type { Trouble } from './issues.ts'
import type { NewObservation } from './observations.ts'

const most = 20
const longest = 4_000

export function observedTroubles({
  name,
  integration,
  data,
  conversationId,
  eventId,
}: NewObservation): Trouble[] {
  if (name !== turnObservation || integration !== null || !Array.isArray(data.troubles)) return []
  const facts = {
    ...(conversationId !== undefined && { conversationId }),
    ...(eventId !== undefined && { eventId }),
  }
  return data.troubles.slice(0, most).flatMap((trouble: unknown) => {
    const { where, message } = (trouble ?? {}) as Record<string, unknown>
    if (typeof where !== 'string' || typeof message !== 'string') return []
    return [{ code: 'code_failed' as const, message: `${where}: ${message}`.slice(0, longest), facts }]
  })
}
