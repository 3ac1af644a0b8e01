// Converts the errors that the flow engine observed in a turn (a hook, card or action threw) to
// issues of the bot, except for the error that ended the turn: the delivery of the event notes that.
// The bot's process writes these observations, so their shape is not trusted.
import { turnObservation } from '@botstead/flows/seeing'
import type { IssueReport } from '../../core/bots/index.ts'
import type { NewObservation } from './observations.ts'

const most = 20
const maxLength = 4_000

export function observedIssues({
  name,
  integration,
  data,
  conversationId,
  eventId,
}: NewObservation): IssueReport[] {
  if (name !== turnObservation || integration !== null || !Array.isArray(data.troubles))
    return []
  const facts = {
    ...(conversationId !== undefined && { conversationId }),
    ...(eventId !== undefined && { eventId }),
  }
  return data.troubles.slice(0, most).flatMap((trouble: unknown) => {
    const { where, message } = (trouble ?? {}) as Record<string, unknown>
    if (typeof where !== 'string' || typeof message !== 'string') return []
    const text = `${where}: ${message}`.slice(0, maxLength)
    return text === data.failure
      ? []
      : [{ code: 'code_failed' as const, message: text, facts }]
  })
}
