// Owns the table table_job: background jobs of tables. The jobs of one table run one after another,
// in the order of their creation. Invariant: the worker of a job holds its lease
// (queue/workers.ts), and a step is committed only while the row names that worker. So each step
// happens once, even after a crash.

import { ApiError, type TableJobType } from '@botstead/contract'
import { maxReasonLength, storableText } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../db/index.ts'
import type { FileOwner } from '../../files/index.ts'
import { newId } from '../../lib/index.ts'
import { isAwake, workers } from '../../queue/index.ts'
import type { ConvertibleType } from '../columns.ts'
import type { TableRow } from '../tables.ts'

type StoredJob = Selectable<Schema['table_job']>
export type JobRow<Task = unknown> = Omit<StoredJob, 'task' | 'rejected'> & { task: Task }

/** The parameters of each type of job. */
export interface TableTasks {
  /**
   * `owner` is the owner of the file that it writes. Older jobs have none: their files belong to
   * the bot.
   */
  export: {
    format: 'csv' | 'json'
    compress: boolean
    /** Whether CSV leaves out the time of dates at midnight. */
    shortDates?: boolean
    /** Whether CSV has `'` before texts that a spreadsheet would run as a formula. */
    escapesFormulas?: boolean
    owner?: FileOwner
    /** Without them, all rows by number. */
    filter?: Record<string, unknown>
    sort?: { by: string; direction: 'asc' | 'desc' }[]
  }
  /**
   * The numbers of records skipped and added so far.
   * `columns` has the columns of the table by those of the file; the others are left out.
   */
  import: {
    left?: number
    changed?: number
    columns?: Record<string, string>
    /** Of the file, which may be deleted. */
    fileName?: string
  }
  /** Ids of the columns to clear: `values` in the data, `marks` of computed columns. */
  clear_column: { values: string[]; marks: string[] }
  /** Rebuilds the search terms after the set of searchable columns changed. */
  clear_vectors: object
  /** Without `values`, deletes the rows. `total` is their number at the beginning. */
  delete_rows: BulkTask
  update_rows: BulkTask
  /** Into the values of the column `to`, which replaces `column` at the end. */
  convert_column: ConversionTask
  duplicate_table: { from: string }
}

interface BulkTask {
  filter: Record<string, unknown>
  values?: Record<string, unknown>
  total: number
  changed?: number
  left?: number
}

interface ConversionTask {
  /** Ids of the columns. */
  column: string
  to: string
  /** Of the column when the job was created. */
  name: string
  type: ConvertibleType
  schema: Record<string, unknown>
  /** When the first value was read: rows that were changed since are converted again. */
  begunAt?: string
  left?: number
}

/** Jobs that the external API does not know are listed by the platform's operation only. */
export type JobType = TableJobType | 'update_rows' | 'convert_column'
const platformTypes = ['update_rows', 'convert_column'] satisfies JobType[]

const unfinished = sql`('pending', 'in_progress', 'finalizing')`
const maxWarnings = 100
/** Number of claims without progress before the job fails. */
export const maxJobAttempts = 5
const maxListed = 100
/** Stored for each import; the number of the others is known. */
const maxRejectedRows = 1_000

/** A record of a file that is not a row. */
export interface RejectedRow {
  /** `line 17` of CSV, `row 17` of a workbook, `value 17` of JSON. */
  place: string
  problem: string
  /** By column of the table. Empty if they are large, or cannot be stored. */
  values: Record<string, unknown>
  /** Cells of CSV and workbooks beyond those with a column. */
  extra?: string[]
}

/** All but the rejected rows, which are large. */
const jobColumns = sql<JobRow>`bot_id, bot_table_id, job_id, type, status, progress, task, position,
  warnings, failure, input_file_id, output_file_id, worker, not_before, attempts, created_at,
  updated_at`

type NewJob = {
  [Type in JobType]: { type: Type; task: TableTasks[Type]; inputFileId?: string }
}[JobType]

/** The caller must call the runner's `soon` after the commit. */
export function createJob(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
  { type, task, inputFileId }: NewJob,
): Promise<JobRow> {
  const values = {
    bot_id,
    bot_table_id,
    type,
    job_id: newId('tableJob'),
    task: toJson(task),
    input_file_id: inputFileId ?? null,
  }
  return db
    .insertInto('table_job')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the latest jobs, newest first; without `all`, those of the external API. */
export async function listJobs(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
  all = false,
): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select ${jobColumns} from table_job where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
      and ${all ? sql`true` : sql`type <> all(${platformTypes}::text[])`}
      order by job_id desc limit ${maxListed}`.execute(db)
  return rows
}

/** Returns the progress of the oldest unfinished import of each table of a bot, in percent. */
export async function listImports(db: Db, botId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; progress: number }>`
    select distinct on (bot_table_id) bot_table_id as id, progress from table_job
    where bot_id = ${botId} and type = 'import' and status in ${unfinished}
    order by bot_table_id, job_id`.execute(db)
  return new Map(rows.map(({ id, progress }) => [id, progress]))
}

/** Of the latest import by default. Throws ResourceNotFound for an unknown job. */
export async function findRejectedRows(
  db: Db,
  { bot_id, bot_table_id, columns }: TableRow,
  jobId: string | undefined,
): Promise<{ rows: RejectedRow[]; total: number }> {
  const isMeant = jobId === undefined ? sql`type = 'import'` : sql`job_id = ${jobId}`
  const found = await sql<{ rejected: RejectedRow[]; task: { left?: number } }>`
    select rejected, task from table_job
    where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and ${isMeant}
    order by job_id desc limit 1`.execute(db)
  const [job] = found.rows
  if (!job && jobId === undefined) return { rows: [], total: 0 }
  if (!job)
    throw new ApiError('ResourceNotFound', `Job "${jobId!.slice(0, 100)}" was not found`)
  // The database has changed the order of the values.
  const names = columns.map(({ name }) => name)
  const toRow = ({ values, ...row }: RejectedRow): RejectedRow => {
    const known = names.filter((name) => Object.hasOwn(values, name))
    const ordered = known.map((name) => [name, values[name]] as const)
    return { ...row, values: { ...Object.fromEntries(ordered), ...values } }
  }
  return { rows: job.rejected.map(toRow), total: job.task.left ?? 0 }
}

/** Jobs of one workspace that a worker runs at a time, so that others have a turn. */
const maxPerWorkspace = 2

/**
 * Claims the oldest job without a worker that no earlier job of its table blocks, of a workspace with
 * the fewest jobs in this worker's hands. `inHand` are their ids.
 */
export async function claimJob(
  db: Db,
  workerId: string,
  inHand: string[],
): Promise<JobRow | null> {
  const { rows } = await sql<StoredJob>`
    update table_job set status = case status when 'pending' then 'in_progress' else status end,
      worker = ${workerId}, not_before = null, attempts = attempts + 1
    where (bot_id, job_id) = (
      select j.bot_id, j.job_id from table_job j join bot b on b.id = j.bot_id,
        lateral (
          select count(*) as running from table_job h join bot hb on hb.id = h.bot_id
          where h.job_id = any(${inHand}::text[]) and h.status in ${unfinished}
            and hb.workspace_id = b.workspace_id
        ) hands
      where j.status in ${unfinished} and (j.not_before is null or j.not_before <= now())
        and ${workers.isFree('worker', workerId)} and not j.job_id = any(${inHand}::text[])
        and hands.running < ${maxPerWorkspace}
        and ${sql.raw(isAwake('j.bot_id'))}
        and not exists (
          select from table_job o
          where o.bot_id = j.bot_id and o.bot_table_id = j.bot_table_id and o.job_id < j.job_id
            and o.status in ${unfinished}
        )
      order by hands.running, j.created_at, j.job_id limit 1 for update of j skip locked
    ) returning *`.execute(db)
  return rows[0] ?? null
}

/** Another worker has claimed the job, or its table was deleted. */
export class JobLost extends Error {}

interface JobStep {
  /** Undefined for a step that may be repeated. */
  position?: number
  /** In percent. */
  progress?: number
  status?: 'in_progress' | 'finalizing'
  warnings?: string[]
  rejected?: RejectedRow[]
  /** Replaces the task. */
  task?: object
}

/** Saves the progress of a job, in the transaction of the step itself. Throws JobLost. */
export async function advance(
  db: Db,
  job: JobRow,
  { position, progress, status, warnings = [], rejected = [], task }: JobStep,
): Promise<void> {
  const { rows } = await sql`
    update table_job set updated_at = now(), attempts = ${position === undefined ? sql`attempts` : sql`1`},
      position = coalesce(${position ?? null}::bigint, position),
        progress = greatest(progress, ${progress ?? null}::real),
          status = coalesce(${status ?? null}, status),
      warnings = (warnings || ${warnings.map((text) => storableText(text, 500))}::text[])[1:${maxWarnings}],
        rejected = ${rejectedAfter(rejected)},
        task = coalesce(${task ? JSON.stringify(task) : null}::jsonb, task)
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}
      and status in ${unfinished} returning 1`.execute(db)
  if (rows.length === 0) throw new JobLost()
}

/** The rejected rows of a step: all as warnings, and with their values up to the maximum of the job. */
export const listed = (rows: RejectedRow[], before: number) => ({
  warnings: rows.map(({ place, problem }) => `${place}: ${problem}`),
  rejected: rows.slice(0, Math.max(0, maxRejectedRows - before)),
})

/** An unchanged value is not written again. */
const rejectedAfter = (added: RejectedRow[]) =>
  added.length > 0 ? sql`rejected || ${JSON.stringify(added)}::jsonb` : sql`rejected`

export async function completeJob(
  db: Db,
  job: JobRow,
  outputFileId: string | null = null,
): Promise<void> {
  await sql`
    update table_job set status = 'completed', progress = 100, worker = null,
      output_file_id = ${outputFileId}, updated_at = now()
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}`.execute(
    db,
  )
}

export async function failJob(db: Db, job: JobRow, reason: string): Promise<void> {
  await sql`
    update table_job set status = 'failed', worker = null, failure = ${storableText(reason, maxReasonLength)},
      updated_at = now()
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}`.execute(
    db,
  )
}

/**
 * Makes a job claimable again: at once without a reason, else after a pause, up to the maximum of
 * attempts.
 */
export async function releaseJob(
  db: Db,
  job: JobRow,
  reason: string | null,
): Promise<void> {
  if (reason !== null && job.attempts >= maxJobAttempts) return failJob(db, job, reason)
  const pause = reason === null ? 0 : job.attempts
  await sql`
    update table_job set worker = null, not_before = now() + ${pause} * interval '1 second',
      attempts = attempts - ${reason === null ? 1 : 0}
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}`.execute(
    db,
  )
}

/** Returns the progress; below 100 until the job has ended. */
export const percent = (done: number, all: number) =>
  all === 0 ? 0 : Math.min(99, Math.floor((done / all) * 100))

const retentionDays = 30

export const removeOldJobs = (db: Db) =>
  sql`delete from table_job where status in ('completed', 'failed')
    and updated_at < now() - ${retentionDays} * interval '1 day'
    and ${sql.raw(isAwake('table_job.bot_id'))}`.execute(db)
