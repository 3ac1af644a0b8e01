// The import rule. Its table is the one in ARCHITECTURE.md: this test reads it there, so that the two cannot differ.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
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

/** The folder, or for the files at the top their own name. */
const placeOf = (file: string) => {
  const [first, second] = relative(sources, file).split('/')
  return second === undefined ? first!.replace(/\.ts$/, '') : first!
}

const rules = readTable()

test('every folder of the server is in the table', () => {
  const places = new Set(filesIn(sources).map(placeOf))
  expect([...places].filter((place) => !rules.has(place))).toEqual([])
})

test('nobody imports what the table does not allow', () => {
  const broken: string[] = []
  for (const file of filesIn(sources)) {
    const place = placeOf(file)
    for (const name of importsOf(file).filter((name) => name.startsWith('.'))) {
      const target = placeOf(join(dirname(file), name))
      if (target !== place && !rules.get(place)?.has(target))
        broken.push(`${relative(sources, file)} imports ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test('the contract imports typebox and nothing else', () => {
  const names = filesIn(join(root, 'packages/contract/src'))
    .flatMap(importsOf)
    .filter((name) => !name.startsWith('.'))
  expect([...new Set(names)]).toEqual(['typebox'])
})
