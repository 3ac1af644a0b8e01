// Cards that call the server: actions, knowledge bases, tables.

import { invokeAction as call } from '../code/actions.ts'
import type { CardByType } from '../document/card-shapes.ts'
import { searchKnowledge } from '../engine/knowledge.ts'
import type { Json } from '../engine/platform.ts'
import { fillHere, setVariable, type Turn } from '../engine/turn.ts'
import { withTracedChanges } from '../tracing/traced-changes.ts'
import type { CardKind } from './card.ts'
import { performOnTable } from './tables.ts'

export const callAction: CardKind<'callAction'> = {
  hasSideEffects: true,
  async perform(turn, { action, input = {}, into }) {
    const filled = (await fillHere(turn, input)) as Json
    const output = await withTracedChanges(turn, () => call(turn, action, filled))
    if (into) setVariable(turn, into, output)
  },
}

/** Sets `event.kb` to the passages and `turn.KnowledgeAgent` to the best one. */
export const queryKnowledge: CardKind<'queryKnowledge'> = {
  hasSideEffects: true,
  async perform(
    turn,
    { query = '{{ event.preview }}', knowledgeBases, limit = 5, minScore, into },
  ) {
    const found = await searchKnowledge(turn, {
      query: String(await fillHere(turn, query)),
      names: knowledgeBases,
      limit,
      minScore,
      // the best passage is often the answer: its neighbours may have other subjects
      neighbours: 0,
    })
    turn.event.kb = found
    const [best] = found.results ?? []
    turn.values.KnowledgeAgent = {
      answer: best?.content ?? null,
      citations: found.results ?? [],
      responded: best !== undefined,
    }
    if (into) setVariable(turn, into, found.results ?? [])
  },
}

export const table: CardKind<'table'> = {
  hasSideEffects: true,
  async perform(turn, card) {
    const result = await performOnTable(turn, await filled(turn, card))
    if (card.into) setVariable(turn, card.into, result)
  },
}

/** Evaluates the texts of a card, except names. */
async function filled(
  turn: Turn,
  { type, table, operation, into, name, ...given }: CardByType<'table'>,
) {
  return {
    ...((await fillHere(turn, given)) as Omit<CardByType<'table'>, 'type'>),
    table,
    operation,
  }
}
