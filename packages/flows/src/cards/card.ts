// What a card can lead to, and what every kind of card is.
import type { CardOf, CardType } from '../card-shapes.ts'
import type { Frame } from '../position.ts'
import type { Target } from '../shapes.ts'
import type { Turn } from '../turn.ts'

/** Nothing: the next card. `waits`: the frame says for what. */
export type Outcome = undefined | { goTo: Target } | { calls: Frame } | { waits: true }

export interface CardKind<Type extends CardType> {
  perform: (turn: Turn, card: CardOf<Type>, frame: Frame) => Promise<Outcome> | Outcome
  /** It may have done something outside that is not to be done twice: where the conversation stands is kept after it. */
  reachesOut?: boolean
}
