// Checks the imports inside the server against the table of ARCHITECTURE.md: a folder imports only
// from folders that the table allows, and all of them are in rows below its own, so there are no
// cycles. Imports of types count like others.
import { posix } from 'node:path'

const server = 'packages/server/src'
const contract = 'packages/contract/src'
const entries = ['api', 'app', 'http', 'index.ts', 'infra', 'modules']
const isChecked = /^packages\/(?:server|contract)\/src\/.*(?<!\.test)\.ts$/
const imported =
  /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm

/**
 * Returns the findings in sources: `{ path, text }`. `architecture` is the text of ARCHITECTURE.md,
 * `serverEntries` the names in the server's folder of sources.
 */
export function findWrongImports(sources, { architecture, serverEntries }) {
  const table = readTable(architecture)
  const checked = sources.filter(({ path }) => isChecked.test(path))
  const serverSources = checked.filter(({ path }) => path.startsWith(server))
  const imports = serverSources.flatMap(importsOfFolders)
  return [
    ...unknownEntries(serverEntries),
    ...unlistedFolders(table, serverSources),
    ...forbidden(table, imports),
    ...unused(table, imports),
    ...upwards(table),
    ...foreignInContract(checked.filter(({ path }) => path.startsWith(contract))),
  ]
}

/** Returns a map from each folder to the folders that it may import, in the order of the rows. */
function readTable(architecture) {
  const [, text] = /<!-- imports -->(.*?)<!-- \/imports -->/s.exec(architecture) ?? []
  if (!text) throw new Error('ARCHITECTURE.md has no table between <!-- imports --> marks')
  const rows = [...text.matchAll(/^\| (`[^|]+`) \| ([^|]*) \|/gm)]
  return new Map(rows.flatMap(([, from, to]) => namesIn(from).map((name) => [name, namesIn(to)])))
}

const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

/** Returns the imports of files in other folders. */
function importsOfFolders(source) {
  return importsOf(source)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({
      path: source.path,
      from: folderOf(source.path),
      to: folderOf(posix.join(posix.dirname(source.path), name)),
    }))
    .filter(({ from, to }) => from !== to)
}

const importsOf = ({ text }) =>
  [...text.matchAll(imported)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic)

/**
 * Returns the folder of a file in the table. Each folder of `modules` and `infra` is listed
 * separately; `catalog` and `reports` only group folders.
 */
function folderOf(path) {
  const [first, second, third] = posix.relative(server, path).split('/')
  if (second === undefined) return first.replace(/\.ts$/, '')
  if (first !== 'modules' && first !== 'infra') return first
  const isGroup = second === 'catalog' || second === 'reports'
  return isGroup ? `${first}/${second}/${third}` : `${first}/${second}`
}

const unknownEntries = (serverEntries) =>
  serverEntries
    .filter((name) => !entries.includes(name))
    .map((name) => `${server}/${name}: move it into one of: ${entries.join(', ')}`)

function unlistedFolders(table, sources) {
  const folders = new Set(sources.map(({ path }) => folderOf(path)))
  const unlisted = [...folders].filter((folder) => !table.has(folder))
  const missing = [...table.keys()].filter((folder) => !folders.has(folder))
  return [
    ...unlisted.map((folder) => `ARCHITECTURE.md: add ${folder} to the table of imports`),
    ...missing.map(
      (folder) => `ARCHITECTURE.md: remove ${folder} from the table of imports: it does not exist`,
    ),
  ]
}

const forbidden = (table, imports) =>
  imports
    .filter(({ from, to }) => !table.get(from)?.includes(to))
    .map(({ path, from, to }) => `${path}: ${from} may not import ${to}`)

function unused(table, imports) {
  const used = new Set(imports.map(({ from, to }) => `${from} ${to}`))
  return allowed(table)
    .filter(([from, to]) => !used.has(`${from} ${to}`))
    .map(([from, to]) => `ARCHITECTURE.md: ${from} does not import ${to}: remove it from the table`)
}

function upwards(table) {
  const rows = [...table.keys()]
  return allowed(table)
    .filter(([from, to]) => rows.indexOf(to) <= rows.indexOf(from))
    .map(([from, to]) => `ARCHITECTURE.md: ${from} imports ${to}, which is not in a row below it`)
}

const allowed = (table) => [...table].flatMap(([from, all]) => all.map((to) => [from, to]))

/** The contract runs anywhere, so it imports only typebox. */
const foreignInContract = (sources) =>
  sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => !name.startsWith('.') && name !== 'typebox')
      .map((name) => `${source.path}: the contract may not import ${name}`),
  )
