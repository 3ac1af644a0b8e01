// Finds renewals, and ends indexing jobs together with their passages (core/files/indexing-jobs.ts).

import { type Extracted, wordsVersion } from '@botstead/extraction'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type IndexingJob, indexingJobs } from '../../../core/files/index.ts'
import { isAwake } from '../../../core/queue/index.ts'
import { replacePassages } from './passages.ts'

/**
 * Claims a stored file with passages of an earlier version, except for the bots in `busy`. Searches find
 * these passages until the new ones replace them. Files without content have passages of a request
 * (word-refill.ts).
 */
export async function claimOldFile(
  db: Db,
  workerId: string,
  busy: string[],
): Promise<IndexingJob | null> {
  const { rows } = await sql<{ botId: string; fileId: string }>`
    select i.bot_id as "botId", i.file_id as "fileId"
    from file_index i join file f on f.bot_id = i.bot_id and f.id = i.file_id
    where i.words_version < ${sql.lit(wordsVersion)} and i.checksum is not null
      and not i.bot_id = any(${busy}::text[]) and f.status = 'indexing_completed' and f.blob is not null
      and (f.indexing_after is null or f.indexing_after <= now()) and ${sql.raw(isAwake('i.bot_id'))}
    limit 1`.execute(db)
  return rows[0] ? indexingJobs.claimRenewal(db, workerId, rows[0]) : null
}

export async function completeIndexing(
  db: Db,
  job: IndexingJob,
  extracted: Extracted,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await job.end(trx)) await replacePassages(trx, job, extracted, job)
  })
}

/** Fails the job and removes the index of earlier content. A renewal keeps the passages that it has. */
export async function failIndexing(
  db: Db,
  job: IndexingJob,
  reason: string,
): Promise<void> {
  if (job.isRenewal) return keepPassages(db, job)
  await sql`
    with failed as (${job.fail(reason)}
    )
    delete from file_index i using failed where i.bot_id = failed.bot_id and i.file_id = failed.id`.execute(
    db,
  )
}

async function keepPassages(db: Db, job: IndexingJob): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await job.end(trx))) return
    await sql`update file_index set words_version = ${sql.lit(wordsVersion)}
      where bot_id = ${job.botId} and file_id = ${job.fileId}`.execute(trx)
  })
}
