// Job that sets columns of all rows of a filter, or deletes these rows: some thousands per
// transaction, together with the job's position, so an interrupted job resumes where it was. A row
// that cannot be changed is left as it is and listed with the reason.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { isSearchable } from '../columns.ts'
import { setSameValues } from '../rows/column-values.ts'
import { type Condition, parseFilter } from '../rows/filter.ts'
import { conditionSql, ofTable } from '../rows/filter-sql.ts'
import { explainQueryErrors, withTimeout } from '../rows/query-timeouts.ts'
import { staleAfter } from '../rows/row-followers.ts'
import { parseRows, type RowInput } from '../rows/row-input.ts'
import { saveTerms } from '../rows/row-search.ts'
import { mentions } from '../rows/row-writing.ts'
import { deletePiece, lockTable, selectionSql, writeRows } from '../rows/rows.ts'
import { bytesPerFactor, type FoundTable, findTable, wholeBot } from '../tables.ts'
import type { JobDeps } from './job-deps.ts'
import {
  advance,
  type JobRow,
  listed,
  percent,
  type RejectedRow,
  type TableTasks,
} from './jobs.ts'

type BulkTask = TableTasks['update_rows']
type Values = Record<string, unknown>

/** Per transaction. */
const batchSize = 4_000
/** For the rows of one batch: an index may find them only after many others. */
const batchTimeoutMs = 60_000

/** Throws InvalidPayload for values that no row can have. */
export function checkValues(table: FoundTable, values: Values): void {
  if (Object.keys(values).length === 0)
    throw new ApiError('InvalidPayload', '`values` must name at least one column')
  const { rows, errors, warnings } = parseRows(table, [values])
  const [input] = rows
  const lost = table.columns.find(
    ({ id, required }) => required && input?.cleared.includes(id),
  )
  const [problem] = [
    ...errors.map((error) => error.replace(/^rows\[0\]: /, '')),
    ...warnings.map((warning) => warning.replace(/^Ignored the values of/, 'cannot set')),
    ...(lost ? [`"${lost.name}" must have a value`] : []),
    ...(input && Object.keys(input.data).length + input.cleared.length === 0
      ? ['names no column of the table']
      : []),
  ]
  if (problem) throw new ApiError('InvalidPayload', `\`values\`: ${problem}`)
}

/** Returns the number of rows of a filter. Throws OperationTimeout. */
export async function countMatching(
  db: Db,
  table: FoundTable,
  condition: Condition,
  timeoutMs: number,
): Promise<number> {
  const { rows } = await withTimeout(db, timeoutMs, (trx) =>
    sql<{ count: number }>`select count(*)::float8 as count from table_row
      where ${ofTable(table)} and ${conditionSql(condition, table)}`.execute(trx),
  )
  return rows[0]!.count
}

export async function changeRows(deps: JobDeps, job: JobRow<BulkTask>): Promise<null> {
  for (let position = Number(job.position); ; ) {
    deps.checkStopped()
    const last = await explainQueryErrors(batchTimeoutMs, () =>
      deps.database.inTransaction(({ db }) => step(db, job, position)),
    )
    if (last === null) return null
    position = last
  }
}

/** Changes a batch. Returns the number of its last row, or null at the end. */
async function step(
  trx: Db,
  job: JobRow<BulkTask>,
  after: number,
): Promise<number | null> {
  await sql`select set_config('statement_timeout', ${String(batchTimeoutMs)}, true)`.execute(
    trx,
  )
  const table = await findTable(trx, wholeBot(job.bot_id), job.bot_table_id)
  const condition = parseFilter(job.task.filter, table.columns)
  // before any row is chosen, so that no concurrent request changes it
  await lockTable(trx, table)
  const { count, last, rejected } = job.task.values
    ? await setValues(trx, table, condition, job.task.values, after)
    : { ...(await deletePiece(trx, table, selectionSql(condition), after)), rejected: [] }
  if (last === null) return null
  const left = job.task.left ?? 0
  job.task = {
    ...job.task,
    changed: (job.task.changed ?? 0) + count,
    left: left + rejected.length,
  }
  await advance(trx, job, {
    position: last,
    progress: percent(job.task.changed! + job.task.left!, job.task.total),
    task: job.task,
    ...listed(rejected, left),
  })
  return last
}

async function setValues(
  trx: Db,
  table: FoundTable,
  condition: Condition,
  values: Values,
  after: number,
): Promise<{ count: number; last: number | null; rejected: RejectedRow[] }> {
  const { rows } = await sql<{ id: number }>`
    select row_id::float8 as id from table_row
    where ${ofTable(table)} and ${conditionSql(condition, table)} and row_id > ${after}::bigint
    order by row_id limit ${batchSize}`.execute(trx)
  if (rows.length === 0) return { count: 0, last: null, rejected: [] }
  checkValues(table, values)
  const ids = rows.map(({ id }) => id)
  const [input] = parseRows(table, [values]).rows as [RowInput]
  const isOfKey = table.key_column !== null && mentions(input, table.key_column)
  const problems = isOfKey
    ? await setKeys(trx, table, ids, input)
    : await setPlainValues(trx, table, ids, input)
  const rejected = [...problems].map(([id, problem]) => ({
    place: `row ${id}`,
    problem,
    values,
  }))
  return { count: ids.length - rejected.length, last: ids.at(-1)!, rejected }
}

/** Reasons by the numbers of rows that were not changed. */
type Problems = Map<number, string>

async function setPlainValues(
  trx: Db,
  table: FoundTable,
  ids: number[],
  { data, cleared }: RowInput,
): Promise<Problems> {
  const maxBytes = Math.floor(bytesPerFactor * table.factor)
  const stale = staleAfter(table)
  const rows = await setSameValues(trx, table, ids, { data, cleared, stale, maxBytes })
  if (isSearchable(table)) await saveTerms(trx, table, rows)
  const changed = new Set(rows.map(({ row_id }) => Number(row_id)))
  return new Map(
    ids.filter((id) => !changed.has(id)).map((id) => [id, `exceeds ${maxBytes} bytes`]),
  )
}

async function setKeys(
  trx: Db,
  table: FoundTable,
  ids: number[],
  input: RowInput,
): Promise<Problems> {
  const inputs = ids.map((id, n) => ({ ...input, cleared: [...input.cleared], n, id }))
  const { errors } = await writeRows(trx, table, inputs, { by: 'id', adds: false })
  return new Map(
    errors.map((error) => {
      const [, n, problem] = /^rows\[(\d+)\]: (.*)$/s.exec(error)!
      return [ids[Number(n)]!, problem!]
    }),
  )
}
