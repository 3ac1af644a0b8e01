// Makes backups by a schedule: writes the file, restores it into a temporary database, copies it to
// a bucket, and deletes older ones. Of several servers, the one that creates the row of a time
// makes its backup. Backups that people make are not deleted.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { maxReasonLength, PeriodicTask, storableText } from '@botstead/lib'
import type { Logger } from 'pino'
import { type Database, statement } from '../../../core/db/index.ts'
import type { Blobs } from '../../../core/files/index.ts'
import { nextTick } from '../../../core/lib/index.ts'
import { workers } from '../../../core/queue/index.ts'
import {
  type ArchiveJob,
  createArchiveJob,
  deleteArchiveJob,
  findArchiveJob,
  stoppedReason,
} from '../archive-jobs.ts'
import { type ArchiveRunner, archiveFileName } from '../job-runner.ts'

interface Deps {
  database: Database
  runner: ArchiveRunner
  /** Returns the plan as it is now. */
  getPlan: () => BackupPlan
  /** Throws if the backup cannot be restored. */
  verify: (file: string) => Promise<void>
  bucket: Pick<Blobs, 'write' | 'remove'> | null
  log: Logger
}

interface BackupPlan {
  /** Five fields; null makes no backups. */
  schedule: string | null
  /** How many scheduled backups are kept. */
  keep: number
  /** Whether each backup is restored as a test. */
  verifies: boolean
  /** When the schedule was set; null if the start of the server sets it. Times before lead to no backup. */
  setAt: Date | null
}

export interface BackupState {
  /** Five fields; null without a schedule. */
  schedule: string | null
  /** Of the newest complete backup of the installation. */
  lastSuccessAt: Date | null
  /** Of the newest backup that was restored as a test. */
  lastVerifiedAt: Date | null
  /** Of the next scheduled one. */
  nextAt: Date | null
  /** Why the newest backup that ended has failed, or is not verified or copied; null if it is good. */
  failure: { at: Date; reason: string } | null
  /** Whether the newest complete backup is older than two periods of the schedule. */
  isOverdue: boolean
}
export interface ScheduledBackups {
  /** Null until the first look, some seconds ago. */
  latest(): BackupState | null
  read(): Promise<BackupState>
  stop(): Promise<void>
}

const paceMs = 5_000
const owner = { kind: 'backup', workspaceId: null } as const

export function startScheduledBackups(deps: Deps): ScheduledBackups {
  const startedAt = new Date()
  let latest: BackupState | null = null
  const read = () => readState(deps, startedAt)
  const task = new PeriodicTask({
    task: async () => {
      latest = await read()
      if (!latest.nextAt) return
      const restMs = latest.nextAt.getTime() - Date.now()
      if (restMs > 0) return restMs
      await makeBackup(deps, latest.nextAt)
      return 0
    },
    paceMs,
    failed: (error) => deps.log.error({ err: error }, 'a scheduled backup failed'),
  })
  return { latest: () => latest, read, stop: () => task.stop() }
}

interface StateRow extends Pick<BackupState, 'lastSuccessAt' | 'lastVerifiedAt'> {
  /** When the newest scheduled backup began. */
  last: Date | null
  failedAt: Date | null
  failure: string | null
}

/** A backup that a person stops is deleted. One whose server stopped has no end. */
const stateQuery = statement(
  'read-backup-state',
  `select newest.reason as failure, newest.began as "failedAt",
    (select created_at from archive_job where scheduled_for is not null
      order by scheduled_for desc limit 1) as last,
    (select max(ended_at) from archive_job
      where kind = 'backup' and failure is null and progress = 1) as "lastSuccessAt",
    (select max(verified_at) from archive_job) as "lastVerifiedAt"
  from (select) as always left join lateral (
    select j.created_at as began, coalesce(
      j.failure, 'it cannot be restored: ' || j.verification_failure,
      'it is not in the bucket: ' || j.copy_failure,
      case when j.ended_at is null then '${stoppedReason}' end) as reason
    from archive_job j
    where j.kind = 'backup' and j.workspace_id is null and j.deleted_at is null
      and (j.ended_at is not null or not ${workers.isAlive('j.worker')})
    order by j.created_at desc, j.id desc limit 1
  ) newest on true`,
)

/** Times that passed while no server ran lead to one backup. */
async function readState(
  { database, getPlan }: Pick<Deps, 'database' | 'getPlan'>,
  startedAt: Date,
): Promise<BackupState> {
  const [row] = await database.run<StateRow>(...stateQuery({}))
  const { last, lastSuccessAt, lastVerifiedAt, failure, failedAt } = row!
  const { schedule, setAt } = getPlan()
  const since = setAt ?? startedAt
  const next = (after: Date | null) =>
    schedule && after ? nextTick(schedule, after) : null
  const overdueAt = next(next(later(lastSuccessAt, setAt) ?? since))
  return {
    schedule,
    lastSuccessAt,
    lastVerifiedAt,
    nextAt: next(later(last, setAt) ?? since),
    failure: failure !== null && failedAt ? { at: failedAt, reason: failure } : null,
    isOverdue: overdueAt !== null && overdueAt < new Date(),
  }
}

function later(one: Date | null, other: Date | null): Date | null {
  return one && other && other > one ? other : one
}

async function makeBackup(deps: Deps, scheduledFor: Date): Promise<void> {
  const { database, runner, log } = deps
  const job = await createArchiveJob(database, {
    ...owner,
    scheduledFor,
    hasSecrets: true,
    accountId: null,
    maxKept: 1_000_000,
    worker: runner.workerId(),
    fileName: archiveFileName('backup', null),
  }).catch((error) => {
    // Another server makes it, or a person's backup is running: the task looks again.
    log.debug({ err: error }, 'no scheduled backup now')
    return null
  })
  if (!job) return
  await runner.run(job)
  const { failure } = await findArchiveJob(database, owner, job.id)
  if (failure !== null) throw new Error(failure)
  await verifyBackup(deps, job)
  await copyToBucket(deps, job)
  await deleteOlder(deps)
}

const noteStatement = statement<{ id: string; failure: string | null }>(
  'note-verification',
  `update archive_job set verification_failure = :failure::text,
    verified_at = case when :failure::text is null then now() end
  where id = :id returning id`,
)

/** Throws if the verification fails, so that older backups stay. */
async function verifyBackup(deps: Deps, job: ArchiveJob) {
  const { database, runner, verify, log, getPlan } = deps
  if (!getPlan().verifies) return
  const failure = await verify(join(runner.folder, job.file_name)).then(
    () => null,
    (error: Error) => storableText(error.message, maxReasonLength),
  )
  await database.run(...noteStatement({ id: job.id, failure }))
  if (failure !== null)
    throw new Error(`The backup ${job.file_name} cannot be restored: ${failure}`)
  log.info(
    { file: job.file_name },
    'made a backup and restored it into a temporary database',
  )
}

/** Names of objects have no dots. */
const objectName = ({ file_name }: Pick<ArchiveJob, 'file_name'>) =>
  file_name.replaceAll('.', '-')

const noteCopyStatement = statement<{ id: string; failure: string }>(
  'note-failed-copy',
  'update archive_job set copy_failure = :failure where id = :id returning id',
)

/** Throws if the copy fails, so that older backups stay. */
async function copyToBucket({ database, runner, bucket }: Deps, job: ArchiveJob) {
  if (!bucket) return
  const file = join(runner.folder, job.file_name)
  try {
    await bucket.write(objectName(job), createReadStream(file), (await stat(file)).size)
  } catch (error) {
    const failure = storableText((error as Error).message, maxReasonLength)
    await database.run(...noteCopyStatement({ id: job.id, failure }))
    throw error
  }
}

const olderStatement = statement<{ keep: number }>(
  'list-older-backups',
  `select id, file_name from archive_job
  where kind = 'backup' and scheduled_for is not null and deleted_at is null and created_at < (
    select min(created_at) from (
      select created_at from archive_job
      where kind = 'backup' and scheduled_for is not null and deleted_at is null
        and ended_at is not null and failure is null and verification_failure is null
        and copy_failure is null
      order by created_at desc limit :keep::int
    ) kept
  )`,
)

async function deleteOlder({ database, runner, getPlan, bucket }: Deps) {
  const { keep } = getPlan()
  for (const { id, file_name } of await database.run<ArchiveJob>(
    ...olderStatement({ keep }),
  )) {
    await bucket?.remove(objectName({ file_name }))
    await deleteArchiveJob(database, owner, id)
  }
  await runner.sweep()
}
