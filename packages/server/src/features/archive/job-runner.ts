// Writes the files of backups and archives in the background (archive-jobs.ts has the rows). A job
// belongs to the process that created it, which alone knows the passphrase; if the process ends, the
// job has failed, and the next job of the same owner removes its partial file.
import { createReadStream, type ReadStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { createSemaphore, PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Database } from '../../core/db/index.ts'
import type { Blobs } from '../../core/files/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { Tables } from '../../core/table-rules/index.ts'
import { writeAtomically } from './archive-file.ts'
import {
  type ArchiveJob,
  endJob,
  listDeletedFiles,
  noteProgress,
  removeOldArchiveJobs,
  stoppedReason,
} from './archive-jobs.ts'
import { backUp } from './backups/backup.ts'
import { exportWorkspace } from './export.ts'
import { ArchiveError } from './format/archive-error.ts'

interface RunnerDeps {
  database: Database
  blobs: Pick<Blobs, 'read'>
  secrets: Secrets
  tableRules: Tables
  version: string
  /** Of the files. */
  folder: string
  log: Logger
  workerId: () => string
  /** A backup must not take the space that the database needs. */
  isDiskFull: () => boolean
  /** Called when the progress or the end of an archive can be read. */
  onChange: (job: ArchiveJob) => Promise<void>
}

export interface ArchiveRunner {
  readonly folder: string
  /** The process to which new jobs belong. */
  workerId(): string
  /** Starts to write the file. Call it after the commit of the job. */
  start(job: ArchiveJob, passphrase: string | null): void
  /** Writes the file, and waits for the end of the job. */
  run(job: ArchiveJob): Promise<void>
  /** Removes the files of deleted jobs now. */
  sweep(): Promise<void>
  /** Returns the size of a job's file. Throws ResourceLockedConflict or ResourceGone without one. */
  sizeOf(job: ArchiveJob): Promise<number>
  read(job: ArchiveJob, range?: { start: number; end: number }): ReadStream
  stop(): Promise<void>
}

const concurrency = 2
const progressMs = 1_000
const sweepMs = 60_000
/** The first and the longest pause before the end of a job is stored again. */
const endPauses = { firstMs: 500, maxMs: 30_000 }

class Stopped extends Error {}

export function startArchiveRunner(deps: RunnerDeps): ArchiveRunner {
  const { database, folder, log } = deps
  const turns = createSemaphore(concurrency)
  const running = new Map<string, { stopping: AbortController; done: Promise<void> }>()
  const toPath = ({ file_name }: Pick<ArchiveJob, 'file_name'>) => join(folder, file_name)
  const sweep = async () => {
    for (const file of await listDeletedFiles(database))
      await rm(join(folder, file), { force: true })
    await removeOldArchiveJobs(database)
  }
  const sweeping = new PeriodicTask({
    task: sweep,
    paceMs: sweepMs,
    failed: (error) =>
      log.warn({ err: error }, 'cannot remove the files of deleted archives'),
  })
  const start = (job: ArchiveJob, passphrase: string | null) => {
    const stopping = new AbortController()
    const turn = turns.acquire()
    const done = turn.granted
      .then(() => perform(deps, job, passphrase, stopping.signal))
      .catch((error) => log.warn({ err: error }, 'cannot store the end of an archive'))
      .finally(() => {
        turn.release()
        running.delete(job.id)
      })
    running.set(job.id, { stopping, done })
    return done
  }
  return {
    folder,
    workerId: deps.workerId,
    start: (job, passphrase) => void start(job, passphrase),
    run: (job) => start(job, null),
    sweep,
    async sizeOf(job) {
      if (job.ended_at === null)
        throw new ApiError(
          'ResourceLockedConflict',
          `The ${job.kind} is not complete yet`,
        )
      const found = job.failure === null && (await stat(toPath(job)).catch(() => null))
      if (found) return found.size
      throw new ApiError('ResourceGone', missingReason(job, folder))
    },
    read: (job, range) => createReadStream(toPath(job), range),
    async stop() {
      await sweeping.stop()
      for (const { stopping } of running.values()) stopping.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

const missingReason = ({ kind, failure, file_name, host }: ArchiveJob, folder: string) =>
  failure === null
    ? `The file ${file_name} is not in ${folder} of the server ${hostname()}. It was written by ` +
      `${host}: give all servers the same folder (BOTSTEAD_BACKUPS)`
    : `The ${kind} has failed, so there is no file`

/** Writes the file and stores the outcome. Never leaves a partial file. */
async function perform(
  deps: RunnerDeps,
  job: ArchiveJob,
  passphrase: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { folder, log, onChange } = deps
  const file = join(folder, job.file_name)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removePartials(folder, job)
    await writeAtomically(file, (out) => write(deps, job, { out, passphrase, signal }))
    const { size } = await stat(file)
    if (!(await storeEnd(deps, job, { bytes: size, failure: null }, signal)))
      await rm(file)
  } catch (error) {
    const failure = error instanceof Stopped ? stoppedReason : toReason(error, folder)
    if (failure === null)
      log.error({ err: error, archiveId: job.id }, 'an archive failed')
    const reason = failure ?? 'Internal server error; see the server log'
    await storeEnd(deps, job, { bytes: 0, failure: reason }, signal)
  }
  await onChange(job)
}

/**
 * Repeats until the database has stored the end, because a running job prevents the next one, or
 * until the server stops. Returns whether the job still existed.
 */
async function storeEnd(
  { database, log }: RunnerDeps,
  { id }: ArchiveJob,
  outcome: { bytes: number; failure: string | null },
  signal: AbortSignal,
): Promise<boolean> {
  for (
    let pauseMs = endPauses.firstMs;
    ;
    pauseMs = Math.min(2 * pauseMs, endPauses.maxMs)
  ) {
    try {
      return await endJob(database, id, outcome)
    } catch (error) {
      if (signal.aborted) throw error
      log.warn(
        { err: error, archiveId: id },
        'cannot store the end of an archive, and retries',
      )
      await pause(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}

interface Writing {
  out: WriteStream
  passphrase: string | null
  signal: AbortSignal
}

async function write(
  deps: RunnerDeps,
  job: ArchiveJob,
  { out, passphrase, signal }: Writing,
) {
  const { database, log, isDiskFull, onChange } = deps
  let progress = 0
  const stop = () => out.destroy(new Stopped())
  const note = async () => {
    if (isDiskFull())
      return out.destroy(new ArchiveError('The disk of the server is nearly full'))
    if (!(await noteProgress(database, job.id, { progress, bytes: out.bytesWritten })))
      stop()
    await onChange(job)
  }
  const noting = new PeriodicTask({
    task: note,
    paceMs: progressMs,
    failed: (error) =>
      log.warn({ err: error }, 'cannot store the progress of an archive'),
  })
  out.on('error', () => {}) // it may be stopped before anything reads its errors
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const onProgress = (_part: string, _bytes: number, share: number) => {
    progress = share
  }
  try {
    if (job.workspace_id === null) await backUp(deps, out, { files: {}, onProgress })
    else await exportWorkspace(deps, job.workspace_id, out, { passphrase, onProgress })
  } catch (error) {
    throw out.errored instanceof Stopped || out.errored instanceof ArchiveError
      ? out.errored
      : error
  } finally {
    await noting.stop()
  }
}

/** Removes partial files of killed processes: an owner has only one running job. */
async function removePartials(folder: string, { kind, workspace_id }: ArchiveJob) {
  const prefix = fileNamePrefix(kind, workspace_id)
  for (const name of await readdir(folder))
    if (name.startsWith(prefix) && name.endsWith('.part')) await rm(join(folder, name))
}

/** Imported workspaces may have any text as their id. */
const fileNamePrefix = (kind: ArchiveJob['kind'], workspaceId: string | null) =>
  kind === 'backup'
    ? 'botstead-'
    : `workspace-${workspaceId?.replaceAll(/[^\w-]/g, '_').slice(0, 60)}-`

/** Names the owner and the time; the random end keeps names of the same second apart. */
export function archiveFileName(
  kind: ArchiveJob['kind'],
  workspaceId: string | null,
): string {
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const random = Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  const ending = kind === 'backup' ? 'backup' : 'botstead'
  return `${fileNamePrefix(kind, workspaceId)}${time}-${random}.${ending}`
}

const diskErrors: Record<string, string> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is exceeded',
  EACCES: "the server's user may not write there",
  EPERM: "the server's user may not write there",
  EROFS: 'the file system is read-only',
  EIO: 'the disk reports an error',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is not a folder',
}

/** Null for an unexpected error. */
function toReason(error: unknown, folder: string): string | null {
  if (error instanceof ArchiveError) return error.message
  const reason = diskErrors[(error as NodeJS.ErrnoException).code ?? '']
  return reason ? `Cannot write to ${folder}: ${reason}` : null
}
