// Makes nodes of a document of those that an importer has planned.
import { type Card, targetFields } from '../document/card-shapes.ts'
import type { AgentNode, FlowNode } from '../document/document.ts'
import type { Target } from '../document/shapes.ts'

type AgentFields = Omit<AgentNode, 'type' | 'cards' | 'next' | 'position' | 'description'>

/** Targets of its cards, exits and `next` are ids of the source. */
export interface PlannedNode {
  id: string
  label: string
  cards: Card[]
  next?: string | undefined
  position?: { x: number; y: number } | undefined
  type?: 'end' | 'exit'
  description?: string
  agent?: AgentFields
}

export interface PlannedFlow {
  name: string
  label: string
  entry?: string
  description?: string
  nodes: PlannedNode[]
}

/** Of the document's schema. */
const maxCards = 200

/** The flow and the name of each node, by its id in the source. */
export type Places = Map<string, { flow: string; node: string }>

/** Returns the node; one with too many cards becomes several. */
export function toNodes(
  planned: PlannedNode,
  flow: PlannedFlow,
  entryType: 'start' | 'entry',
  places: Places,
): [string, FlowNode][] {
  const place = places.get(planned.id)!
  const resolve = (id: string): Target | null => {
    const found = places.get(id)
    if (!found) return null
    return found.flow === flow.name ? found.node : found
  }
  const leaving = planned.agent || planned.type ? undefined : planned.cards.at(-1)
  // A last card that leads on is the next node.
  const onward =
    leaving?.type === 'goTo' && typeof leaving.to === 'string' ? leaving.to : undefined
  const given = onward === undefined ? planned.cards : planned.cards.slice(0, -1)
  const cards = given.flatMap((card) => toCards(card, resolve))
  const following = onward ?? planned.next
  const next = following === undefined ? null : resolve(following)
  const isEntry = planned.id === flow.entry
  const last = { ...(next !== null && { next }) }
  const type = isEntry ? entryType : (planned.type ?? 'standard')
  const common = {
    ...(planned.description && { description: planned.description.slice(0, 2000) }),
    ...(planned.position && { position: toPosition(planned.position) }),
  }
  if (planned.agent) {
    const agent = {
      type: 'agent',
      ...common,
      cards,
      ...last,
      ...toAgent(planned.agent, resolve),
    }
    if (!isEntry) return [[place.node, agent as FlowNode]]
    const name = `${place.node.slice(0, 50)}-agent`
    return [
      [place.node, { type: entryType, cards: [], next: name }],
      [name, agent as FlowNode],
    ]
  }
  const ending = type === 'end' || type === 'exit' ? {} : last
  const chunks = Array.from(
    { length: Math.max(1, Math.ceil(cards.length / maxCards)) },
    (_, index) => cards.slice(index * maxCards, (index + 1) * maxCards),
  )
  const toName = (index: number) =>
    index === 0 ? place.node : `${place.node.slice(0, 50)}-part-${index + 1}`
  return chunks.map((chunk, index): [string, FlowNode] => [
    toName(index),
    {
      ...(index === 0 ? { type, ...common } : { type: 'standard' }),
      cards: chunk,
      ...(index === chunks.length - 1 ? ending : { next: toName(index + 1) }),
    } as FlowNode,
  ])
}

/** The bot shows buttons below a question only. */
const withQuestion = (card: Card): Card =>
  card.type === 'capture' &&
  card.question === undefined &&
  (card.kind.endsWith('Choice') || card.kind === 'confirmation')
    ? { ...card, question: 'Please choose:' }
    : card

/** Drops targets that the file does not have. */
function toCards(card: Card, resolve: (id: string) => Target | null): Card[] {
  const copy = { ...withQuestion(card) } as Record<string, unknown>
  for (const name of targetFields) {
    if (typeof copy[name] !== 'string') continue
    const target = resolve(copy[name])
    if (target !== null) copy[name] = target
    else if (name === 'to') return []
    else delete copy[name]
  }
  if (card.type === 'aiTransition') {
    const transitions = card.transitions.flatMap(({ when, to }) => {
      const target = resolve(String(to))
      return target === null ? [] : [{ when, to: target }]
    })
    if (transitions.length === 0) return []
    copy.transitions = transitions.slice(0, 50)
  }
  return [copy as Card]
}

function toAgent(
  agent: AgentFields,
  resolve: (id: string) => Target | null,
): AgentFields {
  const { exits, onFail, ...rest } = agent
  const failing = typeof onFail === 'string' ? resolve(onFail) : null
  return {
    ...rest,
    ...(exits && {
      exits: Object.fromEntries(
        Object.entries(exits).map(([name, { to, ...exit }]) => {
          const target = typeof to === 'string' ? resolve(to) : null
          return [name, { ...exit, ...(target !== null && { to: target }) }]
        }),
      ),
    }),
    ...(failing !== null && { onFail: failing }),
  } as AgentFields
}

const toCoordinate = (value: number) =>
  Math.max(
    -1_000_000,
    Math.min(1_000_000, Math.round(Number.isFinite(value) ? value : 0)),
  )
const toPosition = ({ x, y }: { x: number; y: number }) => ({
  x: toCoordinate(x),
  y: toCoordinate(y),
})
