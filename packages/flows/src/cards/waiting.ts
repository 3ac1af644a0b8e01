// Cards that wait for an answer or an event. The frame stores the wait, so that any process can
// continue.
import { answerTo, findQuestion } from '../captures/capture.ts'
import { type Extraction, extractAnswer } from '../captures/extraction.ts'
import type { CaptureCard, Card, CardByType } from '../document/card-shapes.ts'
import { wakeType } from '../document/derived.ts'
import { captureLanguage, translateCard, translateDefaults } from '../engine/language.ts'
import type { Frame, Waiting } from '../engine/position.ts'
import { sendMessage } from '../engine/talking.ts'
import {
  fillingAt,
  isTrue,
  nextKey,
  setVariable,
  type Turn,
  toPointer,
  toSurroundings,
} from '../engine/turn.ts'
import type { CardKind, CardOutcome } from './card.ts'
import { afterHandoff } from './handoff.ts'

const asking = (turn: Turn, card: CaptureCard, frame: Frame) => {
  const defaults = translateDefaults(
    turn,
    turn.engine.program.document.settings?.defaults,
  )
  return {
    ...captureLanguage(turn),
    card,
    surroundings: toSurroundings(turn),
    filling: fillingAt(turn, toPointer(frame)),
    extract: (extraction: Extraction) => extractAnswer(turn, extraction),
    ...(defaults && { defaults }),
  }
}

export const capture: CardKind<'capture'> = {
  async perform(turn, card, frame) {
    const question = await findQuestion(asking(turn, card, frame))
    if (question) await sendMessage(turn, question)
    return wait(turn, card, frame, 'capture')
  },
}

export const waitForEvent: CardKind<'waitForEvent'> = {
  perform: (turn, card, frame) => wait(turn, card, frame, 'event'),
}

async function wait(
  turn: Turn,
  { timeout }: { timeout?: number },
  frame: Frame,
  kind: Waiting['kind'],
): Promise<CardOutcome> {
  const { conversationId } = turn.delivered
  if (conversationId === undefined)
    throw new TypeError('The card cannot wait, because the event has no conversation')
  const id = nextKey(turn)
  frame.waiting = { id, kind, asked: 1 }
  if (timeout !== undefined) {
    const body = {
      type: wakeType,
      payload: { waiting: id },
      conversationId,
      schedule: { delay: timeout * 1000 },
    }
    await turn.engine.platform({
      method: 'POST',
      path: '/v1/chat/events',
      body,
      key: id,
      cause: turn.delivered.id,
    })
  }
  return { waits: true }
}

/** Passes the user's message to a capture card. */
export async function answerCapture(
  turn: Turn,
  card: CaptureCard,
  frame: Frame,
): Promise<CardOutcome> {
  const asked = asking(turn, translateCard(turn, card), frame)
  const answered = await answerTo(turn.event, frame.waiting!.asked, asked)
  turn.trace.note({ kind: 'heard', value: answered.outcome })
  if (answered.outcome === 'again') {
    frame.waiting!.asked++
    await sendMessage(turn, answered.say)
    return { waits: true }
  }
  delete frame.waiting
  setVariable(turn, card.into, answered.outcome === 'captured' ? answered.value : null)
  const leads = { captured: undefined, cancelled: card.onCancel, failed: card.onFail }[
    answered.outcome
  ]
  return leads === undefined ? undefined : { goTo: leads }
}

/** Returns whether the card waits for this event. */
export async function isAwaited(
  turn: Turn,
  card: CardByType<'waitForEvent'>,
  frame: Frame,
): Promise<boolean> {
  return (
    card.event === turn.delivered.type &&
    (card.when === undefined || (await isTrue(turn, card.when, toPointer(frame))))
  )
}

export function answerWait(
  turn: Turn,
  card: CardByType<'waitForEvent'>,
  frame: Frame,
): CardOutcome {
  delete frame.waiting
  if (card.into) setVariable(turn, card.into, turn.event.payload)
  return undefined
}

/** Ends a wait after its timeout, or after the handoff. */
export function giveUp(turn: Turn, card: Card, frame: Frame): CardOutcome {
  if (card.type === 'handoff') return afterHandoff(turn, card, frame)
  delete frame.waiting
  turn.trace.note({ kind: 'note', text: 'the timeout expired' })
  if (card.type !== 'capture' && card.type !== 'waitForEvent') return
  if (card.into) setVariable(turn, card.into, null)
  return card.onTimeout === undefined ? undefined : { goTo: card.onTimeout }
}
