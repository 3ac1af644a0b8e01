// Sends messages. `beforeOutgoing` hooks may change or drop a message. If a turn is repeated, it
// does not send its messages again.
import { outgoingEvent } from './event.ts'
import { PlatformRejection } from './platform.ts'
import { nextKey, runTurnHooks, type Turn } from './turn.ts'

interface SendOptions {
  tags?: Record<string, string> | undefined
  /** Default: the conversation of the event. */
  conversationId?: string | undefined
}

/** Sends a message. Throws TypeError if there is no conversation to send it to. */
export async function sendMessage(
  turn: Turn,
  { type, ...payload }: { type: string; [field: string]: unknown },
  options: SendOptions = {},
): Promise<void> {
  const key = nextKey(turn)
  const conversationId = options.conversationId ?? turn.delivered.conversationId
  if (conversationId === undefined)
    throw new TypeError(
      'The event has no conversation to send the message to. Set `conversationId` of the card',
    )
  const outgoing = outgoingEvent(turn.event, {
    id: key,
    type,
    payload,
    at: new Date(turn.engine.now()),
    ...(options.tags && { tags: options.tags }),
  })
  if (conversationId !== turn.delivered.conversationId)
    outgoing.conversationId = conversationId
  if ((await runTurnHooks(turn, 'beforeOutgoing', outgoing)).stopped) return
  const body = {
    conversationId,
    userId: turn.engine.botId,
    type: outgoing.type,
    payload: outgoing.payload,
    tags: outgoing.tags?.message ?? {},
  }
  await turn.engine
    .platform({
      method: 'POST',
      path: '/v1/chat/messages',
      body,
      key,
      cause: turn.delivered.id,
    })
    .catch(unlessSent)
  turn.trace.note({ kind: 'said', type: outgoing.type, text: outgoing.preview })
}

/**
 * Ignores the conflict if an earlier run of the turn sent a different message under the same key.
 */
function unlessSent(error: unknown): undefined {
  if (error instanceof PlatformRejection && error.type === 'RelationConflict') return
  throw error
}
