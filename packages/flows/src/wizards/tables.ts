// The table of a dialogue: a new one, or an existing one with chosen columns. Missing columns are added.
import { escapePointer } from '../document/pointer.ts'
import { isObject, type Json } from '../edits/edit.ts'
import { toObject } from '../texts/catalogue.ts'
import type { KnownColumn, KnownTable, TableChoice } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { takeName, toTableName } from './names.ts'

/** A value that a dialogue stores. */
export interface StoredPart {
  /** Id of the question or part. */
  id: string
  /** Name of a new column. */
  name: string
  column: Json & KnownColumn
  /** Expression of the value. */
  value?: string
}

const idOfUser: StoredPart = {
  id: 'user',
  name: 'user',
  column: { type: 'string', 'x-zui': { userId: true } },
  value: 'event.userId',
}

/** A table may be described by a JSON Schema, or by its properties alone. */
const findProperties = (schema: unknown): { columns: Json; path: string[] } => {
  const { type, properties } = toObject(schema)
  return type === 'object' || isObject(properties)
    ? { columns: toObject(properties), path: ['schema', 'properties'] }
    : { columns: toObject(schema), path: ['schema'] }
}

const toColumn = (schema: unknown): KnownColumn => {
  const { type, format } = toObject(schema)
  return { type: String(type ?? 'string'), ...(typeof format === 'string' && { format }) }
}

/** Returns the tables of the document, then those of the bot that the document does not have. */
export function listTables(document: Json, others: KnownTable[]): KnownTable[] {
  const declared = Object.entries(toObject(document.tables)).map(
    ([name, table]): KnownTable => {
      const { schema, keyColumn } = toObject(table)
      const columns = Object.entries(findProperties(schema).columns)
      return {
        name,
        ...(typeof keyColumn === 'string' && { keyColumn }),
        columns: Object.fromEntries(
          columns.map(([column, one]) => [column, toColumn(one)]),
        ),
      }
    },
  )
  const names = new Set(declared.map(({ name }) => name))
  return [...declared, ...others.filter(({ name }) => !names.has(name))]
}

export interface UsedTable {
  name: string
  /** Columns by the id of their part; without those that are not stored. */
  columns: Record<string, string>
  /** Cells of a new row, as templates. */
  row: Json
}

interface TableDeps {
  choice: TableChoice
  parts: StoredPart[]
  /** Of `listTables`. */
  known: KnownTable[]
  /** Id of the part with unique values. */
  keyPart?: string
}

/** Adds the table to the document, or its missing columns. Returns null if nothing is stored. */
export function useTable(builder: DialogueBuilder, deps: TableDeps): UsedTable | null {
  const { choice } = deps
  if (choice.kind === 'none') return null
  return choice.kind === 'new'
    ? makeTable(builder, deps, choice.name)
    : extendTable(builder, deps)
}

function makeTable(builder: DialogueBuilder, deps: TableDeps, wanted: string): UsedTable {
  const parts = [...deps.parts, idOfUser]
  const taken = new Set<string>(reservedColumns)
  const columns = Object.fromEntries(
    parts.map(({ id, name }) => [id, takeName(name, taken)]),
  )
  const properties = Object.fromEntries(
    parts.map(({ id, column }) => [columns[id]!, column]),
  )
  const keyColumn = deps.keyPart === undefined ? undefined : columns[deps.keyPart]!
  const name = toFreeName(wanted, new Set(deps.known.map((table) => table.name)))
  builder.insert('tables', name, {
    schema: { type: 'object', properties },
    ...(keyColumn !== undefined && { keyColumn }),
  })
  return { name, columns, row: toRow(parts, columns) }
}

/** Returns the first name that no table has: `OrdersTable`, `Orders2Table`. */
function toFreeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = toTableName(wanted)
  for (let number = 2, free = name; ; free = name.replace(/Table$/, `${number++}Table`))
    if (!taken.has(free)) return free
}

/** Columns that every table has. */
const reservedColumns = ['id', 'createdAt', 'updatedAt']

function extendTable(
  builder: DialogueBuilder,
  { choice, parts, known }: TableDeps,
): UsedTable {
  if (choice.kind !== 'existing') throw new TypeError('The table is new')
  const { name, columns: chosen } = choice
  const table = known.find((one) => one.name === name)!
  const taken = new Set([...reservedColumns, ...Object.keys(table.columns)])
  const columns: Record<string, string> = {}
  const added: Json = {}
  for (const { id, name: wanted, column } of parts) {
    const existing = chosen[id]
    if (existing === null) continue
    columns[id] = existing ?? takeName(wanted, taken)
    if (existing === undefined) added[columns[id]] = column
  }
  const used = Object.values(columns).filter((column) =>
    Object.hasOwn(table.columns, column),
  )
  declare(builder, table, used, added)
  const fitting = parts.map((part) => fit(part, table.columns[columns[part.id] ?? '']))
  return { name, columns, row: toRow(fitting, columns) }
}

/** A table of the server that the document does not have is declared with the columns in use. */
function declare(
  builder: DialogueBuilder,
  table: KnownTable,
  used: string[],
  added: Json,
) {
  const { document } = builder
  const declared = toObject(document.tables)[table.name]
  if (declared === undefined) {
    const { keyColumn, columns } = table
    const kept =
      keyColumn !== undefined && !used.includes(keyColumn) ? [...used, keyColumn] : used
    const known = Object.fromEntries(
      kept.map((column) => [column, { ...columns[column] }]),
    )
    const schema = { type: 'object', properties: { ...known, ...added } }
    builder.insert('tables', table.name, {
      schema,
      ...(keyColumn !== undefined && { keyColumn }),
    })
    return
  }
  const { path } = findProperties(toObject(declared).schema)
  const pointer = ['tables', table.name, ...path]
    .map((part) => `/${escapePointer(part)}`)
    .join('')
  const isMissing =
    path.length === 2 && !isObject(toObject(toObject(declared).schema).properties)
  if (isMissing && Object.keys(added).length > 0)
    return builder.edit({ op: 'set', pointer, value: added })
  for (const [column, value] of Object.entries(added))
    builder.edit({ op: 'insert', pointer: `${pointer}/${escapePointer(column)}`, value })
}

/** Texts take every value. */
function fit(part: StoredPart, column: KnownColumn | undefined): StoredPart {
  const { value } = part
  if (column?.type !== 'string' || part.column.type === 'string' || value === undefined)
    return part
  return { ...part, value: `${value} === null ? null : String(${value})` }
}

const toRow = (parts: StoredPart[], columns: Record<string, string>): Json =>
  Object.fromEntries(
    parts.flatMap(({ id, value }) =>
      value === undefined || columns[id] === undefined
        ? []
        : [[columns[id], `{{ ${value} }}`]],
    ),
  )

/** Returns whether values of the part can be stored in the column. */
export function canStore(
  { column }: Pick<StoredPart, 'column'>,
  { type, format }: KnownColumn,
) {
  if (type === 'string' && format === undefined) return true
  return type === column.type && format === column.format
}

/** Returns the cards that write the row of a new answer, and lead to `notStored` if it is too large. */
export function toStoreCards(builder: DialogueBuilder, table: UsedTable | null) {
  if (table === null) return []
  const stored = builder.variable('stored', 'array')
  return [
    {
      type: 'table',
      table: table.name,
      operation: 'create',
      row: table.row,
      into: stored,
    },
    { type: 'transition', when: `${stored}.length === 0`, to: 'notStored' },
  ]
}
