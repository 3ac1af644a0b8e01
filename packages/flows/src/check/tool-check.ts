// Checks that flows that are tools need no conversation. Apart from tools.ts, which the engine bundles.
import { type Card, targetFields } from '../document/card-shapes.ts'
import type { FlowDocument } from '../document/document.ts'
import type { Problem } from '../document/problems.ts'
import type { Target } from '../document/shapes.ts'

/** Reports everything in the flows of tools that needs a conversation. */
export function checkTools(document: FlowDocument): Problem[] {
  return Object.entries(document.flows).flatMap(([name, flow]) =>
    flow.tool
      ? [...reachableFrom(document, name)].flatMap((inside) =>
          problemsIn(document, inside, name),
        )
      : [],
  )
}

/** Returns the names of the flow and of those that it calls or continues in. */
function reachableFrom({ flows }: FlowDocument, name: string): Set<string> {
  const found = new Set([name])
  for (const flow of found)
    for (const { cards = [], next } of Object.values(flows[flow]!.nodes))
      for (const other of [...cards.flatMap(flowsIn), ...flowIn(next)])
        if (Object.hasOwn(flows, other)) found.add(other)
  return found
}

function flowsIn(card: Card): string[] {
  if (card.type === 'callFlow') return [card.flow]
  const targets = targetFields.map((name) => (card as Record<string, unknown>)[name])
  const chosen = card.type === 'aiTransition' ? card.transitions.map(({ to }) => to) : []
  return [...(targets as (Target | undefined)[]), ...chosen].flatMap(flowIn)
}
const flowIn = (target: Target | undefined): string[] =>
  typeof target === 'object' ? [target.flow] : []

function problemsIn({ flows }: FlowDocument, flow: string, tool: string): Problem[] {
  return Object.entries(flows[flow]!.nodes).flatMap(
    ([node, { type, cards = [] }]): Problem[] => {
      const pointer = `/flows/${flow}/nodes/${node}`
      const need = type === 'end' || type === 'agent' ? needsOfNodes[type] : null
      return [
        ...(need === null
          ? []
          : [{ pointer: `${pointer}/type`, message: notIn(tool, need) }]),
        ...cards.flatMap((card, index) => {
          const need = findNeed(card)
          return need === null
            ? []
            : [{ pointer: `${pointer}/cards/${index}`, message: notIn(tool, need) }]
        }),
      ]
    },
  )
}

const needsOfNodes = { end: 'ends a conversation', agent: 'talks with a user' }

const notIn = (tool: string, need: string) =>
  `cannot be in the tool "${tool}": it ${need}, and tools have no conversation. Remove it, or ` +
  `remove \`tool\` from the flow "${tool}"`

/** Returns the card's need of a conversation; null if it has none. */
function findNeed(card: Card): string | null {
  switch (card.type) {
    case 'capture':
    case 'waitForEvent':
    case 'handoff':
      return 'waits'
    case 'inactivityTimeout':
      return 'sets the timeout of a conversation'
    case 'tag':
      return `tags a ${card.of}`
    case 'send':
      return card.conversationId === undefined ? sends : null
    case 'aiText':
    case 'answer':
      return card.into === undefined ? sends : findSetVariable(card)
    default:
      return findSetVariable(card)
  }
}

const sends = 'sends to the current conversation'

const findSetVariable = (card: Card): string | null =>
  variablesIn(card).some((variable) => /^(?:conversation|user|session)\./.test(variable))
    ? 'sets a variable of a conversation or a user'
    : null

/** Returns the variables that a card sets. */
const variablesIn = (card: Card): string[] => [
  ...('into' in card && card.into !== undefined ? [card.into] : []),
  ...('variable' in card ? [card.variable] : []),
  ...(card.type === 'callFlow' ? Object.values(card.outputs ?? {}) : []),
]
