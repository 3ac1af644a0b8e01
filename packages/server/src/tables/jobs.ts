// Owns the table table_job: what is done to tables while nobody waits. Jobs of one table are done one after the other, in the order in which they were asked for.
// Invariant: who works on one is a worker by its lease (queue/workers.ts), and every step is written only while the row names it; so a step is done once,
// whoever dies.
import type { TableJobType } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { Owner } from '../files/files.ts'
import { newId } from '../lib/ids.ts'
import { longestReason, storableText } from '../lib/storable-text.ts'
import { isFree } from '../queue/workers.ts'
import type { TableRow } from './tables.ts'

type StoredJob = Selectable<Schema['table_job']>
export type JobRow<Task = unknown> = Omit<StoredJob, 'task'> & { task: Task }

/** What each kind of job is told to do. */
export interface Tasks {
  /** `owner`: of the file that it writes. Jobs of before have none: their files are the bot's. */
  export: { format: 'csv' | 'json'; compress: boolean; owner?: Owner }
  /** Whether the columns that the table lacked are there, and how many records were left out so far. */
  import: { hasColumns?: boolean; left?: number }
  /** Whose values are to go, and whose marks of a computed column. */
  clear_column: { values: string[]; marks: string[] }
  /** And find the words anew: other columns are searchable. */
  clear_vectors: object
  delete_rows: { filter: unknown }
  duplicate_table: { from: string }
}

const unfinished = sql`('pending', 'in_progress', 'finalizing')`
const mostWarnings = 100
/** Times that one is claimed without getting any further. */
export const mostAttempts = 5
const mostListed = 100

type NewJob = {
  [Type in TableJobType]: { type: Type; task: Tasks[Type]; inputFileId?: string }
}[TableJobType]

/** Whoever calls this sees to it that somebody looks for jobs soon, once it is committed. */
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
    task: JSON.stringify(task),
    input_file_id: inputFileId ?? null,
  }
  return db.insertInto('table_job').values(values).returningAll().executeTakeFirstOrThrow()
}

/** The latest, newest first. */
export function listJobs(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
): Promise<JobRow[]> {
  const ofTable = db
    .selectFrom('table_job')
    .selectAll()
    .where('bot_id', '=', bot_id)
    .where('bot_table_id', '=', bot_table_id)
  return ofTable.orderBy('job_id', 'desc').limit(mostListed).execute()
}

/** The oldest that nobody works on, and that need not wait for another one of its table; `inHand` are ids of those that this worker is at. */
export async function claimJob(db: Db, workerId: string, inHand: string[]): Promise<JobRow | null> {
  const { rows } = await sql<StoredJob>`
    update table_job set status = case status when 'pending' then 'in_progress' else status end, worker = ${workerId}, not_before = null, attempts = attempts + 1
    where (bot_id, job_id) = (
      select bot_id, job_id from table_job j
      where status in ${unfinished} and (not_before is null or not_before <= now())
        and ${isFree('worker', workerId)} and not job_id = any(${inHand}::text[])
        and not exists (
          select from table_job o
          where o.bot_id = j.bot_id and o.bot_table_id = j.bot_table_id and o.job_id < j.job_id and o.status in ${unfinished}
        )
      order by created_at limit 1 for update skip locked
    ) returning *`.execute(db)
  return rows[0] ?? null
}

/** Somebody else has taken it over, or its table is gone. */
export class JobLost extends Error {}

export interface Step {
  /** Undefined where nothing was done yet that must not be done again. */
  position?: number
  /** Percent. */
  progress?: number
  status?: 'in_progress' | 'finalizing'
  warnings?: string[]
  /** In its place, from now on. */
  task?: object
}

/** Notes how far it got. In the transaction of what got it there. Throws JobLost. */
export async function advance(
  db: Db,
  job: JobRow,
  { position, progress, status, warnings = [], task }: Step,
): Promise<void> {
  const { rows } = await sql`
    update table_job set updated_at = now(), attempts = ${position === undefined ? sql`attempts` : sql`1`},
      position = coalesce(${position ?? null}::bigint, position), progress = greatest(progress, ${progress ?? null}::real), status = coalesce(${status ?? null}, status),
      warnings = (warnings || ${warnings.map((text) => storableText(text, 500))}::text[])[1:${mostWarnings}], task = coalesce(${task ? JSON.stringify(task) : null}::jsonb, task)
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker} and status in ${unfinished} returning 1`.execute(
    db,
  )
  if (rows.length === 0) throw new JobLost()
}

export async function completeJob(db: Db, job: JobRow, outputFileId: string | null = null): Promise<void> {
  await sql`
    update table_job set status = 'completed', progress = 100, worker = null, output_file_id = ${outputFileId}, updated_at = now()
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}`.execute(db)
}

export async function failJob(db: Db, job: JobRow, reason: string): Promise<void> {
  await sql`
    update table_job set status = 'failed', worker = null, failure = ${storableText(reason, longestReason)}, updated_at = now()
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}`.execute(db)
}

/** To be tried again, now or a little later; not for ever. */
export async function releaseJob(db: Db, job: JobRow, reason: string | null): Promise<void> {
  if (reason !== null && job.attempts >= mostAttempts) return failJob(db, job, reason)
  const pause = reason === null ? 0 : job.attempts
  await sql`
    update table_job set worker = null, not_before = now() + ${pause} * interval '1 second', attempts = attempts - ${reason === null ? 1 : 0}
    where bot_id = ${job.bot_id} and job_id = ${job.job_id} and worker = ${job.worker}`.execute(db)
}

/** Of so many; what is not over is never a hundred. */
export const percent = (done: number, all: number) =>
  all === 0 ? 0 : Math.min(99, Math.floor((done / all) * 100))

const keptDays = 30

export const removeOldJobs = (db: Db) =>
  sql`delete from table_job where status in ('completed', 'failed') and updated_at < now() - ${keptDays} * interval '1 day'`.execute(
    db,
  )
