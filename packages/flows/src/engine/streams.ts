// Streams of messages: listeners of a conversation see a model's text while the model writes it. One
// request of the engine does it: the server publishes the text of the call.
import type { PublishTo } from '@botstead/contract'
import type { Turn } from './turn.ts'

interface AnswerStream {
  /** For `options` of a call of a model. */
  publishTo: PublishTo
  /** For the payload of the message with the text, which completes the stream. */
  message: { metadata: { streamId: string } }
}

/** Integrations with listeners. */
const chats: unknown[] = ['chat', 'webchat']

/**
 * Returns a stream for the next answer. Its id is the same when the event is handled again. Returns
 * null if no one could listen, and if a hook may change or drop the message: users must not see the
 * text before the hook.
 */
export function openAnswerStream({
  engine,
  delivered,
  steps,
}: Turn): AnswerStream | null {
  const { id, conversationId, payload } = delivered
  const { integration } = (payload.conversation ?? {}) as { integration?: unknown }
  const { hooks = [] } = engine.program.document
  if (conversationId === undefined || !chats.includes(integration)) return null
  if (hooks.some(({ kind }) => kind === 'beforeOutgoing')) return null
  const streamId = `${id}:${steps}`
  return { publishTo: { conversationId, streamId }, message: { metadata: { streamId } } }
}
