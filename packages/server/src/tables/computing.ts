// Makes the values of computed columns: takes the rows that are marked as stale, computes what is stale of them, each column after those that it depends
// on, and writes it where the row is still what it was computed from. One process at a time works on a table, a worker by its lease (queue/workers.ts); a row may
// be computed twice, never mixed up.

import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/open.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import { Repeated } from '../lib/repeated.ts'
import { mostDepth, refuseUnstorable } from '../lib/storable.ts'
import { longestReason, storableText } from '../lib/storable-text.ts'
import { ModelAway } from '../models/completions.ts'
import { isFree } from '../queue/workers.ts'
import { coerceCell } from './cells.ts'
import type { RunCode } from './column-code.ts'
import { askModel, type ColumnModel, type Told } from './column-model.ts'
import type { Column } from './columns.ts'
import { ofTable } from './filter-sql.ts'
import { saveTerms } from './row-search.ts'
import type { StoredRow } from './rows.ts'
import { bytesPerFactor, lookUpTable, type TableRow, wholeBot } from './tables.ts'

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
const paceMs = 1_000
/** For how long a table is left alone with which something is wrong. */
const restMs = 30_000

export function startComputing({
  log,
  workerId,
  ...given
}: Omit<Means, 'awaited' | 'isStopping'> & { log: Logger; workerId: () => string }): Computing {
  const { db, model } = given
  let stopping = false
  const failed = (error: unknown) => log.warn({ err: error }, 'cannot compute columns')
  /** Rows that somebody waits for: what they cost, they need not cost twice. */
  const awaited = new Set<string>()
  const means: Means = { ...given, awaited, isStopping: () => stopping }
  const next = async () => {
    const worker = workerId()
    const claimed = await claimTable(db, worker)
    if (!claimed) return null
    const wait = await computeTable(means, claimed).catch((error) => {
      failed(error)
      return restMs
    })
    await releaseTable(db, claimed, worker, wait)
    return 0
  }
  const looking = new Repeated({ task: next, paceMs, failed })
  return {
    soon: () => looking.within(0),
    async compute(table, rows) {
      const ids = rows.map(({ row_id }) => row_id)
      const keys = ids.map((id) => rowKey(table, id))
      for (const key of keys) awaited.add(key)
      try {
        await computeRows(means, table, await staleRows(db, table, { ids }))
      } finally {
        for (const key of keys) awaited.delete(key)
      }
      return findRows(db, table, ids)
    },
    async stop() {
      stopping = true
      await Promise.all([looking.stop(), model?.close()])
    },
  }
}

interface Means {
  db: Db
  run: RunCode
  /** Null where the operator names none. */
  model: ColumnModel | null
  awaited: ReadonlySet<string>
  isStopping: () => boolean
}

const rowKey = ({ bot_id, bot_table_id }: TableRow, rowId: string) => `${bot_id} ${bot_table_id} ${rowId}`

/** Some batches, each by the columns as they are then; one that has to wait keeps no other waiting. In how many milliseconds to go on. */
async function computeTable(means: Means, { bot_id, bot_table_id }: TableRow): Promise<number> {
  let wait = 0
  for (let batch = 0, after = '0'; batch < atMost && !means.isStopping(); batch++) {
    const table = await lookUpTable(means.db, wholeBot(bot_id), bot_table_id)
    // also what is not awaited any more when the rows come, which may be as they were before
    const awaited = new Set(means.awaited)
    const rows = table ? await staleRows(means.db, table, { after }) : []
    if (!table || rows.length === 0) return wait
    const isOurs = (key: string) => !awaited.has(key) && !means.awaited.has(key)
    const free = rows.filter(({ row_id }) => isOurs(rowKey(table, row_id)))
    if (free.length < rows.length) wait = Math.max(wait, paceMs)
    wait = Math.max(wait, await computeRows(means, table, free))
    after = rows.at(-1)!.row_id
  }
  return wait
}

/** One that has stale rows and nobody at work; they take turns. A process has but one in hand. */
async function claimTable(db: Db, workerId: string): Promise<TableRow | null> {
  const { rows } = await sql<TableRow>`
    with free as (
      select c.bot_id, c.bot_table_id from bot_table t join table_counter c using (bot_id, bot_table_id)
      where t.compute_enabled and t.columns @? '$[*].computed' and (c.compute_after is null or c.compute_after <= now())
        and ${isFree('c.computing_worker', workerId)}
        and exists (select from table_row r where r.bot_id = t.bot_id and r.bot_table_id = t.bot_table_id and r.stale <> '{}')
      order by c.compute_after nulls first limit 1 for update of c skip locked
    ), claimed as (
      update table_counter c set computing_worker = ${workerId} from free
      where c.bot_id = free.bot_id and c.bot_table_id = free.bot_table_id returning c.bot_id, c.bot_table_id
    )
    select t.* from claimed join bot_table t using (bot_id, bot_table_id)`.execute(db)
  return rows[0] ?? null
}

async function releaseTable(db: Db, { bot_id, bot_table_id }: TableRow, workerId: string, waitMs: number) {
  await sql`
    update table_counter set computing_worker = null, compute_after = now() + ${waitMs} * interval '1 millisecond'
    where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and computing_worker = ${workerId}`.execute(
    db,
  )
}

/** The first after a row, or all of those that are named. */
async function staleRows(
  db: Db,
  { bot_id, bot_table_id }: TableRow,
  which: { after: string } | { ids: string[] },
): Promise<StaleRow[]> {
  const [chosen, most] =
    'ids' in which
      ? [sql`row_id = any(${which.ids}::bigint[])`, which.ids.length]
      : [sql`row_id > ${which.after}::bigint`, atATime]
  const { rows } = await sql<StaleRow>`
    select *, md5(data::text) as digest from table_row where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and stale <> '{}' and ${chosen}
    order by row_id limit ${most}`.execute(db)
  return rows
}

/** Those that are still there. */
async function findRows(db: Db, table: TableRow, ids: string[]): Promise<StoredRow[]> {
  const { rows } =
    await sql<StoredRow>`select * from table_row where ${ofTable(table)} and row_id = any(${ids}::bigint[]) order by row_id`.execute(
      db,
    )
  return rows
}

/** In how many milliseconds to go on: zero, unless something cannot be said before. */
async function computeRows(means: Means, table: TableRow, rows: StaleRow[]): Promise<number> {
  const columns = inOrder(table.columns)
  const made: Made[] = []
  const crashed: StaleRow[] = []
  const attempt = async (row: StaleRow, isAlone: boolean) => {
    try {
      const one = await computeRow(means, table, columns, row, isAlone)
      // what was ended by us, and not by its code, is no error of it: the row stays stale
      if (!means.isStopping()) made.push(one)
    } catch (error) {
      if (!(error instanceof InvocationFailed)) throw error
      if (!means.isStopping()) crashed.push(row)
    }
  }
  for (let i = 0; i < rows.length; i += together)
    await Promise.all(rows.slice(i, i + together).map((row) => attempt(row, false)))
  // who of them ended the process shows when each has it for itself
  for (const row of crashed.splice(0)) await attempt(row, true)
  const said = made.filter(({ done }) => done.length > 0)
  if (said.length > 0) await write(means.db, table, said)
  return Math.max(0, ...made.map(({ waitMs }) => waitMs))
}

/** `digest` says what it is computed from. */
type StaleRow = StoredRow & { digest: string }

interface Made {
  row: StaleRow
  data: Record<string, unknown>
  computed: StoredRow['computed']
  /** Ids of those that are computed; what others wait for comes in so many milliseconds. */
  done: string[]
  waitMs: number
}

/** Throws InvocationFailed where the code ended its process, unless it was alone in it. */
async function computeRow(
  means: Means,
  table: TableRow,
  columns: Column[],
  row: StaleRow,
  isAlone: boolean,
): Promise<Made> {
  const made: Made = { row, data: { ...row.data }, computed: {}, done: [], waitMs: 0 }
  const late: string[] = []
  for (const column of columns.filter(({ id }) => row.stale.includes(id))) {
    const values = Object.fromEntries(table.columns.map(({ id, name }) => [name, made.data[id] ?? null]))
    const outcome = isAfter(column, late)
      ? { waitMs: 0 }
      : await computeValue(means, table, column, { id: Number(row.row_id), ...values }, isAlone)
    if ('waitMs' in outcome) {
      late.push(column.name)
      made.waitMs = Math.max(made.waitMs, outcome.waitMs)
    } else note(made, column, outcome)
  }
  return made
}

/** Whether its value follows from one of these; that of a column that names none follows from all. */
const isAfter = ({ computed }: Column, names: string[]) =>
  computed?.dependencies?.length
    ? computed.dependencies.some((name) => names.includes(name))
    : names.length > 0

function note(made: Made, { id }: Column, outcome: Told) {
  const moment = { updatedBy: 'system', updatedAt: new Date().toISOString() }
  made.done.push(id)
  delete made.data[id]
  if ('error' in outcome)
    made.computed[id] = { status: 'error', error: storableText(outcome.error, longestReason), ...moment }
  else {
    if (outcome.value !== null) made.data[id] = outcome.value
    made.computed[id] = { status: 'completed', ...moment }
  }
}

/** What cannot be said now is said after a pause: code that crashed lately, or the model, may not be asked before. */
type Outcome = Told | { waitMs: number }

async function computeValue(
  means: Means,
  table: TableRow,
  column: Column,
  row: Record<string, unknown>,
  isAlone: boolean,
): Promise<Outcome> {
  try {
    const told = await toldValue(means, table, column, row)
    return 'error' in told ? told : fitting(table, column, told.value)
  } catch (error) {
    if (error instanceof ModelAway) return { waitMs: error.retryAfterMs }
    if (!(error instanceof InvocationFailed)) throw error
    if (error.retryAfterMs !== null) return { waitMs: error.retryAfterMs }
    if (isAlone || error.reason === 'timeout') return { error: error.message }
    throw error
  }
}

async function toldValue(
  { run, model }: Means,
  table: TableRow,
  column: Column,
  row: Record<string, unknown>,
): Promise<Told> {
  const { action, code = '' } = column.computed!
  if (action === 'code') return run(table.bot_id, { code, row })
  if (action === 'workflow') return { error: 'This server does not support columns computed by workflows' }
  return model
    ? askModel(model, table, column, row)
    : { error: 'No language model is configured on this server' }
}

/** As the column holds it, and the database can. */
function fitting({ factor }: TableRow, { type }: Column, value: unknown): Told {
  if (value === null) return { value }
  if (isDeeper(value, mostDepth)) return { error: `The value exceeds ${mostDepth} nesting levels` }
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > bytesPerFactor * factor)
    return { error: `The value exceeds ${bytesPerFactor * factor} bytes` }
  const unstorable = whyUnstorable(value)
  if (unstorable) return { error: unstorable }
  if (type === 'object') return isObject(value) ? { value } : { error: 'The value must be an object' }
  if (type === 'array') return Array.isArray(value) ? { value } : { error: 'The value must be an array' }
  if (type === 'null') return { value: null }
  const cell = coerceCell(type, value)
  return 'wrong' in cell ? { error: `The value ${cell.wrong}` } : cell
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)))

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
  const given = made.map(({ row, data, computed, done }) => ({
    row_id: row.row_id,
    digest: row.digest,
    data,
    computed,
    stale: done,
  }))
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
    if (table.columns.some(({ searchable, computed }) => searchable && computed))
      await saveTerms(trx, table, rows)
  })
}
