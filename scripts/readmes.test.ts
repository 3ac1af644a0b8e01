// Checks the documents that say where code is: each feature and each module of the server's core has a short
// README, which names its tables, and the paths that these files and ARCHITECTURE.md name exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../packages/server/test/support/documents.ts'
import { expandBraces, listModules, listNamedTests } from './tests/subjects.js'

const server = 'packages/server/src/'
const maxLines = 15

const foldersIn = (folder: string) =>
  readdirSync(repository + folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)

const modules = listModules()
const written = modules.filter((folder) => existsSync(`${repository}${folder}/README.md`))
const documents = [
  'ARCHITECTURE.md',
  'packages/flows/README.md',
  ...written.map((folder) => `${folder}/README.md`),
]

/** They also name files without their folder. */
const guides = ['CONTRIBUTING.md', 'packages/dashboard/README.md']

const read = (path: string) => readFileSync(repository + path, 'utf8')

/** Returns the paths in inline code, with those of `a/{b,c}.ts` apart. Addresses begin with a slash. */
const listPaths = (text: string) =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, code]) => code!)
    .filter((code) => /^[\w.{][\w.{},/-]*$/.test(code))
    .filter((code) => code.includes('/') || /\.(?:[jt]sx?|json|md|sql)$/.test(code))
    .flatMap(expandBraces)

/** Paths are relative to the document, the server's sources or the repository. */
const findsNothing = (document: string) => (path: string) =>
  !['', server, `${dirname(document)}/`].some((base) =>
    existsSync(repository + base + path),
  )

const listMissing = (document: string, text: string) =>
  listPaths(text)
    .filter(findsNothing(document))
    .map((path) => `${document}: ${path}`)

test('each feature and each module of the core has a README', () => {
  expect(modules.length).toBeGreaterThan(40)
  expect(modules.filter((folder) => !written.includes(folder))).toEqual([])
})

test('READMEs of features and modules have at most 15 lines', () => {
  const lines = (folder: string) => read(`${folder}/README.md`).trimEnd().split('\n')
  expect(written.filter((folder) => lines(folder).length > maxLines)).toEqual([])
  expect(
    written.filter((folder) => lines(folder).some((line) => line.length > 120)),
  ).toEqual([])
})

test('paths in READMEs and in ARCHITECTURE.md exist', () => {
  expect(documents.flatMap((document) => listMissing(document, read(document)))).toEqual(
    [],
  )
  expect(
    documents.flatMap((document) => listPaths(read(document))).length,
  ).toBeGreaterThan(300)
})

test('paths with a known top folder in the guides for developers exist', () => {
  const isWhole = (path: string) =>
    /^(?:packages|scripts|conformance|tools|docs|core|features|app|src)\//.test(path)
  const missing = guides.flatMap((guide) =>
    listPaths(read(guide)).filter(findsNothing(guide)),
  )
  expect(missing.filter(isWhole)).toEqual([])
  expect(
    guides.flatMap((guide) => listPaths(read(guide))).filter(isWhole).length,
  ).toBeGreaterThan(40)
})

test('paths that do not exist are found, also in braces', () => {
  const text =
    'Rules: `core/queue/{queue,quue}.ts`, `lanes.ts`, `GET /v1/bots`, `core/queue/`.'
  expect(listMissing(`${server}core/queue/README.md`, text)).toEqual([
    `${server}core/queue/README.md: core/queue/quue.ts`,
    `${server}core/queue/README.md: lanes.ts`,
  ])
})

/** Returns the tables of a module, by the keys of its rules. */
function listTables(folder: string): string[] {
  const path = `${folder}/table-rules.ts`
  if (!existsSync(repository + path)) return []
  const [, rules = ''] = read(path).split('export const tables')
  return [...rules.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!)
}

test('a README names the tables that its module owns', () => {
  const unnamed = written.flatMap((folder) =>
    listTables(folder)
      .filter((table) => !read(`${folder}/README.md`).includes(`\`${table}\``))
      .map((table) => `${folder}: ${table}`),
  )
  expect(unnamed).toEqual([])
  expect(modules.flatMap(listTables).length).toBeGreaterThan(80)
})

test('a README of a feature names the definitions of the operations that it handles', () => {
  const unnamed = foldersIn(`${server}features`)
    .filter((folder) => written.includes(folder))
    .flatMap((folder) => listDefinitions(folder).map((path) => ({ folder, path })))
    .filter(({ folder, path }) => !listPaths(read(`${folder}/README.md`)).includes(path))
  expect(unnamed).toEqual([])
  expect(listDefinitions(`${server}features/handoffs`)).toContain(
    'packages/contract/src/platform/conversations/handoffs.ts',
  )
})

/** Returns the files of the contract that belong to the feature's handlers, by family and resource. */
function listDefinitions(folder: string): string[] {
  const list = `${folder}/api/handlers.gen.ts`
  if (!existsSync(repository + list)) return []
  const contract = [
    ...read('packages/contract/src/registry.gen.ts').matchAll(/'\.\/([^']+)'/g),
  ]
  const handlers = [...read(list).matchAll(/'\.\/([\w-]+)\/([\w-]+\.ts)'/g)]
  return handlers.map(([, family, file]) => {
    const found = contract.find(
      ([, path]) => path!.startsWith(`${family}/`) && path!.endsWith(`/${file}`),
    )
    return `packages/contract/src/${found?.[1]}`
  })
}

test('a README of a module or feature names its tests', () => {
  expect(
    written.filter((folder) => !read(`${folder}/README.md`).includes('Tests:')),
  ).toEqual([])
})

test('READMEs of modules and features name each test of the API on a whole server', () => {
  const named = written.flatMap(listNamedTests)
  const folder = 'packages/server/test/api'
  const files = readdirSync(repository + folder).filter((name) =>
    name.endsWith('.test.ts'),
  )
  expect(
    files.map((name) => `${folder}/${name}`).filter((path) => !named.includes(path)),
  ).toEqual([])
  expect(files.length).toBeGreaterThan(10)
})
