// The import rule. Its table is the one in ARCHITECTURE.md: this test reads it there, so that the two cannot differ.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sources = join(root, 'packages/server/src')

/** Rows of the table `| who | may import |`, between the two marks. */
function readTable(): Map<string, Set<string>> {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const table = text.slice(text.indexOf('<!-- imports -->'), text.indexOf('<!-- /imports -->'))
  const rows = [...table.matchAll(/^\| `([^|]+)` \| ([^|]*) \|/gm)]
  return new Map(
    rows.flatMap(([, who, may]) =>
      who!
        .split('`, `')
        .map((name) => [name, new Set([...may!.matchAll(/`([^`]+)`/g)].map(([, word]) => word!))] as const),
    ),
  )
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))

const importsOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map((found) => found[1] ?? found[2] ?? found[3]!)

/** Folders of `modules` and `infra` count by themselves; `catalog` and `reports` only group them. */
const roomOf = (file: string) => {
  const [first, second, third] = relative(sources, file).split('/')
  if (second === undefined) return first!.replace(/\.ts$/, '')
  if (first !== 'modules' && first !== 'infra') return first!
  return second === 'catalog' || second === 'reports' ? `${first}/${second}/${third}` : `${first}/${second}`
}

const rules = readTable()

/** Files by the import that they have, `from` one folder `to` another. */
const imports = filesIn(sources).flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({
      file: relative(sources, file),
      from: roomOf(file),
      to: roomOf(join(dirname(file), name)),
    }))
    .filter(({ from, to }) => from !== to),
)

test('every folder of the server is in the table', () => {
  const rooms = new Set(filesIn(sources).map(roomOf))
  expect([...rooms].filter((room) => !rules.has(room))).toEqual([])
  expect([...rules.keys()].filter((room) => !rooms.has(room))).toEqual([])
})

test('no file imports what the table does not allow', () => {
  const broken = imports.filter(({ from, to }) => !rules.get(from)?.has(to))
  expect(broken.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})

test('every allowance of the table is used', () => {
  const used = new Set(imports.map(({ from, to }) => `${from} imports ${to}`))
  const allowed = [...rules].flatMap(([from, may]) => [...may].map((to) => `${from} imports ${to}`))
  expect(allowed.filter((one) => !used.has(one))).toEqual([])
})

test('folders import only from rows below, so that there is no cycle', () => {
  const rows = [...rules.keys()]
  const upwards = [...rules].flatMap(([from, may]) =>
    [...may].filter((to) => rows.indexOf(to) <= rows.indexOf(from)).map((to) => `${from} imports ${to}`),
  )
  expect(upwards).toEqual([])
})

test('the contract imports typebox and nothing else', () => {
  const names = filesIn(join(root, 'packages/contract/src'))
    .flatMap(importsOf)
    .filter((name) => !name.startsWith('.'))
  expect([...new Set(names)]).toEqual(['typebox'])
})
