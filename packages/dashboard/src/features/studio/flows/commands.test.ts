import { applyEdits } from '@botstead/flows/document-edits'
import { expect, test } from 'vitest'
import type { Edit } from '../draft/edits.ts'
import type { Json } from './bot-document.ts'
import {
  addNode,
  connect,
  copyNodes,
  deleteNodes,
  insertCard,
  pasteNodes,
  readCopied,
  renameNode,
} from './commands.ts'

const document = {
  triggers: { daily: { type: 'schedule', cron: '0 9 * * *', flow: 'main', node: 'ask' } },
  flows: {
    main: {
      nodes: {
        start: { type: 'start', next: 'ask' },
        ask: { type: 'standard', cards: [{ type: 'goTo', to: 'start' }] },
      },
    },
    other: {
      nodes: { begin: { type: 'entry', next: { flow: 'main', node: 'ask' } } },
    },
  },
}

const apply = (edits: Edit[]) => applyEdits(document, edits) as typeof document & Json

test('renames a node with all references to it, and keeps its place', () => {
  const renamed = apply(renameNode(document, 'main', 'ask', 'question'))
  expect(Object.keys(renamed.flows.main.nodes)).toEqual(['start', 'question'])
  expect(renamed.flows.main.nodes.start.next).toBe('question')
  expect(renamed.flows.other.nodes.begin.next).toEqual({ flow: 'main', node: 'question' })
  expect(renamed.triggers.daily.node).toBe('question')
})

test('inserts a card into a node without cards', () => {
  const edits = insertCard(document, 'main', 'start', 0, { type: 'send', message: 'Hi' })
  expect(apply(edits).flows.main.nodes.start).toMatchObject({
    cards: [{ type: 'send', message: 'Hi' }],
  })
})

test('adds a node under a free name, and leads a way out to it', () => {
  const { name, edits } = addNode(document, 'main', { position: { x: 1.4, y: 2 } }, 'ask')
  expect(name).toBe('ask2')
  const target = { flow: 'main', node: name }
  const added = apply([
    ...edits,
    ...connect('/flows/main/nodes/start/next', 'main', target),
  ])
  expect(added.flows.main.nodes).toMatchObject({
    start: { next: 'ask2' },
    ask2: { type: 'standard', cards: [], position: { x: 1, y: 2 } },
  })
})

test('pastes copies whose references lead to each other, with one start', () => {
  const copied = copyNodes(document, 'main', ['start', 'ask'])
  const read = readCopied(JSON.stringify(copied))
  const { names, edits } = pasteNodes(
    document,
    'main',
    (read as typeof copied & { nodes: never }).nodes,
  )
  expect(names).toEqual(['start2', 'ask2'])
  expect(apply(edits).flows.main.nodes).toMatchObject({
    start2: { type: 'standard', next: 'ask2' },
    ask2: { cards: [{ type: 'goTo', to: 'start2' }] },
  })
})

test('reads no other text of the clipboard', () => {
  for (const text of ['', 'Hello', '{}', '[]', '{"botstead":"nodes","nodes":{"a":1}}'])
    expect(readCopied(text)).toBeNull()
})

test('deletes nodes', () => {
  expect(Object.keys(apply(deleteNodes('main', ['ask'])).flows.main.nodes)).toEqual([
    'start',
  ])
})
