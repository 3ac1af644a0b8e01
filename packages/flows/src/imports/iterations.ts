// Loops of the source as nodes: one that counts, and a flow with the steps of each round.

import type { Card } from '../document/card-shapes.ts'
import type { Assembly } from './assembly.ts'
import type { PlannedNode } from './planned-nodes.ts'

interface Iteration {
  id: string
  label: string
  position?: PlannedNode['position']
  next?: string | undefined
  /** Id of the flow with the steps. */
  body: string
  /** JavaScript: true when no round is left. */
  isOver: string
  /** Path of the variable that counts from 0. */
  counter: string
  /** Cards before the first round, before and after each. */
  first?: Card[]
  before?: Card[]
  after?: Card[]
}

/** A turn may enter a node this often. */
const maxRounds = 1_000

export function addIteration(bot: Assembly, flow: string, iteration: Iteration): void {
  const { id, label, position, next, body, isOver, counter } = iteration
  const { first = [], before = [], after = [] } = iteration
  const [each, done] = [`${id}\u0000each`, `${id}\u0000done`]
  bot.settings.nodeRepetitionLimit = maxRounds
  bot.addNode(flow, {
    id,
    label,
    position,
    cards: [{ type: 'set', variable: counter, value: 0 }, ...first],
    next: each,
  })
  bot.addNode(flow, {
    id: each,
    label: `${label} each`,
    position: position && { x: position.x, y: position.y + 160 },
    cards: [
      { type: 'transition', when: isOver, to: next ?? done },
      ...before,
      { type: 'callFlow', flow: bot.addFlow(body, label) },
      ...after,
      { type: 'set', variable: counter, value: `{{ ${counter} + 1 }}` },
      { type: 'goTo', to: each },
    ],
  })
  if (next === undefined)
    bot.addNode(flow, { id: done, label: `${label} done`, cards: [] })
}
