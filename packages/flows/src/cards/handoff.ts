// The card that hands the conversation over to a person, and continues when it has been returned.
import { toMessageContent } from '../captures/capture.ts'
import type { CardByType } from '../document/card-shapes.ts'
import type { Json } from '../engine/platform.ts'
import type { Frame } from '../engine/position.ts'
import { sendMessage } from '../engine/talking.ts'
import { callOnce, fillHere, nextKey, setVariable, type Turn } from '../engine/turn.ts'
import type { CardKind } from './card.ts'

/** Event of the server after a handoff. */
export const handoffClosedType = 'handoff_closed'

/** Limits of the server. Texts that expressions or models write may be longer. */
const maxLengths = { reason: 500, summary: 10_000 }

export const handoff: CardKind<'handoff'> = {
  async perform(turn, { message, reason, summary, botReceives }, frame) {
    const { conversationId } = turn.delivered
    if (conversationId === undefined)
      throw new TypeError(
        'The card cannot hand over, because the event has no conversation',
      )
    const filled = (await fillHere(turn, { message, reason, summary })) as Json
    if (message !== undefined) await sendMessage(turn, toMessageContent(filled.message))
    const body = {
      conversationId,
      ...textIn(filled, 'reason'),
      ...textIn(filled, 'summary'),
      ...(botReceives && { botReceives }),
    }
    const id = nextKey(turn)
    const call = { method: 'POST', path: '/v1/platform/handoffs', body } as const
    const { handoff } = (await callOnce(turn, id, call)) as { handoff: { id: string } }
    frame.waiting = { id, kind: 'handoff', asked: 1, handoff: handoff.id }
    return { waits: true }
  },
}

function textIn(filled: Json, name: keyof typeof maxLengths): Json {
  const text = String(filled[name] ?? '').slice(0, maxLengths[name])
  return text === '' ? {} : { [name]: text }
}

/** Ends the wait for this handoff. Returns false if no card waits for it. */
export function endHandoff({ remembered }: Turn, closed: Json): boolean {
  const waiting = remembered.stack.find(
    ({ waiting }) =>
      waiting?.handoff !== undefined && waiting.handoff === closed.handoffId,
  )?.waiting
  if (!waiting) return false
  Object.assign(waiting, { isUp: true, closed })
  return true
}

/** Continues after the card. */
export function afterHandoff(
  turn: Turn,
  { into }: CardByType<'handoff'>,
  frame: Frame,
): undefined {
  const closed = frame.waiting?.closed
  delete frame.waiting
  if (into) setVariable(turn, into, closed ?? null)
}
