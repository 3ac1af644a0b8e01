// Does the jobs of tables, a few at a time in each process: claims one, works on it step by step, and says how it ended.
import { ApiError, type ErrorType, type TableJobType } from '@botstead/contract'
import type { Logger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import type { Database, Db } from '../db/open.ts'
import { Repeated } from '../lib/repeated.ts'
import { clearColumns } from './clear-columns.ts'
import { copyRows } from './duplicates.ts'
import { exportTable } from './exports.ts'
import { importFile } from './imports.ts'
import { claimJob, completeJob, failJob, JobLost, type JobRow, releaseJob } from './jobs.ts'
import { findWordsAnew } from './words.ts'

export interface JobMeans {
  db: Db
  database: Database
  blobs: Blobs
  leaseSeconds: number
  /** Throws Stopped when this process is to end: what is done is kept, and the rest is somebody else's. */
  goOn: () => void
}

/** Works until it is done, and gives the id of the file that it made, if any. */
export type Work = (means: JobMeans, job: JobRow<never>) => Promise<string | null>

const works: Partial<Record<TableJobType, Work>> = {
  export: exportTable,
  import: importFile,
  clear_column: clearColumns,
  clear_vectors: findWordsAnew,
  duplicate_table: copyRows,
}

class Stopped extends Error {}

export interface TableJobs {
  /** There may be something to do. */
  soon(): void
  stop(): Promise<void>
}

const atOnce = 2

export function startTableJobs(deps: { db: Db; database: Database; blobs: Blobs; log: Logger; leaseSeconds: number }): TableJobs {
  let stopping = false
  const goOn = () => {
    if (stopping) throw new Stopped()
  }
  const task = () => doNext({ ...deps, goOn }, deps.log)
  const failed = (error: unknown) => deps.log.warn({ err: error }, 'jobs of tables could not be looked for')
  const workers = Array.from({ length: atOnce }, () => new Repeated({ task, paceMs: 1_000, failed }))
  return {
    soon() {
      for (const worker of workers) worker.within(0)
    },
    async stop() {
      stopping = true
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** In how many milliseconds to look again. */
async function doNext(means: JobMeans, log: Logger): Promise<number | null> {
  const job = await claimJob(means.db, means.leaseSeconds)
  if (!job) return null
  try {
    const work = works[job.type as TableJobType]
    if (!work) throw new ApiError('NotImplemented', `Jobs of the type ${job.type} are not done here`)
    await completeJob(means.db, job, await work(means, job as JobRow<never>))
  } catch (error) {
    await end(means, job, error, log)
  }
  return 0
}

/** What is not so the next time. */
const mayPass: ErrorType[] = ['Unavailable', 'ResourceLockedConflict']

async function end({ db }: JobMeans, job: JobRow, error: unknown, log: Logger): Promise<void> {
  if (error instanceof JobLost) return
  if (error instanceof Stopped) return releaseJob(db, job, null)
  if (error instanceof ApiError && !mayPass.includes(error.type)) return failJob(db, job, error.message)
  log.warn({ err: error, jobId: job.job_id, botId: job.bot_id }, 'a job of a table failed; trying again')
  await releaseJob(db, job, 'Something went wrong within the server; its log says more')
}
