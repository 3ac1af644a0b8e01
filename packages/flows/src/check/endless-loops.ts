// Finds loops without an end. The check finds those of cards that neither wait nor decide; the engine
// stops a turn that enters a node again and again while nothing changes.
import type { Card, CardType } from '../document/card-shapes.ts'
import type { FlowDocument } from '../document/document.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Problem } from '../document/problems.ts'
import type { Target } from '../document/shapes.ts'
import { type Frame, newFrame } from '../engine/position.ts'
import type { Turn } from '../engine/turn.ts'

/** Cards that give the same result each time, and do not decide, wait or fail on purpose. */
const plainCards: ReadonlySet<CardType> = new Set([
  ...(['send', 'set', 'tag', 'log', 'goTo', 'inactivityTimeout'] as const),
])

type Position = Pick<Frame, 'flow' | 'node'>

const toName = ({ flow, node }: Position) => `${flow}/${node}`

/** Returns a warning for each endless loop, at the first of its nodes. */
export function checkLoops(document: FlowDocument): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const [flow, { nodes }] of Object.entries(document.flows))
    for (const node of Object.keys(nodes)) {
      const path: Position[] = []
      let at: Position | undefined = { flow, node }
      for (; at && !seen.has(toName(at)); at = findNext(document, at)) {
        seen.add(toName(at))
        path.push(at)
      }
      const start = at ? path.findIndex((one) => toName(one) === toName(at)) : -1
      if (start >= 0) problems.push(toProblem(path.slice(start)))
    }
  return problems
}

const toProblem = (loop: Position[]): Problem => ({
  pointer: `/flows/${escapePointer(loop[0]!.flow)}/nodes/${escapePointer(loop[0]!.node)}`,
  message:
    `repeats without end: ${[...loop, loop[0]!].map(toName).join(' → ')}. Add a card that waits or ` +
    'decides, or lead elsewhere',
})

/** Returns the node that always follows, or undefined if a card may wait, decide or fail. */
function findNext(
  document: FlowDocument,
  { flow, node }: Position,
): Position | undefined {
  const { type, cards = [], next } = document.flows[flow]!.nodes[node]!
  const leaving = cards.findIndex((card) => card.type === 'goTo')
  const run = leaving < 0 ? cards : cards.slice(0, leaving + 1)
  if (run.some((card) => !plainCards.has(card.type))) return undefined
  const last = run.at(-1)
  if (last?.type === 'goTo') return findPosition(document, flow, last.to)
  return type === 'agent' || next === undefined
    ? undefined
    : findPosition(document, flow, next)
}

const findPosition = (document: FlowDocument, flow: string, target: Target): Position =>
  typeof target === 'string'
    ? { flow, node: target }
    : newFrame(document, target.flow, { node: target.node })

/** Conditions may depend on chance or time, so the engine allows some rounds. */
const maxUnchanged = 3

/** Returns whether another run of the card has the same effect, if no variable changes. */
export const isRepeatable = ({ type }: Card) =>
  plainCards.has(type) || type === 'transition' || type === 'callFlow'

/**
 * Counts the entry into a node. Throws when the turn has entered it too often, since that is probably
 * an endless loop, or several times without a change.
 */
export function countVisit(turn: Turn, frame: Frame, limit: number): void {
  const name = toName(frame)
  const before = turn.visits.get(name)
  const times = (before?.times ?? 0) + 1
  if (times > limit) {
    const remedy = 'Check for a loop, or raise `settings.nodeRepetitionLimit`'
    throw new Error(
      `The node ${name} was entered more than ${limit} times in one turn. ${remedy}`,
    )
  }
  const state = before && toState(turn, frame)
  const isSame = state !== undefined && state === before?.state
  const unchanged = isSame ? before!.unchanged + 1 : 0
  if (unchanged >= maxUnchanged) throw new Error(loopMessage(turn.route, name))
  turn.visits.set(name, { times, unchanged, ...(state !== undefined && { state }) })
  turn.route.push(name)
}

function loopMessage(route: string[], name: string): string {
  const loop = [...route.slice(route.lastIndexOf(name) + 1), name]
  const nodes = `${loop.length > 1 ? 'nodes' : 'node'} ${loop.join(' → ')}`
  return (
    `The ${nodes} repeat${loop.length > 1 ? '' : 's'} without a change, so they would never end. Let ` +
    'one of them wait for an answer, change a variable, or lead elsewhere'
  )
}

/** Includes the calling cards: several may call a flow that changes nothing. */
const toState = (
  { effects, remembered, user, bot, values }: Turn,
  { variables }: Frame,
) =>
  JSON.stringify([
    effects,
    variables,
    remembered.variables,
    remembered.session,
    user,
    bot,
    values,
    remembered.stack.map(({ flow, node, card }) => [flow, node, card]),
  ])
