import { expect, test } from 'vitest'
import { findWrongImports } from './imports.js'

const table = `<!-- imports -->
| Who | May import |
|---|---|
| \`api\` | \`modules/bots\` \`infra/db\` |
| \`modules/bots\` | \`infra/db\` |
| \`infra/db\` | nothing |
<!-- /imports -->`
const path = 'packages/server/src/modules/bots/bots.ts'
const correct: Record<string, string> = {
  'packages/server/src/api/bots.ts':
    "import { findBot } from '../modules/bots/bots.ts'\nimport '../infra/db/open.ts'\n",
  [path]: "import type {\n  Database,\n} from '../../infra/db/open.ts'\n",
  'packages/server/src/infra/db/open.ts': "import pg from 'pg'\nimport './types.ts'\n",
  'packages/contract/src/bots.ts':
    "import { Type } from 'typebox'\nimport { id } from './ids.ts'\n",
}
const find = (
  changes: Record<string, string> = {},
  { architecture = table, serverEntries = ['api', 'infra', 'modules'] } = {},
) =>
  findWrongImports(
    Object.entries({ ...correct, ...changes }).map(([path, text]) => ({ path, text })),
    { architecture, serverEntries },
  )

test('accepts imports that the table allows', () => {
  expect(find()).toEqual([])
})

test.each([
  "import { listBots } from '../../api/bots.ts'",
  "import type { Bots } from '../../api/bots.ts'",
  "import {\n  type Bots,\n  listBots,\n} from '../../api/bots.ts'",
  "import '../../api/bots.ts'",
  "export * from '../../api/bots.ts'",
  "const { listBots } = await import('../../api/bots.ts')",
  "type Bots = import('../../api/bots.ts').Bots",
])('finds an import that the table does not allow: %s', (text) => {
  expect(find({ [path]: `${correct[path]}${text}\n` })).toEqual([
    `${path}: modules/bots may not import api`,
  ])
})

test('finds an import of another package by its path', () => {
  const text = `${correct[path]}import '../../../../contract/src/bots.ts'\n`
  expect(find({ [path]: text })).toEqual([`${path}: modules/bots may not import ..`])
})

test('finds a cycle that the table allows', () => {
  const architecture = table.replace('| nothing |', '| `modules/bots` |')
  const text = "import '../../modules/bots/bots.ts'\n"
  expect(find({ 'packages/server/src/infra/db/open.ts': text }, { architecture })).toEqual([
    'ARCHITECTURE.md: infra/db imports modules/bots, which is not in a row below it',
  ])
})

test('finds an entry of the table that no import uses', () => {
  expect(find({ 'packages/server/src/api/bots.ts': "import '../infra/db/open.ts'\n" })).toEqual([
    'ARCHITECTURE.md: api does not import modules/bots: remove it from the table',
  ])
})

test('finds folders that are not in the table, and rows without a folder', () => {
  expect(find({ 'packages/server/src/modules/catalog/icons/icons.ts': '' })).toEqual([
    'ARCHITECTURE.md: add modules/catalog/icons to the table of imports',
  ])
  const architecture = table.replace('| `infra/db` | n', '| `infra/db`, `infra/queue` | n')
  expect(find({}, { architecture })).toEqual([
    'ARCHITECTURE.md: remove infra/queue from the table of imports: it does not exist',
  ])
})

test('finds another entry beside the folders of the server', () => {
  expect(find({}, { serverEntries: ['api', 'modules', 'utils'] })).toEqual([
    'packages/server/src/utils: move it into one of: api, app, http, index.ts, infra, modules',
  ])
})

test('finds a library of the contract other than typebox', () => {
  const file = 'packages/contract/src/bots.ts'
  expect(find({ [file]: "import { readFile } from 'node:fs'\n" })).toEqual([
    `${file}: the contract may not import node:fs`,
  ])
})

test('leaves tests out', () => {
  expect(
    find({ 'packages/server/src/infra/db/open.test.ts': "import '../../api/bots.ts'\n" }),
  ).toEqual([])
})

test('throws without a table', () => {
  expect(() => find({}, { architecture: '# Architecture' })).toThrow('has no table')
})
