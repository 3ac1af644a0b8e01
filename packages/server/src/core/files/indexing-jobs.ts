// Claims and ends indexing jobs. A file with the status indexing_pending is a job; a trigger sets
// the status with the content. The worker of a job holds its lease (queue/workers.ts). A process
// that dies releases its jobs; the file counts as the cause only after the third time.
// A renewal reads a completed file again, for passages as the present version makes them: nothing of the
// file changes for its owner.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { isAwake, workers } from '../queue/index.ts'
import { type FileRow, noFile } from './files.ts'

interface ClaimedFile {
  botId: string
  fileId: string
  key: string
  contentType: string
  size: number
  blob: string
  checksum: string
  configuration: unknown
  attempts: number
  workerId: string
  isRenewal: boolean
}

export interface IndexingJob extends ClaimedFile {
  /** Ends the job in this transaction. Returns false if it is no longer ours. */
  end(trx: Db): Promise<boolean>
  /** Part of a statement: fails the job. Returns `bot_id` and `id` of its file if it is still ours. */
  fail(reason: string): RawBuilder<unknown>
  /** Retries the job after a growing pause; the file did not cause the failure. */
  postpone(): Promise<unknown>
  /** Releases the job during shutdown, so that another process can claim it. */
  release(): Promise<unknown>
}

const toJob = (db: Db, claimed: ClaimedFile): IndexingJob => ({
  ...claimed,
  end: (trx) => endIndexing(trx, claimed),
  fail: (reason) => sql`
      update file set status = 'indexing_failed', status_reason = ${reason}, indexing_worker = null,
        updated_at = now() where ${isOurs(claimed)} returning bot_id, id`,
  postpone: () =>
    sql`
    update file set indexing_worker = null,
      indexing_after = now() + least(10 * power(4, ${claimed.attempts - 1}::int), 3600) * interval '1 second'
        where ${isOurs(claimed)}`.execute(db),
  release: () =>
    sql`update file set indexing_worker = null, indexing_attempts = indexing_attempts - 1
    where ${isOurs(claimed)}`.execute(db),
})

/**
 * Claims the next job of the next bot in turn, except for the bots in `busy`. Returns null without
 * pending jobs.
 */
export async function claimIndexing(
  db: Db,
  workerId: string,
  after: string,
  busy: string[],
): Promise<IndexingJob | null> {
  const claim = async (from: string, until: string | null) => {
    const { rows } = await sql<ClaimedFile>`
      with next as (
        select bot_id, id from file
        where status = 'indexing_pending' and bot_id > ${from}
          and (${until}::text is null or bot_id <= ${until}) and not bot_id = any(${busy}::text[])
          and (indexing_after is null or indexing_after <= now())
          and ${workers.isFree('indexing_worker', workerId)} and ${sql.raw(isAwake('file.bot_id'))}
        order by bot_id, updated_at limit 1 for update skip locked
      )
      update file f set indexing_worker = ${workerId}, indexing_attempts = indexing_attempts + 1
      from next where f.bot_id = next.bot_id and f.id = next.id
      returning f.bot_id as "botId", f.id as "fileId", key, content_type as "contentType",
        size::float8 as size, blob, checksum,
        ${claimed(workerId)}, false as "isRenewal"`.execute(db)
    return rows[0] ? toJob(db, rows[0]) : null
  }
  return (await claim(after, null)) ?? (after === '' ? null : await claim('', after))
}

const claimed = (
  workerId: string,
) => sql`indexing as configuration, indexing_attempts as attempts,
  ${workerId}::text as "workerId"`

/** Returns null if the file has new content, is gone, waits after a failure, or has another worker. */
async function claimRenewal(
  db: Db,
  workerId: string,
  { botId, fileId }: { botId: string; fileId: string },
): Promise<IndexingJob | null> {
  const { rows } = await sql<ClaimedFile>`
    update file set indexing_worker = ${workerId}, indexing_attempts = indexing_attempts + 1
    where bot_id = ${botId} and id = ${fileId} and status = 'indexing_completed' and blob is not null
      and (indexing_after is null or indexing_after <= now())
      and ${workers.isFree('indexing_worker', workerId)}
    returning bot_id as "botId", id as "fileId", key, content_type as "contentType", size::float8 as size,
      blob, checksum, ${claimed(workerId)}, true as "isRenewal"`.execute(db)
  return rows[0] ? toJob(db, rows[0]) : null
}

/** Condition on the claimed job: new content or another worker invalidates the claim. */
const isOurs = ({ botId, fileId, blob, workerId, isRenewal }: ClaimedFile) =>
  sql<boolean>`bot_id = ${botId} and id = ${fileId} and blob = ${blob}
    and status = ${isRenewal ? 'indexing_completed' : 'indexing_pending'} and indexing_worker = ${workerId}`

async function endIndexing(db: Db, job: ClaimedFile): Promise<boolean> {
  const { rows } = await sql`
      update file set status = 'indexing_completed', status_reason = null, indexing_worker = null,
        indexing_attempts = case when ${job.isRenewal} then 0 else indexing_attempts end,
        updated_at = case when ${job.isRenewal} then updated_at else now() end
      where ${isOurs(job)} returning 1`.execute(db)
  return rows.length > 0
}

/**
 * Notes that passages were set, which cancels the indexing of the current content. An upload in progress
 * may still replace them. Throws ResourceNotFound.
 */
async function markIndexed(
  db: Db,
  { botId, fileId }: { botId: string; fileId: string },
): Promise<void> {
  const { rows } = await sql`
      update file set status = case when status = 'upload_pending' then status else 'indexing_completed' end,
        status_reason = null,
        indexing_worker = null, updated_at = now()
      where bot_id = ${botId} and id = ${fileId} returning 1`.execute(db)
  if (rows.length === 0) throw noFile(fileId)
}

/** Makes the file a job of the indexer. Returns null if it has no complete content. */
async function indexAgain(db: Db, botId: string, id: string): Promise<FileRow | null> {
  const { rows } = await sql<FileRow>`
    update file set index = true, status = 'indexing_pending', status_reason = null,
      indexing_worker = null, indexing_attempts = 0, indexing_after = null, updated_at = now()
    where bot_id = ${botId} and id = ${id} and blob is not null and upload_id is null
    returning *`.execute(db)
  return rows[0] ?? null
}

/** Jobs that index files. */
export const indexingJobs = {
  claim: claimIndexing,
  claimRenewal,
  repeat: indexAgain,
  markIndexed,
}
