// Job that converts the values of a column to another type. It writes them as values of a column that
// no caller sees yet, some thousands per transaction, together with the job's position. At the end,
// in one transaction, it converts the rows that were changed meanwhile, and the new column replaces
// the old one. Callers see either all old values or all new ones.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { notValue } from '../rows/cells.ts'
import { emptyColumn, storeColumn } from '../rows/column-values.ts'
import { replaceColumn } from '../table-changes.ts'
import { findTable, rowCount, wholeBot } from '../tables.ts'
import { convertValue, valuesAfter } from './conversions.ts'
import type { JobDeps } from './job-deps.ts'
import {
  advance,
  createJob,
  type JobRow,
  listed,
  percent,
  type RejectedRow,
  type TableTasks,
} from './jobs.ts'

type Task = TableTasks['convert_column']
type ConversionJob = JobRow<Task>

const batchSize = 2_000
const maxKeptCharacters = 4_000

export async function convertColumn(deps: JobDeps, job: ConversionJob): Promise<null> {
  try {
    await begin(deps.db, job)
    const total = await rowCount(deps.db, job)
    let position = Number(job.position)
    for (let done = 0; ; done += batchSize) {
      deps.checkStopped()
      const last = await deps.database.inTransaction(({ db }) =>
        convertBatch(db, job, position, percent(done, total)),
      )
      if (last === null) break
      position = last
    }
    await deps.database.inTransaction(({ db }) => finish(db, job, position))
  } catch (error) {
    if (error instanceof ApiError && isFinal(error)) await removeValues(deps.db, job)
    throw error
  }
  return null
}

/** Once per job. Stores the time before the first value is read. */
async function begin(db: Db, job: ConversionJob) {
  if (job.task.begunAt) return
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  job.task = { ...job.task, begunAt: rows[0]!.now.toISOString(), left: 0 }
  await advance(db, job, { task: job.task })
}

async function convertBatch(
  trx: Db,
  job: ConversionJob,
  after: number,
  progress: number,
): Promise<number | null> {
  const values = await valuesAfter(trx, job, job.task.column, after, batchSize)
  const last = values.at(-1)?.id
  if (last === undefined) return null
  const rejected = await store(trx, job, values)
  const left = job.task.left ?? 0
  job.task = { ...job.task, left: left + rejected.length }
  await advance(trx, job, {
    position: last,
    progress,
    task: job.task,
    ...listed(rejected, left),
  })
  return last
}

/** Writes the converted values, and returns those that cannot be converted. */
async function store(
  trx: Db,
  { bot_id, bot_table_id, task }: ConversionJob,
  values: { id: number; value: unknown }[],
): Promise<RejectedRow[]> {
  const converted = values
    .filter(({ value }) => value !== null)
    .map(({ id, value }) => ({ id, value, result: convertValue(task.type, value) }))
  const written = converted.flatMap(({ id, result }) =>
    'value' in result && result.value !== null ? [[id, result.value] as const] : [],
  )
  if (written.length > 0)
    await storeColumn(trx, { bot_id, bot_table_id }, task.to, written)
  return converted.flatMap(({ id, value, result }) =>
    'problem' in result
      ? [
          {
            place: `row ${id}`,
            problem: `${JSON.stringify(task.name)} ${result.problem}${notValue(value)}`,
            values: keptValues(task, value),
          },
        ]
      : [],
  )
}

const keptValues = ({ name }: Task, value: unknown) =>
  JSON.stringify(value).length <= maxKeptCharacters ? { [name]: value } : {}

/** Locks the table first, so no row is written between the last conversion and the change. */
async function finish(trx: Db, job: ConversionJob, position: number) {
  const { bot_id, bot_table_id, task } = job
  await sql`select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
    for no key update`.execute(trx)
  const table = await findTable(trx, wholeBot(bot_id), bot_table_id)
  // The server ended after this step, and before the job did.
  if (table.columns.some(({ id }) => id === task.to)) return
  const rejected = await store(trx, job, await changedRows(trx, job))
  const added = rejected.filter(({ place }) => Number(place.slice(4)) > position)
  job.task = { ...task, left: (task.left ?? 0) + added.length }
  // Before the column is replaced: only the worker of the job does that.
  await advance(trx, job, {
    status: 'finalizing',
    task: job.task,
    rejected: added.slice(0, 100),
  })
  await replaceColumn(trx, table, task)
}

/** Rows that were added or changed since the beginning, without their converted values. */
async function changedRows(trx: Db, { bot_id, bot_table_id, task }: ConversionJob) {
  const here = sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`
  const { rows: late } = await sql<{ id: number }>`
    select row_id::float8 as id from table_row
    where ${here} and hashtext(bot_table_id) = hashtext(${bot_table_id})
      and updated_at >= ${task.begunAt!}::timestamptz - interval '1 minute' for update`.execute(
    trx,
  )
  const ids = late.map(({ id }) => id)
  const columns = { column: task.to, other: task.column }
  return emptyColumn(trx, { bot_id, bot_table_id }, ids, columns)
}

/** A retry would fail, too. */
const isFinal = ({ type }: ApiError) =>
  type === 'RelationConflict' || type === 'ResourceNotFound' || type === 'LimitExceeded'

/** Of a conversion that failed. */
const removeValues = (db: Db, job: ConversionJob) =>
  createJob(db, job, { type: 'clear_column', task: { values: [job.task.to], marks: [] } })
