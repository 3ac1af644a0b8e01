// Owns the tables table_row and table_row_terms: writes rows. Reading is in row-finder.ts,
// row-groups.ts and row-search.ts.
//
// One statement inserts, updates or upserts rows: it updates the rows that it finds, inserts the
// others, and reports those that it can neither update nor insert. A request that looks up keys
// first locks the table's counter, in a separate statement, so that two requests cannot insert the
// same key. The size of a row is the byte length of its JSON as PostgreSQL writes it.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, isConflict } from '../../db/index.ts'
import type { Column } from '../columns.ts'
import { readRows } from '../table-cache.ts'
import {
  bytesPerFactor,
  type FoundTable,
  maxKeyBytes,
  noTable,
  type TableRow,
} from '../tables.ts'
import type { Condition } from './filter.ts'
import { conditionSql, ofTable } from './filter-sql.ts'
import { queryTimeouts, withTimeout } from './query-timeouts.ts'
import { isRowId, type RowInput } from './row-input.ts'
import { saveTerms } from './row-search.ts'
import type { StoredRow } from './row-types.ts'
import {
  asKnown,
  getRowKey,
  mentions,
  type RowOutcome,
  type WriteOptions,
  writeInput,
} from './row-writing.ts'

export interface WrittenRows {
  inserted: StoredRow[]
  updated: StoredRow[]
  /** Errors of the rows that were not written, with their locations. */
  errors: string[]
  warnings: string[]
}

/**
 * Writes all rows in one transaction, about a megabyte per statement. Throws AlreadyExists if a
 * concurrent request took a key.
 */
export async function writeRows(
  db: Db,
  table: TableRow,
  given: RowInput[],
  writing: WriteOptions,
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
        if (isSearchable)
          await saveTerms(trx, table, [...written.inserted, ...written.updated])
        for (const what of ['inserted', 'updated'] as const)
          all[what].push(...written[what])
        for (const what of ['errors', 'warnings'] as const)
          all[what].push(...written[what])
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

/**
 * Returns whether the request looks up keys, changes keys or updates several rows: without the
 * lock, two of these could deadlock.
 */
function mustLock(
  { key_column }: TableRow,
  rows: RowInput[],
  { by, adds }: WriteOptions,
): boolean {
  if (by === null) return false
  return (
    adds ||
    rows.length > 1 ||
    (key_column !== null && rows.some((row) => mentions(row, key_column)))
  )
}

/**
 * Approximate bytes of JSON per statement: serialising blocks the event loop, and uses memory in
 * the server and in the database.
 */
const partBytes = 1_048_576

/** Yields parts one at a time: measuring all rows at once would block the event loop. */
function* inParts(rows: RowInput[]): Generator<RowInput[], undefined> {
  let part: RowInput[] = []
  let size = 0
  for (const row of rows) {
    part.push(row)
    size += estimateSize(row.data)
    if (size < partBytes) continue
    yield part
    part = []
    size = 0
  }
  if (part.length > 0) yield part
}

/** Estimates the length of the JSON without serialising. */
function estimateSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 8
  return Object.entries(value).reduce(
    (sum, [key, part]) => sum + key.length + 3 + estimateSize(part),
    2,
  )
}

/**
 * Inserts rows from `readRows`, and returns the errors of those that failed, with their locations.
 */
export const insertRows = async (
  db: Db,
  table: TableRow,
  rows: RowInput[],
): Promise<string[]> =>
  (await writeRows(db, table, rows, { by: null, adds: true, unseen: true })).errors

/**
 * Serialises requests that add or remove rows or change keys. Throws the error of `changedError`.
 */
export async function lockTable(trx: Db, table: TableRow) {
  const { rows } = await sql`
    with as_known as materialized (${asKnown(table)})
    select from table_counter where ${ofTable(table)} and exists (select from as_known) for update`.execute(
    trx,
  )
  if (rows.length === 0) throw await changedError(trx, table)
}

/** Returns the error for a table that was deleted or has a new key column. */
async function changedError(
  db: Db,
  { bot_id, bot_table_id }: TableRow,
): Promise<ApiError> {
  const { rows } =
    await sql`select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(
      db,
    )
  if (rows.length === 0) return noTable(bot_table_id)
  return new ApiError(
    'ResourceLockedConflict',
    'The table was changed at the same time. Nothing was written. Retry the request.',
  )
}

/** Merges several changes of one row, later ones last: a statement can update a row only once. */
function merged(rows: RowInput[], by: 'id' | Column): RowInput[] {
  const byKey = new Map<unknown, RowInput>()
  return rows.filter((row) => {
    const key = getRowKey(row, by)
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

async function writePart(
  db: Db,
  table: TableRow,
  given: RowInput[],
  writing: WriteOptions,
): Promise<WrittenRows> {
  if (given.length === 0) return { inserted: [], updated: [], errors: [], warnings: [] }
  const written = await writeInput(db, table, given, writing)
  if (written.some(({ outcome }) => outcome === 'moved'))
    throw await changedError(db, table)
  const byNumber = new Map(given.map((row) => [row.n, row]))
  // the caller reads nothing back, so these are new rows with exactly the given values
  if (writing.unseen) for (const row of written) row.data = byNumber.get(row.n)!.data
  else
    for (const row of written)
      if (row.data) shareTexts(row.data, byNumber.get(row.n)!.data)
  return {
    inserted: written.filter(({ outcome }) => outcome === 'inserted'),
    updated: written.filter(({ outcome }) => outcome === 'updated'),
    errors: written.flatMap(({ n, outcome }) =>
      toErrors(table, byNumber.get(n)!, outcome),
    ),
    warnings: written.flatMap(({ n, outcome, row_id }) =>
      toWarnings(byNumber.get(n)!, outcome, row_id, writing),
    ),
  }
}

/** Reuses the input's texts where the stored ones are equal, to keep only one copy in memory. */
function shareTexts(stored: Record<string, unknown>, given: Record<string, unknown>) {
  for (const [id, value] of Object.entries(given))
    if (typeof value === 'string' && stored[id] === value) stored[id] = value
}

function toErrors(table: TableRow, row: RowInput, outcome: RowOutcome): string[] {
  const key = table.columns.find(({ id }) => id === table.key_column)?.name
  const reasons: Partial<Record<RowOutcome, string>> = {
    missing: `row ${row.id} does not exist`,
    lacks: row.lacks ?? '',
    large: `exceeds ${Math.floor(bytesPerFactor * table.factor)} bytes`,
    long: `the key ${JSON.stringify(key)} exceeds ${maxKeyBytes} bytes`,
    taken: `another row has the same ${JSON.stringify(key)}`,
  }
  return reasons[outcome] === undefined ? [] : [`rows[${row.n}]: ${reasons[outcome]}`]
}

function toWarnings(
  row: RowInput,
  outcome: RowOutcome,
  id: string,
  { by }: WriteOptions,
): string[] {
  return by === 'id' && row.id !== null && outcome === 'inserted'
    ? [`rows[${row.n}]: row ${row.id} does not exist; added as row ${id}`]
    : []
}

/** Rows per transaction. Other writers wait until one such transaction ends. */
const deleteBatchSize = 10_000

/**
 * Deletes rows in batches and returns their number. After a timeout, finished batches stay deleted.
 * Throws OperationTimeout.
 */
export async function deleteRows(
  db: Db,
  table: TableRow,
  which: Condition | { ids: number[] } | 'all',
): Promise<number> {
  const chosen = selectionSql(which)
  const until = performance.now() + queryTimeouts.delete
  let count = 0
  for (let after = -1; ; ) {
    const piece = await withTimeout(
      db,
      queryTimeouts.delete,
      (trx) => deletePiece(trx, table, chosen, after),
      until - performance.now(),
    )
    count += piece.count
    if (piece.last === null || piece.count < deleteBatchSize) return count
    after = piece.last
  }
}

export function selectionSql(which: Condition | { ids: number[] } | 'all') {
  if (which === 'all') return sql`true`
  if ('ids' in which)
    return sql`row_id = any(${which.ids.filter(Number.isSafeInteger)}::bigint[])`
  return conditionSql(which)
}

/**
 * Deletes the first matching rows after this one. PostgreSQL evaluates the condition again for a
 * row that changed before it was locked.
 */
export async function deletePiece(
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
      select row_id from table_row where ${ofTable(table)} and ${chosen} and row_id > ${after}::bigint
        order by row_id limit ${deleteBatchSize} for update
    ), removed as (
      delete from table_row where ${ofTheTable} and row_id = any(array(select row_id from piece))
        returning row_id
    ), terms as (
      delete from table_row_terms where ${ofTheTable} and row_id = any(array(select row_id from piece))
    )
    select count(*)::float8 as count, max(row_id)::float8 as last from removed`.execute(
    trx,
  )
  return rows[0]!
}

/** Throws ResourceNotFound, and InvalidQuery for an invalid row number. */
export async function findRow(db: Db, table: FoundTable, id: number): Promise<StoredRow> {
  if (!isRowId(id)) throw new ApiError('InvalidQuery', '`id` must be a row number')
  const [row] = await readRows(
    db,
    table,
    sql<StoredRow>`select * from table_row where ${ofTable(table)} and row_id = ${id}::bigint`,
  )
  if (!row) throw new ApiError('ResourceNotFound', `Row ${id} was not found`)
  return row
}

/** Yields all rows by number, a thousand at a time, each batch in its current state. */
export async function* streamRows(
  db: Db,
  table: TableRow,
  pageSize = 1_000,
): AsyncGenerator<StoredRow[]> {
  for (let after = '0'; ; ) {
    const { rows } = await sql<StoredRow>`
      select * from table_row where ${ofTable(table)} and row_id > ${after}::bigint order by row_id
        limit ${pageSize}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    after = rows.at(-1)!.row_id
  }
}
