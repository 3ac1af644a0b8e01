import { expect, test } from 'vitest'
import { examine, rules, toMessages } from './house.js'

const queue = 'packages/server/src/core/queue'
const schema = 'export interface Schema {\n  delivery: Delivery\n  lane: Lane\n}\n'
const correct: Record<string, string> = {
  [`${queue}/index.ts`]: "export { openQueue } from './queue.ts'\n",
  [`${queue}/queue.ts`]: "import pg from 'pg'\ndb.insertInto('delivery')\n",
  [`${queue}/table-rules.ts`]:
    'export const tables = {\n  delivery: {},\n  lane: {\n  },\n}\n',
  'packages/server/src/features/handoffs/handoffs.ts':
    "import { openQueue } from '../../core/queue/index.ts'\n",
}
const find = (changes: Record<string, string> = {}) =>
  examine(
    Object.entries({ ...correct, ...changes }).map(([path, text]) => ({ path, text })),
    { schema },
  )
const none = {
  filesInCircles: [],
  modulesInCircles: [],
  packagesInCircles: [],
  coreToFeatures: [],
  pastDoors: [],
  foreignInContract: [],
  foreignInLib: [],
  sharedTables: [],
  undeclaredTables: [],
  spreadAtOnce: [],
}

test('accepts a feature that imports the door of a module', () => {
  expect(find()).toEqual(none)
})

test.each([
  "import { openQueue } from './queue.ts'",
  "import type { Queue } from './queue.ts'",
  "import {\n  type Queue,\n  openQueue,\n} from './queue.ts'",
  "import './queue.ts'",
  "export * from './queue.ts'",
  "const { openQueue } = await import('./queue.ts')",
  "const load = () => import('./queue.ts')",
  "type Queue = import('./queue.ts').Queue",
])('finds a circle through: %s', (text) => {
  const files = {
    [`${queue}/queue.ts`]: "import './lane.ts'\n",
    [`${queue}/lane.ts`]: `${text}\n`,
  }
  expect(find(files)).toEqual({
    ...none,
    filesInCircles: [`${queue}/lane.ts`, `${queue}/queue.ts`],
  })
})

test('finds no circle where a file imports another twice', () => {
  const text = "import './lane.ts'\nimport { other } from './other.ts'\n"
  const other = {
    [`${queue}/other.ts`]: "import './lane.ts'\n",
    [`${queue}/lane.ts`]: '',
  }
  expect(find({ [`${queue}/queue.ts`]: text, ...other })).toEqual(none)
})

test('finds imports past a door, and of features in the core', () => {
  const handoffs = 'packages/server/src/features/handoffs/handoffs.ts'
  const text = "import type { Handoff } from '../../features/handoffs/handoffs.ts'\n"
  expect(find({ 'packages/server/src/core/chat/chat.ts': text })).toEqual({
    ...none,
    coreToFeatures: [`packages/server/src/core/chat/chat.ts imports ${handoffs}`],
    pastDoors: [handoffs],
  })
})

test('finds modules that import each other by different files', () => {
  const files = {
    [`${queue}/lane.ts`]: "import '../bots/index.ts'\n",
    'packages/server/src/core/bots/index.ts': "export { Bot } from './bot.ts'\n",
    'packages/server/src/core/bots/bot.ts': '',
    'packages/server/src/core/bots/calls.ts': "import '../queue/index.ts'\n",
  }
  expect(find(files)).toEqual({ ...none, modulesInCircles: ['core/bots', 'core/queue'] })
})

test('finds a library in the contract', () => {
  const files = {
    'packages/contract/src/bots.ts':
      "import { Type } from 'typebox'\nimport { z } from 'zod'\n",
  }
  const finding = 'packages/contract/src/bots.ts imports zod'
  expect(find(files)).toEqual({ ...none, foreignInContract: [finding] })
})

test('finds packages that import each other through a third one', () => {
  const files = {
    'packages/sandbox/src/pool.ts': "import { a } from '@botstead/extraction'\n",
    'packages/extraction/src/a.ts': "import { folded } from '@botstead/flows/folding'\n",
    'packages/flows/src/folding.ts': "const { b } = await import('@botstead/sandbox')\n",
    'packages/sandbox/src/b.test.ts': "import '@botstead/server'\n",
    [`${queue}/queue.ts`]:
      "import { c } from '@botstead/sandbox'\ndb.insertInto('delivery')\n",
  }
  expect(find(files)).toEqual({
    ...none,
    packagesInCircles: ['extraction', 'flows', 'sandbox'],
  })
})

test('finds anything but Node in the library', () => {
  const files = {
    'packages/lib/src/ids.ts':
      "import { randomUUID } from 'node:crypto'\nimport pg from 'pg'\n",
  }
  expect(find(files)).toEqual({
    ...none,
    foreignInLib: ['packages/lib/src/ids.ts imports pg'],
  })
})

test('lets tests import any file', () => {
  const text = "import '../../core/queue/queue.ts'\n"
  expect(
    find({ 'packages/server/src/features/handoffs/handoffs.test.ts': text }),
  ).toEqual(none)
})

test.each([
  "db.deleteFrom('delivery')",
  "  .updateTable('delivery')",
  '`with gone as (delete from delivery where id = $1)`',
  '`update "delivery" set failed = true`',
])('finds a second writer of a table: %s', (text) => {
  expect(find({ 'packages/server/src/core/bots/bots.ts': `${text}\n` })).toEqual({
    ...none,
    sharedTables: ['delivery: core/bots', 'delivery: core/queue'],
  })
})

test('takes a comment for no writer', () => {
  const text = '// The queue runs "update delivery".\n'
  expect(find({ 'packages/server/src/core/bots/bots.ts': text })).toEqual(none)
})

test('finds a table without rules, and one with rules of two modules', () => {
  const text = 'export const tables = {\n  lane: {\n  },\n}\n'
  expect(find({ [`${queue}/table-rules.ts`]: text })).toEqual({
    ...none,
    undeclaredTables: ['delivery'],
  })
  expect(find({ 'packages/server/src/core/bots/table-rules.ts': text })).toEqual({
    ...none,
    undeclaredTables: ['lane'],
  })
})

test('finds a table with rules of a module that does not write it', () => {
  const text = "db.insertInto('lane')\n"
  expect(
    find({ 'packages/server/src/core/bots/bots.ts': text }).undeclaredTables,
  ).toEqual(['lane'])
})

test('names each finding with its remedy', () => {
  expect(toMessages({ ...none, undeclaredTables: ['lane', 'bot'] })).toEqual([
    `lane: ${rules.undeclaredTables}`,
    `bot: ${rules.undeclaredTables}`,
  ])
})

test('rejects objects and lists that are spread where they are written, also in tests', () => {
  const sources = [
    { path: 'packages/flows/src/a.test.ts', text: 'call({\n  ...{ a, b },\n})\n' },
    {
      path: 'packages/flows/src/b.ts',
      text: 'call({\n  ...rest,\n  ...(a && { b }),\n})\n',
    },
    { path: 'docs/a.md', text: '  ...{ a, b },\n' },
  ]
  expect(examine(sources, { schema: '' }).spreadAtOnce).toEqual([
    'packages/flows/src/a.test.ts',
  ])
})
