// A flow as a graph: the rows of each node, and the edges that lead from rows to other nodes.
import { texts } from '../../../texts/texts.ts'
import { toPointer } from '../draft/edits.ts'
import {
  type Card,
  type FlowNode,
  isObject,
  type Json,
  listNodes,
  toList,
  toObject,
} from './bot-document.ts'
import { describeCondition } from './conditions-in-words.ts'
import { toCardTitle } from './names.ts'
import { cardPointer, nodePointer, type Target, toTarget } from './places.ts'

const t = texts.studio

/** A way out of a card or a node. */
export interface Exit {
  /** Of the target in the document. */
  pointer: string
  label: string
  /** Undefined if the way leads nowhere yet. */
  target: Target | undefined
}

export interface Row {
  /** The index of the card; undefined for ways out of the node itself. */
  card?: number
  title: string
  text: string
  exits: Exit[]
}

export interface GraphNode {
  name: string
  type: string
  rows: Row[]
  /** Where its author has put it. */
  position: { x: number; y: number } | undefined
}

export interface Graph {
  flow: string
  nodes: GraphNode[]
}

/** Nodes of an unchanged document are the same objects, so that their rows are made once. */
const known = new WeakMap<object, { flow: string; name: string; made: GraphNode }>()

export function toGraph(document: Json, flow: string): Graph {
  const raw = toObject(toObject(toObject(document.flows)[flow]).nodes)
  const nodes = listNodes(document, flow).map(([name, node]) => {
    const source = raw[name]
    if (!isObject(source)) return toGraphNode(flow, name, node)
    const found = known.get(source)
    if (found && found.flow === flow && found.name === name) return found.made
    const made = toGraphNode(flow, name, node)
    known.set(source, { flow, name, made })
    return made
  })
  return { flow, nodes }
}

function toGraphNode(flow: string, name: string, node: FlowNode): GraphNode {
  const { x, y } = toObject(node.position)
  return {
    name,
    type: node.type,
    rows: [
      ...node.cards.map((card, index) => toRow(card, index, flow, name)),
      ...toOwnRows(flow, name, node),
    ],
    position: typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined,
  }
}

function toRow(card: Card, index: number, flow: string, node: string): Row {
  const pointer = cardPointer(flow, node, index)
  return {
    card: index,
    title: toCardTitle(card.type),
    text: describeCard(card),
    exits: toExits(card, pointer, flow),
  }
}

const exitFields = ['to', 'onCancel', 'onTimeout', 'onUnknown', 'onFail'] as const

function toExits(card: Card, pointer: string, flow: string): Exit[] {
  const exits = exitFields
    .filter(
      (name) =>
        name in card || (name === 'to' && ['goTo', 'transition'].includes(card.type)),
    )
    .map((name) => ({
      pointer: `${pointer}/${name}`,
      label: t.exits[name],
      target: toTarget(card[name], flow),
    }))
  const chosen = toList(card.transitions).map((each, index) => {
    const { when, to } = toObject(each)
    const at = `${pointer}/transitions/${index}/to`
    return { pointer: at, label: String(when ?? ''), target: toTarget(to, flow) }
  })
  const otherwise =
    'otherwise' in card
      ? [
          {
            pointer: `${pointer}/otherwise`,
            label: t.exits.otherwise,
            target: toTarget(card.otherwise, flow),
          },
        ]
      : []
  const called =
    card.type === 'callFlow' && typeof card.flow === 'string'
      ? [
          {
            pointer: `${pointer}/flow`,
            label: t.exits.flow,
            target: { flow: card.flow, node: undefined },
          },
        ]
      : []
  return [...called, ...chosen, ...otherwise, ...exits]
}

/** Ways out of the node: those of an agent, and the next node. */
function toOwnRows(flow: string, name: string, node: FlowNode): Row[] {
  const pointer = nodePointer(flow, name)
  const agent = node.type === 'agent' ? [toAgentRow(pointer, flow, node)] : []
  if (node.type === 'exit' || node.type === 'end') return agent
  const next = {
    pointer: `${pointer}/next`,
    label: t.exits.next,
    target: toTarget(node.next, flow),
  }
  return [...agent, { title: '', text: '', exits: [next] }]
}

function toAgentRow(pointer: string, flow: string, node: FlowNode): Row {
  const exits = Object.entries(toObject(node.exits)).map(([exit, value]) => ({
    pointer: `${pointer}${toPointer('exits', exit, 'to')}`,
    label: exit,
    target: toTarget(toObject(value).to, flow),
  }))
  const failed =
    'onFail' in node
      ? [
          {
            pointer: `${pointer}/onFail`,
            label: t.exits.onFail,
            target: toTarget(node.onFail, flow),
          },
        ]
      : []
  return {
    title: t.agent,
    text: String(node.instructions ?? ''),
    exits: [...exits, ...failed],
  }
}

/** Fields in which a card says most about itself. */
const tellingFields = [
  'message',
  'question',
  'when',
  'instructions',
  'flow',
  'action',
  'query',
  'table',
  'variable',
  'event',
  'code',
  'to',
  'into',
]

/** Returns a card in a line of words. */
export function describeCard(card: Card): string {
  const field = tellingFields.find((name) => card[name] !== undefined)
  if (field === undefined) return ''
  const value = card[field]
  const words =
    field === 'when' && typeof value === 'string' ? describeCondition(value) : null
  return words ?? describeValue(value)
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isObject(value)) return JSON.stringify(value) ?? ''
  const text = ['text', 'markdown', 'title', 'imageUrl', 'file', 'flow'].find(
    (name) => typeof value[name] === 'string',
  )
  if (text !== undefined) return String(value[text])
  const type = String(value.type ?? '')
  return t.messageKinds[type] ?? type
}
