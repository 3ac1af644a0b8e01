// Computes the stale values of computed columns. It claims a table, takes its stale rows, computes
// each column after its dependencies, and writes a value only if its row has not changed since the
// read. One process works on a table at a time and holds a lease on it (queue/workers.ts). A row
// may be computed twice, but results never mix.

import { maxReasonLength, PeriodicTask, storableText } from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/index.ts'
import { isAwake, workers } from '../queue/index.ts'
import {
  askModel,
  type ColumnModel,
  type ColumnResult,
  ModelUnavailable,
} from './column-model.ts'
import type { Column } from './columns.ts'
import { toFittingValue } from './fitting-values.ts'
import { ofTable } from './rows/filter-sql.ts'
import { saveTerms } from './rows/row-search.ts'
import type { StoredRow } from './rows/row-types.ts'
import { lookUpTable, type TableRow, wholeBot } from './tables.ts'

/** Runs the code of a column for a row. Throws InvocationFailed if its process sends no reply. */
type RunCode = (
  botId: string,
  given: { code: string; row: Record<string, unknown> },
) => Promise<{ value: unknown } | { error: string }>

export interface Computing {
  /** Looks for stale rows now instead of at the next poll. */
  soon(): void
  /**
   * Computes the stale values of these rows and returns the rows afterwards. Values that are not
   * available yet stay stale.
   */
  compute(table: TableRow, rows: StoredRow[]): Promise<StoredRow[]>
  stop(): Promise<void>
}

const batchSize = 50
/** Batches of one table before another table gets its turn. */
const maxBatches = 20
const concurrency = 8
const paceMs = 1_000
/** How long a table pauses after an error. */
const restMs = 30_000

export function startComputing({
  log,
  workerId,
  ...given
}: Omit<Deps, 'awaited' | 'isStopping'> & {
  log: Logger
  workerId: () => string
}): Computing {
  const { db } = given
  let stopping = false
  const failed = (error: unknown) => log.warn({ err: error }, 'cannot compute columns')
  /**
   * Ids of rows that a request is computing; the background job skips them, so that they do not
   * cost twice.
   */
  const awaited = new Set<string>()
  const deps: Deps = { ...given, awaited, isStopping: () => stopping }
  const next = async () => {
    const worker = workerId()
    const claimed = await claimTable(db, worker)
    if (!claimed) return null
    const wait = await computeTable(deps, claimed).catch((error) => {
      failed(error)
      return restMs
    })
    await releaseTable(db, claimed, worker, wait)
    return 0
  }
  const looking = new PeriodicTask({ task: next, paceMs, failed })
  return {
    soon: () => looking.within(0),
    async compute(table, rows) {
      const ids = rows.map(({ row_id }) => row_id)
      const keys = ids.map((id) => rowKey(table, id))
      for (const key of keys) awaited.add(key)
      try {
        await computeRows(deps, table, await staleRows(db, table, { ids }))
      } finally {
        for (const key of keys) awaited.delete(key)
      }
      return findRows(db, table, ids)
    },
    async stop() {
      stopping = true
      await Promise.all([looking.stop(), given.getModel()?.close()])
    },
  }
}

interface Deps {
  db: Db
  run: RunCode
  /** Returns null if the operator configures no model. */
  getModel: () => ColumnModel | null
  awaited: ReadonlySet<string>
  isStopping: () => boolean
  /** Called after values of the table were computed. */
  onChange?: (table: { botId: string; id: string }) => void
}

const rowKey = ({ bot_id, bot_table_id }: TableRow, rowId: string) =>
  `${bot_id} ${bot_table_id} ${rowId}`

/**
 * Computes up to 20 batches, re-reading the columns before each. Rows that must wait do not delay
 * others. Returns the delay in ms before the next run.
 */
async function computeTable(
  deps: Deps,
  { bot_id, bot_table_id }: TableRow,
): Promise<number> {
  let wait = 0
  for (let batch = 0, after = '0'; batch < maxBatches && !deps.isStopping(); batch++) {
    const table = await lookUpTable(deps.db, wholeBot(bot_id), bot_table_id)
    // a copy: a row that a request finishes during the query may arrive here in its old state
    const awaited = new Set(deps.awaited)
    const rows = table ? await staleRows(deps.db, table, { after }) : []
    if (!table || rows.length === 0) return wait
    const isOurs = (key: string) => !awaited.has(key) && !deps.awaited.has(key)
    const free = rows.filter(({ row_id }) => isOurs(rowKey(table, row_id)))
    if (free.length < rows.length) wait = Math.max(wait, paceMs)
    wait = Math.max(wait, await computeRows(deps, table, free))
    after = rows.at(-1)!.row_id
  }
  return wait
}

/**
 * Claims a table that has stale rows and no worker; tables take turns. A process works on one table
 * at a time.
 */
async function claimTable(db: Db, workerId: string): Promise<TableRow | null> {
  const { rows } = await sql<TableRow>`
    with free as (
      select c.bot_id, c.bot_table_id from bot_table t join table_counter c using (bot_id, bot_table_id)
      where t.compute_enabled and t.columns @? '$[*].computed'
        and (c.compute_after is null or c.compute_after <= now())
        and ${workers.isFree('c.computing_worker', workerId)} and ${sql.raw(isAwake('c.bot_id'))}
        and exists (select from table_row r where r.bot_id = t.bot_id and r.bot_table_id = t.bot_table_id
          and r.stale <> '{}')
      order by c.compute_after nulls first limit 1 for update of c skip locked
    ), claimed as (
      update table_counter c set computing_worker = ${workerId} from free
      where c.bot_id = free.bot_id and c.bot_table_id = free.bot_table_id returning c.bot_id, c.bot_table_id
    )
    select t.* from claimed join bot_table t using (bot_id, bot_table_id)`.execute(db)
  return rows[0] ?? null
}

async function releaseTable(
  db: Db,
  { bot_id, bot_table_id }: TableRow,
  workerId: string,
  waitMs: number,
) {
  await sql`
    update table_counter set computing_worker = null,
      compute_after = now() + ${waitMs} * interval '1 millisecond'
    where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and computing_worker = ${workerId}`.execute(
    db,
  )
}

/** Returns the first stale rows after a row, or all stale rows with these ids. */
async function staleRows(
  db: Db,
  { bot_id, bot_table_id }: TableRow,
  which: { after: string } | { ids: string[] },
): Promise<StaleRow[]> {
  const [chosen, most] =
    'ids' in which
      ? [sql`row_id = any(${which.ids}::bigint[])`, which.ids.length]
      : [sql`row_id > ${which.after}::bigint`, batchSize]
  const { rows } = await sql<StaleRow>`
    select *, md5(data::text) as digest from table_row where bot_id = ${bot_id}
      and bot_table_id = ${bot_table_id} and stale <> '{}' and ${chosen}
    order by row_id limit ${most}`.execute(db)
  return rows
}

/** Returns those rows that still exist. */
async function findRows(db: Db, table: TableRow, ids: string[]): Promise<StoredRow[]> {
  const { rows } =
    await sql<StoredRow>`select * from table_row where ${ofTable(table)} and row_id = any(${ids}::bigint[])
      order by row_id`.execute(db)
  return rows
}

/** Returns the delay in ms before the next run: zero unless a value is not available yet. */
async function computeRows(
  deps: Deps,
  table: TableRow,
  rows: StaleRow[],
): Promise<number> {
  const columns = inOrder(table.columns)
  const made: Made[] = []
  const crashed: StaleRow[] = []
  const attempt = async (row: StaleRow, isAlone: boolean) => {
    try {
      const one = await computeRow(deps, table, columns, row, isAlone)
      // an interruption by this server is no error of the code: the row stays stale
      if (!deps.isStopping()) made.push(one)
    } catch (error) {
      if (!(error instanceof InvocationFailed)) throw error
      if (!deps.isStopping()) crashed.push(row)
    }
  }
  for (let i = 0; i < rows.length; i += concurrency)
    await Promise.all(rows.slice(i, i + concurrency).map((row) => attempt(row, false)))
  // computing each crashed row alone shows which one ends the process
  for (const row of crashed.splice(0)) await attempt(row, true)
  const computed = made.filter(({ done }) => done.length > 0)
  if (computed.length > 0) {
    await write(deps.db, table, computed)
    deps.onChange?.({ botId: table.bot_id, id: table.bot_table_id })
  }
  return Math.max(0, ...made.map(({ waitMs }) => waitMs))
}

/** `digest` is a hash of the row's inputs. */
type StaleRow = StoredRow & { digest: string }

interface Made {
  row: StaleRow
  data: Record<string, unknown>
  computed: StoredRow['computed']
  /** Ids of the computed rows, and the delay in ms until the remaining ones are available. */
  done: string[]
  waitMs: number
}

/**
 * Computes one row. Throws InvocationFailed if the code crashed its process, unless the row was
 * alone in it.
 */
async function computeRow(
  deps: Deps,
  table: TableRow,
  columns: Column[],
  row: StaleRow,
  isAlone: boolean,
): Promise<Made> {
  const made: Made = { row, data: { ...row.data }, computed: {}, done: [], waitMs: 0 }
  const late: string[] = []
  for (const column of columns.filter(({ id }) => row.stale.includes(id))) {
    const values = Object.fromEntries(
      table.columns.map(({ id, name }) => [name, made.data[id] ?? null]),
    )
    const outcome = isAfter(column, late)
      ? { waitMs: 0 }
      : await computeValue(
          deps,
          table,
          column,
          { id: Number(row.row_id), ...values },
          isAlone,
        )
    if ('waitMs' in outcome) {
      late.push(column.name)
      made.waitMs = Math.max(made.waitMs, outcome.waitMs)
    } else addOutcome(made, column, outcome)
  }
  return made
}

/**
 * Returns whether a column depends on one of these columns. A column without dependencies depends
 * on all.
 */
const isAfter = ({ computed }: Column, names: string[]) =>
  computed?.dependencies?.length
    ? computed.dependencies.some((name) => names.includes(name))
    : names.length > 0

function addOutcome(made: Made, { id }: Column, outcome: ColumnResult) {
  const moment = { updatedBy: 'system', updatedAt: new Date().toISOString() }
  made.done.push(id)
  delete made.data[id]
  if ('error' in outcome)
    made.computed[id] = {
      status: 'error',
      error: storableText(outcome.error, maxReasonLength),
      ...moment,
    }
  else {
    if (outcome.value !== null) made.data[id] = outcome.value
    made.computed[id] = { status: 'completed', ...moment }
  }
}

/**
 * A value, an error, or the delay in ms after which to retry: after a crash or a model failure
 * there is a pause.
 */
type Outcome = ColumnResult | { waitMs: number }

async function computeValue(
  deps: Deps,
  table: TableRow,
  column: Column,
  row: Record<string, unknown>,
  isAlone: boolean,
): Promise<Outcome> {
  try {
    const answer = await modelValue(deps, table, column, row)
    return 'error' in answer ? answer : toFittingValue(table, column, answer.value)
  } catch (error) {
    if (error instanceof ModelUnavailable) return { waitMs: error.retryAfterMs }
    if (!(error instanceof InvocationFailed)) throw error
    if (error.retryAfterMs !== null) return { waitMs: error.retryAfterMs }
    if (isAlone || error.reason === 'timeout') return { error: error.message }
    throw error
  }
}

async function modelValue(
  { run, getModel }: Deps,
  table: TableRow,
  column: Column,
  row: Record<string, unknown>,
): Promise<ColumnResult> {
  const { action, code = '' } = column.computed!
  if (action === 'code') return run(table.bot_id, { code, row })
  if (action === 'workflow')
    return { error: 'This server does not support columns computed by workflows' }
  const model = getModel()
  return model
    ? askModel(model, table, column, row)
    : { error: 'No language model is configured on this server' }
}

/** Sorts columns by dependency; columns in a cycle keep their position. */
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

/**
 * Writes a value only if its row and column are unchanged; otherwise the row stays stale. Also
 * removes the marks of columns that are no longer computed.
 */
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
        select from bot_table where bot_id = ${table.bot_id} and bot_table_id = ${table.bot_table_id}
          and columns = ${JSON.stringify(table.columns)}::jsonb for share
      )
      update table_row r set data = g.data, computed = r.computed || g.computed, updated_at = now(),
        stale = array(select unnest(r.stale) except select unnest(g.stale))
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (row_id bigint, digest text, data jsonb,
        computed jsonb, stale text[])
      where r.bot_id = ${table.bot_id} and r.bot_table_id = ${table.bot_table_id} and r.row_id = g.row_id
        and md5(r.data::text) = g.digest and exists (select from same) returning r.*`.execute(
      trx,
    )
    if (table.columns.some(({ searchable, computed }) => searchable && computed))
      await saveTerms(trx, table, rows)
  })
}
