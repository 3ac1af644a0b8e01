import { expect, test } from 'vitest'
import type { Graph, GraphNode } from './flow-graph.ts'
import { type Box, layOut, nodeHeight } from './layout.ts'

const toNode = (
  name: string,
  next: string[],
  type = 'standard',
  cards = 1,
): GraphNode => ({
  name,
  type,
  position: undefined,
  rows: [
    ...Array.from({ length: cards }, (_, card) => ({
      card,
      title: 'Message',
      text: '',
      exits: [],
    })),
    {
      title: '',
      text: '',
      exits: next.map((node) => ({
        pointer: `${name} ${node}`,
        label: '',
        target: { flow: 'main', node },
      })),
    },
  ],
})

const layOutMain = (nodes: GraphNode[]) => layOut({ flow: 'main', nodes } satisfies Graph)

function findOverlap(boxes: Box[]) {
  const overlap = (one: Box, other: Box) =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  return boxes.find((one, index) =>
    boxes.slice(index + 1).some((other) => overlap(one, other)),
  )
}

test('places each node right of the nodes that lead to it first', () => {
  const boxes = layOutMain([
    toNode('end', []),
    toNode('start', ['middle'], 'start'),
    toNode('middle', ['end', 'start']),
  ])
  const x = (name: string) => boxes.get(name)!.x
  expect(x('start')).toBeLessThan(x('middle'))
  expect(x('middle')).toBeLessThan(x('end'))
})

test('places a node right of all nodes that lead to it, except for those that lead back', () => {
  const boxes = layOutMain([
    toNode('start', ['sorry', 'ask', 'start'], 'start'),
    toNode('sorry', ['start']),
    toNode('ask', ['sorry']),
    toNode('island', []),
  ])
  const columns = ['start', 'island', 'ask', 'sorry'].map((name) => boxes.get(name)!.x)
  expect(columns).toEqual([0, 0, columns[2], columns[2]! * 2])
})

test('follows the last exit: a form is a row, although a step may skip the others', () => {
  const boxes = layOutMain([
    toNode('name', ['confirm', 'email'], 'entry'),
    toNode('confirm', ['name', 'email', 'store']),
    toNode('store', []),
    toNode('email', ['confirm', 'confirm']),
  ])
  const inOrder = ['name', 'email', 'confirm', 'store'].map((name) => boxes.get(name)!.x)
  expect(inOrder).toEqual([0, 1, 2, 3].map((column) => column * inOrder[1]!))
})

test('keeps positions that the author chose', () => {
  const placed = { ...toNode('start', [], 'start'), position: { x: -70, y: 12 } }
  expect(layOutMain([placed]).get('start')).toMatchObject({ x: -70, y: 12 })
})

test('lays 500 nodes with 2,500 cards out without overlaps', () => {
  const nodes = Array.from({ length: 500 }, (_, index) =>
    toNode(
      `n${index}`,
      [`n${(index * 7 + 1) % 500}`, `n${index + 1}`],
      index ? 'standard' : 'start',
      5,
    ),
  )
  const boxes = layOutMain(nodes)
  expect(boxes.size).toBe(500)
  expect(findOverlap([...boxes.values()])).toBeUndefined()
  expect(boxes.get('n3')!.height).toBe(nodeHeight(nodes[3]!))
})
