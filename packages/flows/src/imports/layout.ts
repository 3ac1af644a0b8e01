// Moves steps down that would lie over others: other builders show smaller boxes than the page Flows.
import type { FlowNode } from '../document/document.ts'

/** Sizes of the page Flows (packages/dashboard/src/features/studio/flows/layout.ts). */
const [width, headHeight, cardHeight, exitHeight, gap] = [250, 46, 48, 26, 36]

/** Of the document's schema. */
const maxCoordinate = 1_000_000

interface Box {
  x: number
  y: number
  height: number
}

type Position = { x: number; y: number }

/** Ways out are lines below their card, and below the last one. */
function toHeight({ cards = [], ...node }: FlowNode): number {
  const exits = [node, ...cards].reduce((sum, part) => sum + countTargets(part), 0)
  const rows = cards.length + (node.type === 'agent' ? rowsOfAgent : 0)
  return headHeight + rows * cardHeight + exits * exitHeight
}

/** Its instructions, tools and exits. */
const rowsOfAgent = 3

const isTarget = (name: string) => /^(?:to|next|flow|otherwise|on[A-Z].*)$/.test(name)

/** Returns how many fields lead to another step, also in lists of ways. */
const countTargets = (part: object): number =>
  Object.entries(part).reduce((sum, [name, value]) => {
    if (isTarget(name)) return sum + 1
    const ways =
      name === 'transitions' || name === 'exits' ? Object.values(value as object) : []
    return sum + ways.length
  }, 0)

const isBeside = (one: Box, other: Box) => Math.abs(one.x - other.x) < width + gap
const isOver = (one: Box, other: Box) =>
  isBeside(one, other) &&
  one.y < other.y + other.height + gap &&
  other.y < one.y + one.height + gap

type PlacedNode = FlowNode & { position: Position }

const isPlaced = (node: FlowNode): node is PlacedNode => node.position !== undefined

/** Steps that the source does not have stand right of all others. */
function placeOthers(nodes: FlowNode[]): void {
  const known = nodes.filter(isPlaced).map(({ position }) => position)
  if (known.length === 0) return
  const x =
    known.reduce((max, position) => Math.max(max, position.x), -maxCoordinate) + 2 * width
  const y = known.reduce((min, position) => Math.min(min, position.y), maxCoordinate)
  for (const node of nodes)
    if (!isPlaced(node)) node.position = { x: Math.min(x, maxCoordinate), y }
}

/** Changes the positions of a flow that has such. From above to below, each step keeps its column. */
export function spreadNodes(nodes: Record<string, FlowNode>): void {
  placeOthers(Object.values(nodes))
  const placed: Box[] = []
  const sorted = Object.values(nodes)
    .filter(isPlaced)
    .sort(
      (one, other) =>
        one.position.y - other.position.y || one.position.x - other.position.x,
    )
  const isSpread = sorted.every((node) => {
    const box = { ...node.position, height: toHeight(node) }
    return !placed.some((other) => isOver(box, other)) && placed.push(box)
  })
  if (isSpread) return
  placed.length = 0
  for (const node of sorted) {
    const box = { ...node.position, height: toHeight(node) }
    const column = placed.filter((other) => isBeside(box, other))
    for (const other of column.sort((one, two) => one.y - two.y))
      if (isOver(box, other)) box.y = other.y + other.height + gap
    node.position = { x: box.x, y: Math.min(box.y, maxCoordinate) }
    placed.push(box)
  }
}
