// Finds the modules that write a table. A table has one owner: the module that writes it, and states in its
// table-rules.ts the table's rules: its tenant, its retention, its data of persons, its encrypted columns.
import { server, toModule } from './modules.js'

const comments = /^\s*(?:\/\/|\/?\*).*$/gm
const writes = [
  /\b(?:insert into|update|delete from)\s+"?([a-z_]+)/g,
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*'([a-z_]+)/g,
]
const declaredTable = /^ {2}([a-z_]+): \{/gm

/** Returns the names of all tables, from the text of the generated row types. */
export const readTables = (schema) =>
  [
    ...(/export interface Schema \{(.*?)^\}/ms.exec(schema)?.[1] ?? '').matchAll(
      /^ {2}([a-z_]+):/gm,
    ),
  ].map(([, name]) => name)

/** Returns `<table>: <module>` for each writer of a table with several. */
export const findSharedTables = (sources, tables) =>
  [...findWriters(sources, tables)]
    .filter(([, modules]) => modules.size > 1)
    .flatMap(([table, modules]) => [...modules].map((module) => `${table}: ${module}`))

/** Returns the modules that write each table. Triggers write the tables without one. */
function findWriters(sources, tables) {
  const writers = new Map(tables.map((table) => [table, new Set()]))
  for (const { path, text } of sources.filter((source) => source.path.startsWith(server)))
    for (const table of findWritten(text)) writers.get(table)?.add(toModule(path))
  return writers
}

function findWritten(text) {
  const code = text.replace(comments, '')
  return writes.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, table]) => table),
  )
}

/** Returns the tables that are not in exactly one table-rules.ts, or not in that of a module that writes them. */
export function findUndeclared(sources, tables) {
  const writers = findWriters(sources, tables)
  const owners = sources
    .filter(({ path }) => path.startsWith(server) && path.endsWith('/table-rules.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaredTable)].map(([, table]) => ({
        table,
        module: toModule(path),
      })),
    )
  return tables.filter((name) => {
    const [owner, ...others] = owners.filter(({ table }) => table === name)
    const modules = writers.get(name)
    return !owner || others.length > 0 || (modules.size > 0 && !modules.has(owner.module))
  })
}
