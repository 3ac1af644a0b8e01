// Ends indexing jobs together with their passages (core/files/indexing-jobs.ts).
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import type { Extracted } from '../../../core/extraction/index.ts'
import { endIndexing, failJob, type IndexingJob } from '../../../core/files/index.ts'
import { replacePassages } from './passages.ts'

export async function completeIndexing(
  db: Db,
  job: IndexingJob,
  extracted: Extracted,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await endIndexing(trx, job)) await replacePassages(trx, job, extracted, job)
  })
}

/** Fails the job and removes the index of earlier content. */
export async function failIndexing(db: Db, job: IndexingJob, reason: string): Promise<void> {
  await sql`
    with failed as (${failJob(job, reason)}
    )
    delete from file_index i using failed where i.bot_id = failed.bot_id and i.file_id = failed.id`.execute(
    db,
  )
}
