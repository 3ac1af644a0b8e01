// Types that all kinds of cards share.
import type { CardByType, CardType } from '../document/card-shapes.ts'
import type { Target } from '../document/shapes.ts'
import type { Frame } from '../engine/position.ts'
import type { Turn } from '../engine/turn.ts'

/** Undefined continues with the next card. With `waits`, `frame.waiting` describes the wait. */
export type CardOutcome =
  | undefined
  | { goTo: Target }
  | { calls: Frame }
  | { waits: true }

export interface CardKind<Type extends CardType> {
  perform: (
    turn: Turn,
    card: CardByType<Type>,
    frame: Frame,
  ) => Promise<CardOutcome> | CardOutcome
  /** The card may have external effects, so the engine saves a checkpoint after it. */
  hasSideEffects?: boolean
}
