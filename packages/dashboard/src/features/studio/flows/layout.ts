// Places nodes without a position: in columns by their longest way from the first node, and inside of a
// column beside the nodes that lead to them.
import type { Graph, GraphNode } from './flow-graph.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const nodeWidth = 250
export const headHeight = 38
export const cardHeight = 48
export const exitHeight = 26
const [columnGap, rowGap] = [110, 36]

const rowHeight = ({ card, title, exits }: GraphNode['rows'][number]) =>
  (card !== undefined || title ? cardHeight : 0) + exits.length * exitHeight

export const nodeHeight = ({ rows }: GraphNode) =>
  headHeight + rows.reduce((sum, row) => sum + rowHeight(row), 0) + 8

/** Nodes at which a flow may begin. */
const firstTypes = ['start', 'entry', 'trigger', 'exception']

/** Returns the box of each node by its name. Boxes of placed nodes may overlap, the others do not. */
export function layOut({ flow, nodes }: Graph): Map<string, Box> {
  const boxes = new Map<string, Box>()
  const next = new Map(nodes.map((node) => [node.name, listNext(flow, node)]))
  const origins = toOrigins(next)
  let x = 0
  for (const column of toColumns(nodes, next)) {
    let y = 0
    for (const node of orderByOrigins(column, origins, boxes)) {
      const height = nodeHeight(node)
      boxes.set(node.name, { x, y, width: nodeWidth, height })
      y += height + rowGap
    }
    if (column.length > 0) x += nodeWidth + columnGap
  }
  for (const { name, position } of nodes)
    if (position) boxes.set(name, { ...boxes.get(name)!, ...position })
  return boxes
}

/** The height of a step with few cards. */
const newHeight = 150

/** Returns a free place to the right of a node. */
export function besideNode(
  name: string,
  boxes: Map<string, Box>,
): { x: number; y: number } {
  const from = boxes.get(name)!
  const x = from.x + nodeWidth + columnGap
  const inColumn = [...boxes.values()]
    .filter((box) => box.x < x + nodeWidth && x < box.x + box.width)
    .toSorted((one, other) => one.y - other.y)
  let { y } = from
  for (const box of inColumn)
    if (box.y < y + newHeight && y < box.y + box.height) y = box.y + box.height + rowGap
  return { x, y }
}

const listNext = (flow: string, { rows }: GraphNode) =>
  rows
    .flatMap(({ exits }) => exits)
    .flatMap(({ target }) =>
      target?.flow === flow && target.node !== undefined ? [target.node] : [],
    )

/** Returns the nodes that lead to each node. */
function toOrigins(next: Map<string, string[]>): Map<string, string[]> {
  const origins = new Map<string, string[]>()
  for (const [name, targets] of next)
    for (const target of targets) {
      const known = origins.get(target)
      if (known) known.push(name)
      else origins.set(target, [name])
    }
  return origins
}

/** A node is right of all nodes that lead to it, except for those that lead back. */
function toColumns(nodes: GraphNode[], next: Map<string, string[]>): GraphNode[][] {
  const isFirst = ({ type }: GraphNode) => firstTypes.includes(type)
  const roots = [...nodes.filter(isFirst), ...nodes].map(({ name }) => name)
  const { order, forward } = sortForward(roots, next)
  const depths = new Map<string, number>()
  for (const name of order) {
    const depth = depths.get(name) ?? 0
    depths.set(name, depth)
    for (const target of forward.get(name)!)
      depths.set(target, Math.max(depths.get(target) ?? 0, depth + 1))
  }
  const length = Math.max(0, ...depths.values()) + 1
  const columns = Array.from({ length }, (): GraphNode[] => [])
  for (const node of nodes) columns[depths.get(node.name)!]!.push(node)
  return columns
}

/**
 * Returns the names in an order in which each precedes its targets, and the targets without those that lead
 * back. Walks depth first, without recursion, because a chain may be long; the last exit first, because it
 * continues the normal way, and those above it leave or repeat it.
 */
function sortForward(roots: string[], next: Map<string, string[]>) {
  const forward = new Map<string, string[]>()
  const ended = new Set<string>()
  const order: string[] = []
  for (const root of roots) {
    const path = forward.has(root) ? [] : [root]
    while (path.length > 0) {
      const name = path.at(-1)!
      const targets = next.get(name)!.filter((target) => next.has(target))
      const fresh = targets.findLast((target) => target !== name && !forward.has(target))
      // Targets that the walk has entered but not left lead back.
      if (!forward.has(name)) forward.set(name, [])
      if (fresh !== undefined) {
        path.push(fresh)
        continue
      }
      path.pop()
      forward.set(
        name,
        targets.filter((target) => ended.has(target)),
      )
      ended.add(name)
      order.push(name)
    }
  }
  return { order: order.reverse(), forward }
}

/** By the mean height of the nodes in former columns that lead to them. */
function orderByOrigins(
  column: GraphNode[],
  origins: Map<string, string[]>,
  placed: Map<string, Box>,
): GraphNode[] {
  const toMean = ({ name }: GraphNode) => {
    const heights = (origins.get(name) ?? []).flatMap(
      (origin) => placed.get(origin)?.y ?? [],
    )
    if (heights.length === 0) return Number.POSITIVE_INFINITY
    return heights.reduce((sum, y) => sum + y, 0) / heights.length
  }
  const means = new Map(column.map((node) => [node, toMean(node)]))
  return column.toSorted((one, other) => {
    const [left, right] = [means.get(one)!, means.get(other)!]
    return left === right ? 0 : left - right
  })
}

/** Returns where the line of an exit begins: the height from the top of the node, by the exit's pointer. */
export function toPorts({ rows }: GraphNode): Map<string, number> {
  const ports = new Map<string, number>()
  let y = headHeight
  for (const row of rows) {
    const top = y + rowHeight(row) - row.exits.length * exitHeight
    for (const [index, { pointer }] of row.exits.entries())
      ports.set(pointer, top + (index + 0.5) * exitHeight)
    y += rowHeight(row)
  }
  return ports
}
