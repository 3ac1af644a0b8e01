// Owns the table archive_job: backups and archives that the dashboard starts, and their files.
// Invariant: a job without an end belongs to a process with a lease; otherwise it has failed. The
// file of a job is in the folder of the server that ran it (job-runner.ts).
import { hostname } from 'node:os'
import { ApiError } from '@botstead/contract'
import { maxReasonLength, storableText } from '@botstead/lib'
import { type Database, statement } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import { workers } from '../../core/queue/index.ts'

export type ArchiveKind = 'backup' | 'archive'

/** A backup has no workspace. */
export interface ArchiveOwner {
  kind: ArchiveKind
  workspaceId: string | null
}

export interface ArchiveJob {
  id: string
  kind: ArchiveKind
  workspace_id: string | null
  file_name: string
  has_secrets: boolean
  created_by: string | null
  host: string
  progress: number
  /** A bigint, as the driver returns it. */
  bytes: string
  failure: string | null
  created_at: Date
  ended_at: Date | null
}

const serverStopped = 'The server stopped before the end'

/** A job of a process that is gone has failed, also before a row says so. */
const columns = `j.id, j.kind, j.workspace_id, j.file_name, j.has_secrets, a.email as created_by,
  j.host, j.progress, j.bytes, j.created_at,
  case when j.ended_at is null and not ${workers.isAlive('j.worker')} then '${serverStopped}'
    else j.failure end as failure,
  case when j.ended_at is null and not ${workers.isAlive('j.worker')} then j.created_at
    else j.ended_at end as ended_at`

const isOwned = `j.kind = :kind and j.workspace_id is not distinct from :workspaceId
  and j.deleted_at is null`

const byIdStatement = statement<ArchiveOwner & { id: string }>(
  'find-archive-job',
  `select ${columns} from archive_job j left join account a on a.id = j.created_by
  where j.id = :id and ${isOwned}`,
)

/** Throws ResourceNotFound. */
export async function findArchiveJob(
  database: Database,
  owner: ArchiveOwner,
  id: string,
): Promise<ArchiveJob> {
  const [job] = await database.run<ArchiveJob>(...byIdStatement({ ...owner, id }))
  if (!job)
    throw new ApiError('ResourceNotFound', `The ${owner.kind} "${id}" was not found`)
  return job
}

interface Listing {
  after: { at: Date; id: string } | null
  limit: number
}

/** `is null` and `=` use the index; `is not distinct from` does not. */
const listStatement = (ofWorkspace: string) => `select ${columns}
  from archive_job j left join account a on a.id = j.created_by
  where j.kind = :kind and ${ofWorkspace} and j.deleted_at is null
    and (:at::timestamptz is null or (j.created_at, j.id) < (:at, :afterId))
  order by j.created_at desc, j.id desc limit :limit`
interface ListValues {
  kind: ArchiveKind
  at: Date | null
  afterId: string
  limit: number
}
const listBackups = statement<ListValues>(
  'list-backups',
  listStatement('j.workspace_id is null'),
)
const listArchives = statement<ListValues & { workspaceId: string }>(
  'list-archives',
  listStatement('j.workspace_id = :workspaceId'),
)

/** Newest first. */
export function listArchiveJobs(
  database: Database,
  { kind, workspaceId }: ArchiveOwner,
  { after, limit }: Listing,
): Promise<ArchiveJob[]> {
  const values = { kind, at: after?.at ?? null, afterId: after?.id ?? '', limit }
  return database.run<ArchiveJob>(
    ...(workspaceId === null
      ? listBackups(values)
      : listArchives({ ...values, workspaceId })),
  )
}

interface NewJob extends ArchiveOwner {
  fileName: string
  hasSecrets: boolean
  /** Null for a scheduled backup. */
  accountId: string | null
  scheduledFor?: Date | null
  worker: string
  /** Of archives of the same workspace, or of backups. */
  maxKept: number
}

const endAbandoned = statement<ArchiveOwner & { failure: string }>(
  'end-abandoned-archive-jobs',
  `update archive_job j set ended_at = now(), failure = :failure
  where ${isOwned} and j.ended_at is null and not ${workers.isAlive('j.worker')}`,
)

const insertJob = statement<NewJob & { id: string; host: string }>(
  'create-archive-job',
  `insert into archive_job (id, kind, workspace_id, file_name, has_secrets, created_by, worker, host,
    scheduled_for)
  select :id, :kind, :workspaceId, :fileName, :hasSecrets, :accountId, :worker, :host,
    :scheduledFor::timestamptz
  where (select count(*) from archive_job j where ${isOwned}) < :maxKept::int
  on conflict do nothing
  returning id`,
)

/** Throws ResourceLockedConflict while another one is running, LimitExceeded above `maxKept`. */
export async function createArchiveJob(
  database: Database,
  job: NewJob,
): Promise<ArchiveJob> {
  const { kind, workspaceId, maxKept } = job
  const owner = { kind, workspaceId }
  await database.run(...endAbandoned({ ...owner, failure: serverStopped }))
  const id = newId('archive')
  const [created] = await database.run(
    ...insertJob({ scheduledFor: null, ...job, id, host: hostname() }),
  )
  if (created) return findArchiveJob(database, owner, id)
  const [newest] = await listArchiveJobs(database, owner, { after: null, limit: 1 })
  if (newest?.ended_at === null)
    throw new ApiError(
      'ResourceLockedConflict',
      `Another ${kind} is running: wait for its end`,
    )
  throw new ApiError('LimitExceeded', `${maxKept} ${kind}s exist: delete one first`)
}

const progressStatement = statement<{ id: string; progress: number; bytes: number }>(
  'note-archive-progress',
  `update archive_job set progress = :progress, bytes = :bytes
  where id = :id and ended_at is null returning id`,
)

/** Returns whether the job still exists and runs. */
export const noteProgress = async (
  database: Database,
  id: string,
  now: { progress: number; bytes: number },
): Promise<boolean> =>
  (await database.run(...progressStatement({ id, ...now }))).length > 0

const endStatement = statement<{ id: string; bytes: number; failure: string | null }>(
  'end-archive-job',
  `update archive_job set ended_at = now(), bytes = :bytes, failure = :failure::text,
    progress = case when :failure::text is null then 1 else progress end
  where id = :id and ended_at is null returning id`,
)

/** Returns whether the job still existed. */
export const endJob = async (
  database: Database,
  id: string,
  { bytes, failure }: { bytes: number; failure: string | null },
): Promise<boolean> => {
  const reason = failure && storableText(failure, maxReasonLength)
  return (await database.run(...endStatement({ id, bytes, failure: reason }))).length > 0
}

export const stoppedReason = serverStopped

const deleteStatement = statement<ArchiveOwner & { id: string }>(
  'delete-archive-job',
  `update archive_job j set deleted_at = now(), ended_at = coalesce(ended_at, now())
  where j.id = :id and ${isOwned} returning id`,
)

/** The servers delete its file afterwards. Throws ResourceNotFound. */
export async function deleteArchiveJob(
  database: Database,
  owner: ArchiveOwner,
  id: string,
) {
  const [deleted] = await database.run(...deleteStatement({ ...owner, id }))
  if (!deleted)
    throw new ApiError('ResourceNotFound', `The ${owner.kind} "${id}" was not found`)
}

const listDeletedArchivesStatement = statement(
  'list-deleted-archives',
  'select file_name from archive_job where deleted_at is not null',
)

/** A trigger also deletes the archives of a deleted workspace. */
export const listDeletedFiles = async (database: Database): Promise<string[]> => {
  const rows = await database.run<{ file_name: string }>(
    ...listDeletedArchivesStatement({}),
  )
  return rows.map(({ file_name }) => file_name)
}

/** After this time, no server has the file any more. */
const keptDays = 30

const removeOldArchiveJobsStatement = statement<{ keptDays: number }>(
  'remove-old-archive-jobs',
  'delete from archive_job where deleted_at < now() - make_interval(days => :keptDays)',
)

export const removeOldArchiveJobs = (database: Database) =>
  database.run(...removeOldArchiveJobsStatement({ keptDays }))

const backupsStatement = statement<{ workspaceId: string; since: Date | null }>(
  'list-backups-since',
  `select file_name, created_at from archive_job
  where deleted_at is null and failure is null and kind in ('backup', 'archive')
    and coalesce(workspace_id, :workspaceId) = :workspaceId
    and (:since::timestamptz is null or coalesce(ended_at, now()) >= :since)
  order by created_at, id`,
)

/** Lists the existing backups and archives that contain rows of the workspace from this time. */
export const listBackupsSince = (
  { run }: Pick<Database, 'run'>,
  workspaceId: string,
  since: Date | null,
) =>
  run<{ file_name: string; created_at: Date }>(
    ...backupsStatement({ workspaceId, since }),
  )
