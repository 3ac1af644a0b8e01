// Owns the tables table_row and table_row_terms: writes rows. Reading is in row-finder.ts, row-groups.ts and row-search.ts.
//
// Writing of rows is one statement, whether they are added, changed, or either: what it finds, it changes; what it does not find, it adds; what it can
// do neither with, it says. Who looks for rows by a key locks the table's counter first, in a statement before it, so that no two find the same key missing.
// A row counts its bytes as PostgreSQL writes its JSON.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isConflict } from '../db/conflicts.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { patience, withinTime } from './bounded.ts'
import type { Column } from './columns.ts'
import type { Condition } from './filter.ts'
import { conditionSql, ofTable } from './filter-sql.ts'
import { isRowId, type RowInput } from './row-input.ts'
import { saveTerms } from './row-search.ts'
import { asKnown, keyOf, mentions, type Outcome, type Writing, writeInput } from './row-writing.ts'
import { bytesPerFactor, longestKey, type TableRow } from './tables.ts'

export type StoredRow = Selectable<Schema['table_row']> & {
  data: Record<string, unknown>
  computed: Record<string, RowComputed>
}

export interface RowComputed {
  status: string
  error?: string
  updatedBy?: string
  updatedAt?: string
}

export interface WrittenRows {
  inserted: StoredRow[]
  updated: StoredRow[]
  /** Of those that were not written, each with its place. */
  errors: string[]
  warnings: string[]
}

/** All in one transaction, about a megabyte in a statement. Throws AlreadyExists where somebody else took a key at the same time. */
export async function writeRows(
  db: Db,
  table: TableRow,
  given: RowInput[],
  writing: Writing,
): Promise<WrittenRows> {
  const rows = writing.by === null ? given : merged(given, writing.by)
  const locks = mustLock(table, rows, writing)
  const isSearchable = table.columns.some(({ searchable }) => searchable)
  const parts = inParts(rows)
  const first = parts.next().value ?? []
  try {
    if (!locks && !isSearchable && first.length === rows.length)
      return await writePart(db, table, rows, writing)
    return await db.transaction().execute(async (trx) => {
      if (locks) await lockTable(trx, table)
      const all: WrittenRows = { inserted: [], updated: [], errors: [], warnings: [] }
      for (let part: RowInput[] | undefined = first; part; part = parts.next().value) {
        const written = await writePart(trx, table, part, writing)
        if (isSearchable) await saveTerms(trx, table, [...written.inserted, ...written.updated])
        for (const what of ['inserted', 'updated', 'errors', 'warnings'] as const)
          all[what].push(...(written[what] as never[]))
      }
      return all
    })
  } catch (error) {
    throw isConflict(error)
      ? new ApiError(
          'AlreadyExists',
          'A concurrent request used one of these keys; nothing was written: retry the request',
          {
            cause: error,
          },
        )
      : error
  }
}

/** Who looks for keys, changes them, or changes several rows: two of these could wait for each other. */
function mustLock({ key_column }: TableRow, rows: RowInput[], { by, adds }: Writing): boolean {
  if (by === null) return false
  return adds || rows.length > 1 || (key_column !== null && rows.some((row) => mentions(row, key_column)))
}

/** Bytes of JSON that a statement carries, more or less: what is made of it takes the event loop, and memory at both ends. */
const partBytes = 1_048_576

/** One after the other: measuring all of them takes the event loop, too. */
function* inParts(rows: RowInput[]): Generator<RowInput[], undefined> {
  let part: RowInput[] = []
  let size = 0
  for (const row of rows) {
    part.push(row)
    size += sizeOf(row.data)
    if (size < partBytes) continue
    yield part
    part = []
    size = 0
  }
  if (part.length > 0) yield part
}

/** About as many characters as its JSON has; it costs less than that. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 8
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + 3 + sizeOf(part), 2)
}

/** Adds rows that were read by `readRows`, and gives what could not be added, each with its place. */
export const insertRows = async (db: Db, table: TableRow, rows: RowInput[]): Promise<string[]> =>
  (await writeRows(db, table, rows, { by: null, adds: true, unseen: true })).errors

/** Who adds or removes rows, or changes keys, waits here for others that do. Throws as `moved` says. */
export async function lockTable(trx: Db, table: TableRow) {
  const { rows } = await sql`
    with as_known as materialized (${asKnown(table)})
    select from table_counter where ${ofTable(table)} and exists (select from as_known) for update`.execute(
    trx,
  )
  if (rows.length === 0) throw await moved(trx, table)
}

/** It is gone, or another column is its key now. */
async function moved(db: Db, { bot_id, bot_table_id }: TableRow): Promise<ApiError> {
  const { rows } =
    await sql`select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(db)
  if (rows.length === 0) return new ApiError('ResourceNotFound', 'Table not found')
  return new ApiError(
    'ResourceLockedConflict',
    'The table was changed concurrently; nothing was written: retry the request',
  )
}

/** Several changes of one row become one, the later ones on top: a statement changes a row but once. */
function merged(rows: RowInput[], by: 'id' | Column): RowInput[] {
  const byKey = new Map<unknown, RowInput>()
  return rows.filter((row) => {
    const key = keyOf(row, by)
    const before = key === null ? undefined : byKey.get(key)
    if (key !== null && !before) byKey.set(key, row)
    if (!before) return true
    for (const id of Object.keys(row.data))
      before.cleared = before.cleared.filter((cleared) => cleared !== id)
    for (const id of row.cleared) delete before.data[id]
    Object.assign(before.data, row.data)
    before.cleared.push(...row.cleared)
    before.lacks &&= row.lacks
    return false
  })
}

async function writePart(db: Db, table: TableRow, given: RowInput[], writing: Writing): Promise<WrittenRows> {
  if (given.length === 0) return { inserted: [], updated: [], errors: [], warnings: [] }
  const written = await writeInput(db, table, given, writing)
  if (written.some(({ outcome }) => outcome === 'moved')) throw await moved(db, table)
  const byPlace = new Map(given.map((row) => [row.n, row]))
  // what nobody looks at is new, and what was given is all that is in it
  if (writing.unseen) for (const row of written) row.data = byPlace.get(row.n)!.data
  else for (const row of written) if (row.data) shareTexts(row.data, byPlace.get(row.n)!.data)
  return {
    inserted: written.filter(({ outcome }) => outcome === 'inserted'),
    updated: written.filter(({ outcome }) => outcome === 'updated'),
    errors: written.flatMap(({ n, outcome }) => failure(table, byPlace.get(n)!, outcome)),
    warnings: written.flatMap(({ n, outcome, row_id }) =>
      surprise(byPlace.get(n)!, outcome, row_id, writing),
    ),
  }
}

/** Texts that came back as they were given are kept once. */
function shareTexts(stored: Record<string, unknown>, given: Record<string, unknown>) {
  for (const [id, value] of Object.entries(given))
    if (typeof value === 'string' && stored[id] === value) stored[id] = value
}

function failure(table: TableRow, row: RowInput, outcome: Outcome): string[] {
  const key = table.columns.find(({ id }) => id === table.key_column)?.name
  const reasons: Partial<Record<Outcome, string>> = {
    missing: `row ${row.id} does not exist`,
    lacks: row.lacks ?? '',
    large: `exceeds ${Math.floor(bytesPerFactor * table.factor)} bytes`,
    long: `the key ${JSON.stringify(key)} exceeds ${longestKey} bytes`,
    taken: `another row has the same ${JSON.stringify(key)}`,
  }
  return reasons[outcome] === undefined ? [] : [`rows[${row.n}]: ${reasons[outcome]}`]
}

function surprise(row: RowInput, outcome: Outcome, id: string, { by }: Writing): string[] {
  return by === 'id' && row.id !== null && outcome === 'inserted'
    ? [`rows[${row.n}]: row ${row.id} does not exist; added as row ${id}`]
    : []
}

/** Rows in a transaction: others that write wait for no more than these. */
const goneAtATime = 10_000

/** How many are gone. A piece at a time: where time runs out, what is gone is gone. Throws OperationTimeout. */
export async function deleteRows(
  db: Db,
  table: TableRow,
  which: Condition | { ids: number[] } | 'all',
): Promise<number> {
  const chosen =
    which === 'all'
      ? sql`true`
      : 'ids' in which
        ? sql`row_id = any(${which.ids.filter(Number.isSafeInteger)}::bigint[])`
        : conditionSql(which)
  const until = performance.now() + patience.delete
  let count = 0
  for (let after = -1; ; ) {
    const piece = await withinTime(
      db,
      patience.delete,
      (trx) => deletePiece(trx, table, chosen, after),
      until - performance.now(),
    )
    count += piece.count
    if (piece.last === null || piece.count < goneAtATime) return count
    after = piece.last
  }
}

/** The first after this one. A row that changed meanwhile is looked at again when it is locked. */
async function deletePiece(
  trx: Db,
  table: TableRow,
  chosen: RawBuilder<unknown>,
  after: number,
): Promise<{ count: number; last: number | null }> {
  const { bot_id, bot_table_id } = table
  const ofTheTable = sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`
  await sql`select from table_counter where ${ofTheTable} for update`.execute(trx)
  const { rows } = await sql<{ count: number; last: number | null }>`
    with piece as materialized (
      select row_id from table_row where ${ofTable(table)} and ${chosen} and row_id > ${after}::bigint order by row_id limit ${goneAtATime} for update
    ), gone as (
      delete from table_row where ${ofTheTable} and row_id = any(array(select row_id from piece)) returning row_id
    ), terms as (
      delete from table_row_terms where ${ofTheTable} and row_id = any(array(select row_id from piece))
    )
    select count(*)::float8 as count, max(row_id)::float8 as last from gone`.execute(trx)
  return rows[0]!
}

/** Throws ResourceNotFound; InvalidQuery for what numbers no row. */
export async function findRow(db: Db, table: TableRow, id: number): Promise<StoredRow> {
  if (!isRowId(id)) throw new ApiError('InvalidQuery', '`id` must be a row number')
  const { rows } =
    await sql<StoredRow>`select * from table_row where ${ofTable(table)} and row_id = ${id}::bigint`.execute(
      db,
    )
  if (!rows[0]) throw new ApiError('ResourceNotFound', 'Row not found')
  return rows[0]
}

/** All rows as they are when their turn comes, in the order of their numbers, a thousand in memory at a time. */
export async function* readRowsInTurn(
  db: Db,
  table: TableRow,
  pageSize = 1_000,
): AsyncGenerator<StoredRow[]> {
  for (let after = '0'; ; ) {
    const { rows } = await sql<StoredRow>`
      select * from table_row where ${ofTable(table)} and row_id > ${after}::bigint order by row_id limit ${pageSize}`.execute(
      db,
    )
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    after = rows.at(-1)!.row_id
  }
}
