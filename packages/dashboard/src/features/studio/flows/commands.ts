// Changes of flows as edits of the document: add, delete, move, rename, connect, copy, paste.
import { type Edit, toPointer } from '../draft/edits.ts'
import {
  findFlow,
  freeName,
  isObject,
  type Json,
  listFlows,
  listNodes,
  toList,
  toNode,
  toObject,
} from './bot-document.ts'
import { cardPointer, nodePointer, type Target, toTarget } from './places.ts'

const insert = (pointer: string, value: unknown): Edit => ({
  op: 'insert',
  pointer,
  value,
})
const set = (pointer: string, value: unknown): Edit => ({ op: 'set', pointer, value })
const remove = (pointer: string): Edit => ({ op: 'remove', pointer })

/** Inserts a card before the index. A node without cards gets the list. */
export function insertCard(
  document: Json,
  flow: string,
  node: string,
  index: number,
  card: Json,
): Edit[] {
  const cardList = toObject(toObject(findFlow(document, flow).nodes)[node]).cards
  if (Array.isArray(cardList)) return [insert(cardPointer(flow, node, index), card)]
  return [set(`${nodePointer(flow, node)}/cards`, [card])]
}

export const deleteCard = (flow: string, node: string, card: number): Edit[] => [
  remove(cardPointer(flow, node, card)),
]

export const moveCard = (
  flow: string,
  node: string,
  card: number,
  to: number,
): Edit[] => [
  {
    op: 'move',
    from: cardPointer(flow, node, card),
    pointer: cardPointer(flow, node, to),
  },
]

interface NewNode {
  type?: string
  cards?: Json[]
  /** Of an agent. */
  fields?: Json
  position?: { x: number; y: number } | undefined
}

/** Returns the name of the new node, and the edits that add it. */
export function addNode(
  document: Json,
  flow: string,
  { type = 'standard', cards: own = [], fields, position }: NewNode,
  wanted = 'step',
) {
  const name = freeName(
    wanted,
    listNodes(document, flow).map(([each]) => each),
  )
  const node = {
    type,
    ...fields,
    cards: own,
    ...(position && { position: rounded(position) }),
  }
  return { name, edits: [insert(nodePointer(flow, name), node)] }
}

const rounded = ({ x, y }: { x: number; y: number }) => ({
  x: Math.round(x),
  y: Math.round(y),
})

export const moveNode = (
  flow: string,
  node: string,
  position: { x: number; y: number },
): Edit => set(`${nodePointer(flow, node)}/position`, rounded(position))

/** Deletes nodes. Ways that lead to them lead nowhere then, which the check reports. */
export const deleteNodes = (flow: string, names: string[]): Edit[] =>
  names.map((name) => remove(nodePointer(flow, name)))

/** Sets the target of an exit: a node of the flow, or another flow. */
export function connect(
  pointer: string,
  flow: string,
  { flow: to, node }: Target,
): Edit[] {
  if (pointer.endsWith('/flow')) return [set(pointer, to)]
  const value =
    to === flow && node !== undefined ? node : { flow: to, ...(node && { node }) }
  return [set(pointer, value)]
}

/** Renames a node, and all references to it. */
export function renameNode(
  document: Json,
  flow: string,
  from: string,
  to: string,
): Edit[] {
  if (from === to) return []
  const edits: Edit[] = []
  for (const each of listFlows(document))
    for (const [name, node] of Object.entries(toObject(findFlow(document, each).nodes)))
      walk(node, nodePointer(each, name), (pointer, value) => {
        const target = toTarget(value, each)
        if (target?.flow !== flow || target.node !== from) return
        edits.push(
          typeof value === 'string' ? set(pointer, to) : set(`${pointer}/node`, to),
        )
      })
  for (const [name, trigger] of Object.entries(toObject(document.triggers))) {
    const { flow: led, node } = toObject(trigger)
    if (led === flow && node === from)
      edits.push(set(toPointer('triggers', name, 'node'), to))
  }
  const move: Edit = {
    op: 'move',
    from: nodePointer(flow, from),
    pointer: nodePointer(flow, to),
  }
  return [...edits, move]
}

const targetFields = [
  'to',
  'next',
  'onCancel',
  'onFail',
  'onTimeout',
  'onUnknown',
  'otherwise',
]

/** Calls `visit` with each target inside of a node. */
function walk(
  value: unknown,
  pointer: string,
  visit: (pointer: string, value: unknown) => void,
) {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inside] of Object.entries(value)) {
    const at = pointer + toPointer(name)
    if (targetFields.includes(name)) visit(at, inside)
    else walk(inside, at, visit)
  }
}

/** Cards or nodes in the clipboard. */
export type Copied =
  | { botstead: 'cards'; cards: Json[] }
  | { botstead: 'nodes'; nodes: Record<string, Json> }

export const copyNodes = (document: Json, flow: string, names: string[]): Copied => ({
  botstead: 'nodes',
  nodes: Object.fromEntries(
    Object.entries(toObject(findFlow(document, flow).nodes)).flatMap(([name, node]) =>
      names.includes(name) ? [[name, toObject(node)]] : [],
    ),
  ),
})

export function copyCard(
  document: Json,
  flow: string,
  node: string,
  card: number,
): Copied {
  const found = toNode(toObject(findFlow(document, flow).nodes)[node]).cards[card]
  return { botstead: 'cards', cards: found ? [found] : [] }
}

/** Returns the copied cards or nodes in a text of the clipboard; null for any other text. */
export function readCopied(text: string): Copied | null {
  try {
    const value = JSON.parse(text)
    const isCards = value?.botstead === 'cards' && toList(value.cards).every(isObject)
    const isNodes =
      value?.botstead === 'nodes' && Object.values(toObject(value.nodes)).every(isObject)
    return isCards || isNodes ? value : null
  } catch {
    return null
  }
}

const offset = 40

/** Adds copies of nodes. References between them lead to the copies. */
export function pasteNodes(document: Json, flow: string, nodes: Record<string, Json>) {
  const taken = new Set(listNodes(document, flow).map(([name]) => name))
  const names = new Map<string, string>()
  for (const name of Object.keys(nodes)) {
    const free = freeName(name, taken)
    taken.add(free)
    names.set(name, free)
  }
  const hasFirst = listNodes(document, flow).some(([, { type }]) =>
    ['start', 'entry'].includes(type),
  )
  const edits = Object.entries(nodes).map(([name, node]) =>
    insert(nodePointer(flow, names.get(name)!), toCopy(node, names, hasFirst)),
  )
  return { names: [...names.values()], edits }
}

/** A flow has only one first node. */
function toCopy(node: Json, names: Map<string, string>, hasFirst: boolean): Json {
  const copy = withNames(node, names) as Json
  const { x, y } = toObject(copy.position)
  if (typeof x === 'number' && typeof y === 'number')
    copy.position = { x: x + offset, y: y + offset }
  if (hasFirst && ['start', 'entry'].includes(String(copy.type))) copy.type = 'standard'
  return copy
}

function withNames(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withNames(each, names))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => {
      const renamed =
        targetFields.includes(name) && typeof inside === 'string'
          ? names.get(inside)
          : undefined
      return [name, renamed ?? withNames(inside, names)]
    }),
  )
}
