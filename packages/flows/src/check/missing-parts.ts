// Warns of cards that do nothing yet: those that need a language model which the bot does not have, and the
// comments in place of parts that an import has not carried.
import type { Card } from '../document/card-shapes.ts'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import type { Problem } from '../document/problems.ts'

const modelCards: ReadonlySet<string> = new Set(['aiTask', 'aiText', 'aiTransition'])

const listNodes = ({ flows }: FlowDocument): [pointer: string, node: FlowNode][] =>
  Object.entries(flows).flatMap(([flow, { nodes }]) =>
    Object.entries(nodes).map(([name, node]): [string, FlowNode] => [
      `/flows/${flow}/nodes/${name}`,
      node,
    ]),
  )

const listCards = (document: FlowDocument): [pointer: string, card: Card][] =>
  listNodes(document).flatMap(([pointer, { cards = [] }]) =>
    cards.map((card, index): [string, Card] => [`${pointer}/cards/${index}`, card]),
  )

/** Cards that work in a plainer way without a model are left out. */
export function checkModels(document: FlowDocument): Problem[] {
  const needing = [
    ...listNodes(document).filter(([, { type }]) => type === 'agent'),
    ...listCards(document).filter(([, { type }]) => modelCards.has(type)),
  ]
  return needing.map(([pointer]) => ({
    pointer,
    message:
      'needs a language model, and the server has none, so it fails. Configure one, or remove it',
  }))
}

const isComment = (code: unknown) =>
  typeof code === 'string' &&
  code
    .split('\n')
    .every((line) => line.trim() === '' || line.trimStart().startsWith('//'))

export const checkOmissions = (document: FlowDocument): Problem[] =>
  listCards(document).flatMap(([pointer, card]) =>
    card.type === 'code' && card.name?.startsWith('Not imported') && isComment(card.code)
      ? [
          {
            pointer,
            message: 'was not imported, and does nothing. Build this part, or remove it',
          },
        ]
      : [],
  )
