// How a bot says something: hooks see it, and may change or stop it; then it is a message, once, whatever is repeated.
import { outgoingEvent } from './event.ts'
import { Refused } from './platform.ts'
import { nextKey, runHooksOf, type Turn } from './turn.ts'

export interface Saying {
  tags?: Record<string, string> | undefined
  /** Another than the event's. */
  conversationId?: string | undefined
}

/** Throws TypeError where there is no conversation. */
export async function say(
  turn: Turn,
  { type, ...payload }: { type: string; [field: string]: unknown },
  saying: Saying = {},
): Promise<void> {
  const key = nextKey(turn)
  const conversationId = saying.conversationId ?? turn.told.conversationId
  if (conversationId === undefined)
    throw new TypeError('There is no conversation to say this in: the card needs a conversationId')
  const outgoing = outgoingEvent(turn.event, {
    id: key,
    type,
    payload,
    at: new Date(turn.engine.now()),
    ...(saying.tags && { tags: saying.tags }),
  })
  if (conversationId !== turn.told.conversationId) outgoing.conversationId = conversationId
  if ((await runHooksOf(turn, 'beforeOutgoing', outgoing)).stopped) return
  const body = {
    conversationId,
    userId: turn.engine.botId,
    type: outgoing.type,
    payload: outgoing.payload,
    tags: outgoing.tags?.message ?? {},
  }
  await turn.engine
    .platform({ method: 'POST', path: '/v1/chat/messages', body, key, cause: turn.told.id })
    .catch(unlessSaid)
  turn.trace.note({ kind: 'said', type: outgoing.type, text: outgoing.preview })
}

/** Under this key something was said already, when the event was handled before; today it would be worded otherwise. */
function unlessSaid(error: unknown): undefined {
  if (error instanceof Refused && error.type === 'RelationConflict') return
  throw error
}
