// Makes the values of computed columns: takes the rows that are marked as stale, computes what is stale of them, each column after those that it depends
// on, and writes it where the row is still what it was computed from. One process at a time works on a table; a row may be computed twice, never mixed up.

import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/open.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import { Repeated } from '../lib/repeated.ts'
import { refuseUnstorable } from '../lib/storable.ts'
import { longestReason, storableText } from '../lib/storable-text.ts'
import { coerceCell } from './cells.ts'
import type { RunCode } from './column-code.ts'
import type { Column } from './columns.ts'
import { ofTable } from './filter-sql.ts'
import { saveTerms } from './row-search.ts'
import { bytesPerFactor, type StoredRow } from './rows.ts'
import { lookUpTable, type TableRow } from './tables.ts'

export interface Computing {
  /** There may be rows to compute. */
  soon(): void
  /** Computes what is stale of these rows, and gives them as they are then; what cannot be said now is left for later. */
  compute(table: TableRow, rows: StoredRow[]): Promise<StoredRow[]>
  stop(): Promise<void>
}

const atATime = 50
/** Batches of one table, before it is another one's turn. */
const atMost = 20
const together = 8
/** For how long a table is one process's, in seconds, unless that says that it still is. */
const leaseSeconds = 30

export function startComputing({ db, run, log }: { db: Db; run: RunCode; log: Logger }): Computing {
  let stopping = false
  const failed = (error: unknown) => log.warn({ err: error }, 'computed columns could not be computed')
  const means: Means = { db, run, isStopping: () => stopping }
  const next = async () => {
    const claimed = await claimTable(db)
    if (!claimed) return null
    const beat = setInterval(() => keepClaim(db, claimed, leaseSeconds).catch(failed), (leaseSeconds / 3) * 1_000).unref()
    const wait = await computeTable(means, claimed).finally(() => clearInterval(beat))
    await keepClaim(db, claimed, wait / 1_000)
    return 0
  }
  const worker = new Repeated({ task: next, paceMs: 1_000, failed })
  return {
    soon: () => worker.within(0),
    async compute(table, rows) {
      const ids = rows.map(({ row_id }) => row_id)
      await computeRows(means, table, await staleRows(db, table, ids))
      return findRows(db, table, ids)
    },
    async stop() {
      stopping = true
      await worker.stop()
    },
  }
}

interface Means {
  db: Db
  run: RunCode
  isStopping: () => boolean
}

/** Some batches, each by the columns as they are then. In how many milliseconds to go on. */
async function computeTable(means: Means, { bot_id, bot_table_id }: TableRow): Promise<number> {
  for (let batch = 0; batch < atMost && !means.isStopping(); batch++) {
    const table = await lookUpTable(means.db, bot_id, bot_table_id)
    const rows = table ? await staleRows(means.db, table) : []
    if (!table || rows.length === 0) return 0
    const wait = await computeRows(means, table, rows)
    if (wait > 0) return wait
  }
  return 0
}

/** One that has stale rows and nobody at work. */
async function claimTable(db: Db): Promise<TableRow | null> {
  const { rows } = await sql<TableRow>`
    with free as (
      select c.bot_id, c.bot_table_id from bot_table t join table_counter c using (bot_id, bot_table_id)
      where t.compute_enabled and t.columns @? '$[*].computed' and (c.computing_until is null or c.computing_until <= now())
        and exists (select from table_row r where r.bot_id = t.bot_id and r.bot_table_id = t.bot_table_id and r.stale <> '{}')
      order by c.computing_until nulls first limit 1 for update of c skip locked
    ), claimed as (
      update table_counter c set computing_until = now() + ${leaseSeconds} * interval '1 second' from free
      where c.bot_id = free.bot_id and c.bot_table_id = free.bot_table_id returning c.bot_id, c.bot_table_id
    )
    select t.* from claimed join bot_table t using (bot_id, bot_table_id)`.execute(db)
  return rows[0] ?? null
}

async function keepClaim(db: Db, { bot_id, bot_table_id }: TableRow, seconds: number) {
  await sql`update table_counter set computing_until = now() + ${seconds} * interval '1 second' where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(
    db,
  )
}

async function staleRows(db: Db, { bot_id, bot_table_id }: TableRow, ids: string[] | null = null): Promise<StaleRow[]> {
  const { rows } = await sql<StaleRow>`
    select *, md5(data::text) as digest from table_row where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and stale <> '{}' and (${ids}::bigint[] is null or row_id = any(${ids}::bigint[]))
    order by row_id limit ${ids?.length ?? atATime}`.execute(db)
  return rows
}

/** Those that are still there. */
async function findRows(db: Db, table: TableRow, ids: string[]): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`select * from table_row where ${ofTable(table)} and row_id = any(${ids}::bigint[]) order by row_id`.execute(db)
  return rows
}

/** In how many milliseconds to go on: zero, unless code that crashed may not be started again before. */
async function computeRows({ db, run, isStopping }: Means, table: TableRow, rows: StaleRow[]): Promise<number> {
  const columns = inOrder(table.columns)
  const made: Made[] = []
  const crashed: StaleRow[] = []
  let wait = 0
  const attempt = async (row: StaleRow, isAlone: boolean) => {
    try {
      const one = await computeRow(run, table, columns, row, isAlone)
      // what was ended by us, and not by its code, is no error of it: the row stays stale
      if (!isStopping()) made.push(one)
    } catch (error) {
      if (!(error instanceof InvocationFailed)) throw error
      if (isStopping()) return
      if (error.retryAfterMs !== null) wait = Math.max(wait, error.retryAfterMs)
      else crashed.push(row)
    }
  }
  for (let i = 0; i < rows.length; i += together) await Promise.all(rows.slice(i, i + together).map((row) => attempt(row, false)))
  // who of them ended the process shows when each has it for itself
  for (const row of crashed.splice(0)) await attempt(row, true)
  if (made.length > 0) await write(db, table, made)
  return wait
}

/** `digest` says what it is computed from. */
type StaleRow = StoredRow & { digest: string }

interface Made {
  row: StaleRow
  data: Record<string, unknown>
  computed: StoredRow['computed']
}

/** Throws InvocationFailed where the code ended its process, unless it was alone in it. */
async function computeRow(run: RunCode, table: TableRow, columns: Column[], row: StaleRow, isAlone: boolean): Promise<Made> {
  const made: Made = { row, data: { ...row.data }, computed: {} }
  for (const column of columns.filter(({ id }) => row.stale.includes(id))) {
    const values = Object.fromEntries(table.columns.map(({ id, name }) => [name, made.data[id] ?? null]))
    const outcome = await computeValue(run, table, column, { id: Number(row.row_id), ...values }, isAlone)
    delete made.data[column.id]
    const moment = { updatedBy: 'system', updatedAt: new Date().toISOString() }
    if ('error' in outcome) made.computed[column.id] = { status: 'error', error: storableText(outcome.error, longestReason), ...moment }
    else {
      if (outcome.value !== null) made.data[column.id] = outcome.value
      made.computed[column.id] = { status: 'completed', ...moment }
    }
  }
  return made
}

type Outcome = { value: unknown } | { error: string }

async function computeValue(run: RunCode, table: TableRow, column: Column, row: Record<string, unknown>, isAlone: boolean): Promise<Outcome> {
  const { action, code = '' } = column.computed!
  if (action !== 'code')
    return { error: action === 'ai' ? 'No language model is configured on this server' : 'Workflows do not compute columns on this server' }
  try {
    const outcome = await run(table.bot_id, { code, row })
    return 'error' in outcome ? outcome : fitting(table, column, outcome.value)
  } catch (error) {
    if (error instanceof InvocationFailed && error.retryAfterMs === null && (isAlone || error.reason === 'timeout')) return { error: error.message }
    throw error
  }
}

/** As the column holds it, and the database can. */
function fitting({ factor }: TableRow, { type }: Column, value: unknown): Outcome {
  if (value === null) return { value }
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > bytesPerFactor * factor) return { error: `The value has more than ${bytesPerFactor * factor} bytes` }
  const unstorable = whyUnstorable(value)
  if (unstorable) return { error: unstorable }
  if (type === 'object') return isObject(value) ? { value } : { error: 'The value must be an object' }
  if (type === 'array') return Array.isArray(value) ? { value } : { error: 'The value must be a list' }
  if (type === 'null') return { value: null }
  const cell = coerceCell(type, value)
  return 'wrong' in cell ? { error: `The value ${cell.wrong}` } : cell
}

function whyUnstorable(value: unknown): string | null {
  try {
    refuseUnstorable(value, '', 'The value')
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each after those that it depends on; of those that depend on each other, in the order in which they stand. */
function inOrder(columns: Column[]): Column[] {
  const ordered: Column[] = []
  const visit = (column: Column, on: Column[]) => {
    if (ordered.includes(column) || on.includes(column)) return
    for (const name of column.computed?.dependencies ?? []) {
      const other = columns.find((one) => one.name === name)
      if (other?.computed) visit(other, [...on, column])
    }
    ordered.push(column)
  }
  for (const column of columns) if (column.computed) visit(column, [])
  return ordered
}

/** Only where row and columns are still what they were: of others the marks stay. A mark of what is no computed column any more goes. */
async function write(db: Db, table: TableRow, made: Made[]) {
  const given = made.map(({ row, data, computed }) => ({ row_id: row.row_id, digest: row.digest, data, computed, stale: row.stale }))
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<StoredRow>`
      with same as materialized (
        select from bot_table where bot_id = ${table.bot_id} and bot_table_id = ${table.bot_table_id} and columns = ${JSON.stringify(table.columns)}::jsonb for share
      )
      update table_row r set data = g.data, computed = r.computed || g.computed, updated_at = now(), stale = array(select unnest(r.stale) except select unnest(g.stale))
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (row_id bigint, digest text, data jsonb, computed jsonb, stale text[])
      where r.bot_id = ${table.bot_id} and r.bot_table_id = ${table.bot_table_id} and r.row_id = g.row_id and md5(r.data::text) = g.digest and exists (select from same) returning r.*`.execute(
      trx,
    )
    if (table.columns.some(({ searchable, computed }) => searchable && computed)) await saveTerms(trx, table, rows)
  })
}
