// Records missed questions where the core stores messages and ratings.
import type { GetRedactors } from '../../../core/compute/index.ts'
import {
  inConversationTransaction,
  type MessagingHooks,
  type NewMessage,
} from '../../../core/messaging/index.ts'
import { recordBadRating, recordMissed } from './missed-questions.ts'

/** Other messages cost a look at their metadata. */
export function addMissedHooks(
  hooks: Pick<MessagingHooks, 'takeMessage' | 'messageRated'>,
  { getRedactors }: { getRedactors: GetRedactors },
): void {
  hooks.takeMessage.push((message) => {
    const missed = toMissed(message)
    if (!missed) return null
    return Promise.resolve((deps) =>
      inConversationTransaction(deps, async ({ messages, database: { db } }) => {
        const written = await messages.post(message)
        const { bot_id: botId, id: answerId } = written
        await recordMissed(db, getRedactors, {
          ...missed,
          botId,
          answerId,
          reason: 'unanswered',
        })
        return written
      }),
    )
  })
  hooks.messageRated.push(({ database: { db } }, message) =>
    recordBadRating(db, getRedactors, message),
  )
}

/** Returns null for a message that does not say that the bot has no answer. */
function toMissed({ direction, payload }: NewMessage): { question?: string } | null {
  const metadata = payload.metadata as
    | { unanswered?: unknown; question?: unknown }
    | undefined
  if (direction !== 'outgoing' || metadata?.unanswered !== true) return null
  return typeof metadata.question === 'string' ? { question: metadata.question } : {}
}
