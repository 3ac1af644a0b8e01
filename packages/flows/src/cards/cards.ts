// All kinds of cards.
import type { Card, CardType } from '../card-shapes.ts'
import type { Frame } from '../position.ts'
import { type Turn, topOf } from '../turn.ts'
import { answer } from './answer.ts'
import { callAction, queryKnowledge, table } from './calling.ts'
import type { CardKind, CardOutcome } from './card.ts'
import { aiTask, aiText, aiTransition } from './models.ts'
import { callFlow, code, goTo, inactivityTimeout, set, transition } from './moving.ts'
import { log, send, tag } from './talking.ts'
import { capture, waitForEvent } from './waiting.ts'

const kinds: { [Type in CardType]: CardKind<Type> } = {
  send,
  capture,
  transition,
  goTo,
  callFlow,
  code,
  callAction,
  queryKnowledge,
  aiTask,
  aiTransition,
  aiText,
  answer,
  table,
  set,
  tag,
  log,
  waitForEvent,
  inactivityTimeout,
}

export async function perform(turn: Turn, card: Card, frame: Frame): Promise<CardOutcome> {
  const step = turn.trace.begin({
    kind: 'card',
    type: card.type,
    index: frame.card,
    ...(card.name && { name: card.name }),
  })
  try {
    const kind = kinds[card.type] as CardKind<CardType>
    const run = async () => kind.perform(turn, card as never, frame)
    const outcome = await (changing.has(card.type) ? withTracedChanges(turn, run) : run())
    step.end()
    return outcome
  } catch (error) {
    step.end({ outcome: 'failed' })
    throw error
  }
}

export const hasSideEffects = ({ type }: Card) => kinds[type].hasSideEffects === true

/** Cards with code that may set any variable. Other cards trace their changes themselves. */
const changing = new Set<CardType>(['code', 'callAction'])

/** Runs code that may set any variable, and traces the changes. */
export async function withTracedChanges<Value>(
  turn: Turn,
  run: () => Promise<Value>,
): Promise<Value> {
  const before = copies(turn)
  const value = await run()
  traceChanges(turn, before)
  return value
}

const scopesOf = (turn: Turn) => ({
  workflow: topOf(turn)?.variables ?? {},
  conversation: turn.remembered.variables,
  user: turn.user,
  bot: turn.bot,
  session: turn.remembered.session,
  turn: turn.values,
})
const copies = (turn: Turn) => structuredClone(scopesOf(turn))

function traceChanges(turn: Turn, before: ReturnType<typeof copies>) {
  const now = scopesOf(turn)
  for (const scope of Object.keys(now) as (keyof typeof now)[])
    turn.trace.changes(scope, before[scope], now[scope])
}
