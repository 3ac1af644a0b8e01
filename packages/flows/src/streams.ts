// Streams of messages: listeners of a conversation see a model's text while the model writes it. One
// request of the engine does it: the server publishes the text of the call.
import type { PublishTo } from '@botstead/contract'
import type { Turn } from './turn.ts'

interface AnswerStream {
  /** For `options` of a call of a model. */
  publishTo: PublishTo
  /** For `payload.metadata` of the message with the text, which completes the stream. */
  metadata: { streamId: string }
}

/**
 * Returns a stream for the next answer, or null for an event without a conversation. Its id is the
 * same when the event is handled again.
 */
export function openAnswerStream({ delivered, steps }: Turn): AnswerStream | null {
  const { id, conversationId } = delivered
  if (conversationId === undefined) return null
  const streamId = `${id}:${steps}`
  return { publishTo: { conversationId, streamId }, metadata: { streamId } }
}
