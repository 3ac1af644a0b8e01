// Runs table jobs, a few at a time in each process: claims a job, processes it step by step, and
// saves its outcome. In between, fills the texts of searchable columns (row-texts.ts).
import { ApiError, type ErrorType } from '@botstead/contract'
import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import { fillTexts } from '../rows/row-texts.ts'
import { refillTerms } from '../rows/words.ts'
import type { JobDeps } from './job-deps.ts'
import {
  claimJob,
  completeJob,
  failJob,
  JobLost,
  type JobRow,
  type JobType,
  maxJobAttempts,
  releaseJob,
} from './jobs.ts'
import { toWorks } from './works.ts'

class Stopped extends Error {}

export interface TableJobs {
  /** Looks for jobs now instead of at the next poll. */
  soon(): void
  stop(): Promise<void>
}

/** One workspace takes at most two of them. */
const concurrency = 4

export interface TableJobChange {
  botId: string
  id: string
  tableId: string
  type: string
  hasEnded: boolean
}

interface Runner extends Omit<JobDeps, 'checkStopped'> {
  log: Logger
  workerId: () => string
  workbooks: Parameters<typeof toWorks>[0]
  /** Called when a job has made progress or has ended. */
  onChange?: (job: TableJobChange) => void
}

export function startTableJobs({
  log,
  workerId,
  onChange,
  workbooks,
  ...deps
}: Runner): TableJobs {
  const works = toWorks(workbooks)
  const working = new Map<string, Promise<void>>()
  let stopping = false
  const begin = (job: JobRow) => {
    const { bot_id: botId, job_id: id, bot_table_id: tableId, type } = job
    const changed = (hasEnded = false) =>
      onChange?.({ botId, id, tableId, type, hasEnded })
    const checkStopped = () => {
      changed()
      if (stopping) throw new Stopped()
    }
    const done = perform({ ...deps, checkStopped }, works, job, log)
      .catch((error) =>
        log.warn({ err: error }, 'cannot save the outcome of a table job'),
      )
      .then(() => {
        changed(true)
        working.delete(job.job_id)
        looking.within(0)
      })
    working.set(job.job_id, done)
  }
  const look = async () => {
    while (working.size < concurrency && !stopping) {
      const job = await claimJob(deps.db, workerId(), [...working.keys()])
      if (!job) break
      begin(job)
    }
    const isIdle =
      stopping || !((await fillTexts(deps.db)) || (await refillTerms(deps.db)))
    return isIdle ? undefined : 0
  }
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'cannot query for table jobs')
  const looking = new PeriodicTask({ task: look, paceMs: 1_000, failed })
  return {
    soon: () => looking.within(0),
    async stop() {
      stopping = true
      await looking.stop()
      await Promise.all(working.values())
    },
  }
}

async function perform(
  deps: JobDeps,
  works: ReturnType<typeof toWorks>,
  job: JobRow,
  log: Logger,
): Promise<void> {
  // only after crashes of the worker: a reported error ends a job earlier
  if (job.attempts > maxJobAttempts)
    return failJob(deps.db, job, `The job failed after ${maxJobAttempts} attempts`)
  try {
    const work = works[job.type as JobType]
    if (!work)
      throw new ApiError(
        'NotImplemented',
        `This server does not support jobs of type ${job.type}`,
      )
    await completeJob(deps.db, job, await work(deps, job as JobRow<never>))
  } catch (error) {
    await end(deps, job, error, log)
  }
}

/** Errors that may not occur again on a retry. */
const mayPass: ErrorType[] = ['Unavailable', 'ResourceLockedConflict']

async function end(
  { db }: JobDeps,
  job: JobRow,
  error: unknown,
  log: Logger,
): Promise<void> {
  if (error instanceof JobLost) return
  if (error instanceof Stopped) return releaseJob(db, job, null)
  if (error instanceof ApiError && !mayPass.includes(error.type))
    return failJob(db, job, error.message)
  log.warn(
    { err: error, jobId: job.job_id, botId: job.bot_id },
    'table job failed; retrying',
  )
  await releaseJob(db, job, 'Internal server error; see the server log')
}
