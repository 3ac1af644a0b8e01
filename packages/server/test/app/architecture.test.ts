// The import rule. This test reads its table from ARCHITECTURE.md, so the two cannot differ.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sources = join(root, 'packages/server/src')

/** Reads the rows of the table `| folders | may import |` between the two marks. */
function readTable(): Map<string, Set<string>> {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const table = text.slice(text.indexOf('<!-- imports -->'), text.indexOf('<!-- /imports -->'))
  const rows = [...table.matchAll(/^\| `([^|]+)` \| ([^|]*) \|/gm)]
  return new Map(
    rows.flatMap(([, folders, may]) =>
      folders!
        .split('`, `')
        .map(
          (name) =>
            [name, new Set([...may!.matchAll(/`([^`]+)`/g)].map(([, word]) => word!))] as const,
        ),
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

/**
 * Returns the folder of a file in the table. Each folder of `modules` and `infra` is listed
 * separately; `catalog` and `reports` only group folders.
 */
const folderOf = (file: string) => {
  const [first, second, third] = relative(sources, file).split('/')
  if (second === undefined) return first!.replace(/\.ts$/, '')
  if (first !== 'modules' && first !== 'infra') return first!
  return second === 'catalog' || second === 'reports'
    ? `${first}/${second}/${third}`
    : `${first}/${second}`
}

const rules = readTable()

/** Imports of files, `from` one folder `to` another. */
const imports = filesIn(sources).flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({
      file: relative(sources, file),
      from: folderOf(file),
      to: folderOf(join(dirname(file), name)),
    }))
    .filter(({ from, to }) => from !== to),
)

test('lists every folder of the server in the table', () => {
  const folders = new Set(filesIn(sources).map(folderOf))
  expect([...folders].filter((folder) => !rules.has(folder))).toEqual([])
  expect([...rules.keys()].filter((folder) => !folders.has(folder))).toEqual([])
})

test('imports only folders that the table allows', () => {
  const broken = imports.filter(({ from, to }) => !rules.get(from)?.has(to))
  expect(broken.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})

test('uses every import that the table allows', () => {
  const used = new Set(imports.map(({ from, to }) => `${from} imports ${to}`))
  const allowed = [...rules].flatMap(([from, may]) => [...may].map((to) => `${from} imports ${to}`))
  expect(allowed.filter((one) => !used.has(one))).toEqual([])
})

test('imports only from rows below, so that there are no cycles', () => {
  const rows = [...rules.keys()]
  const upwards = [...rules].flatMap(([from, may]) =>
    [...may]
      .filter((to) => rows.indexOf(to) <= rows.indexOf(from))
      .map((to) => `${from} imports ${to}`),
  )
  expect(upwards).toEqual([])
})

test('imports only typebox in the contract', () => {
  const names = filesIn(join(root, 'packages/contract/src'))
    .flatMap(importsOf)
    .filter((name) => !name.startsWith('.'))
  expect([...new Set(names)]).toEqual(['typebox'])
})
