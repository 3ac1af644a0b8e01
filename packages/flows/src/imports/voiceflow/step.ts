// A step of Voiceflow and the cards that it becomes.
import type { Card } from '../../document/card-shapes.ts'
import type { VoiceflowContext } from './context.ts'
import type { VoiceflowStep } from './source.ts'

export interface Step {
  cards: Card[]
  result?: 'carried' | 'changed' | 'omitted'
  note?: string
  /** Whether its cards lead on by themselves. */
  leads?: boolean
}

export type ToStep = (context: VoiceflowContext, step: VoiceflowStep) => Step

export const goTo = (to: string | undefined): Card[] =>
  to === undefined ? [] : [{ type: 'goTo', to }]
