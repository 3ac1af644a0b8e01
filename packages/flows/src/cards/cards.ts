// All kinds of cards.
import type { Card, CardType } from '../document/card-shapes.ts'
import type { Target } from '../document/shapes.ts'
import { translateCard } from '../engine/language.ts'
import type { Frame } from '../engine/position.ts'
import type { Turn } from '../engine/turn.ts'
import { answer } from './answer.ts'
import { callAction, queryKnowledge, table } from './calling.ts'
import type { CardKind, CardOutcome } from './card.ts'
import { handoff } from './handoff.ts'
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
  handoff,
  inactivityTimeout,
}

export async function perform(
  turn: Turn,
  card: Card,
  frame: Frame,
): Promise<CardOutcome> {
  const step = turn.trace.begin({
    kind: 'card',
    type: card.type,
    index: frame.card,
    ...(card.name && { name: card.name }),
    ...(card.type === 'transition' && { when: card.when, to: nodeName(card.to) }),
  })
  try {
    const kind = kinds[card.type] as CardKind<CardType>
    const outcome = await kind.perform(turn, translateCard(turn, card) as never, frame)
    step.end(
      card.type === 'transition' ? { outcome: outcome ? 'taken' : 'not taken' } : {},
    )
    return outcome
  } catch (error) {
    step.end({ outcome: 'failed' })
    throw error
  }
}

const nodeName = (target: Target) =>
  typeof target === 'string'
    ? target
    : [target.flow, target.node].filter(Boolean).join(' / ')

export const hasSideEffects = ({ type }: Card) => kinds[type].hasSideEffects === true
