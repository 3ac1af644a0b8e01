// Owns the table loose_blob, and the upload of content. A blob is loose (to be swept) from before
// its first byte arrives until the statement that assigns it to its file, and again after the file
// releases it. So a crash at any point leaves no orphaned content.

import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Limits } from '../config/index.ts'
import type { Database, Db } from '../db/index.ts'
import { isAwake } from '../queue/index.ts'
import { quotas } from '../usage/index.ts'
import { type Blobs, blobsAreRead } from './blobs/blobs.ts'
import type { Upload } from './content-urls.ts'

const sweepLimit = 1000
/** Removals in parallel: object storage has a high latency per call. */
const concurrency = 20

/** Returns the blob name for the upload; null unless the file still awaits this upload. */
export async function beginUpload(
  db: Db,
  { botId, fileId, uploadId }: Upload,
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    insert into loose_blob (name, remove_at)
    select ${randomUUID()}, now() + ${maxDuration} from file
    where bot_id = ${botId} and id = ${fileId} and upload_id = ${uploadId}
      and (expires_at is null or expires_at > now())
    returning name`.execute(db)
  return rows[0]?.name ?? null
}

/** Returns the blob name for content that the server is about to create. */
export async function createLooseBlob(db: Db): Promise<string> {
  const name = randomUUID()
  await sql`insert into loose_blob (name, remove_at) values (${name}, now() + ${maxDuration})`.execute(
    db,
  )
  return name
}

/** Maximum duration of an upload. */
const maxDuration = sql`interval '2 days'`

/** Dependencies of the quota check. */
export interface QuotaDeps {
  database: Database
  limits: Limits
}

/**
 * Assigns the content to its file. Returns false if the file no longer awaits this upload: another
 * one finished, or the file was deleted. Throws QuotaExceeded, and the errors of `condition`.
 */
export const finishUpload = (
  quota: QuotaDeps,
  upload: Upload,
  blob: string,
  sha256: string,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<boolean> =>
  quotas.within(quota, { botId: upload.botId, type: 'storage_count' }, ({ db }) =>
    giveContent(db, upload, blob, sha256, condition),
  )

async function giveContent(
  db: Db,
  upload: Upload,
  blob: string,
  sha256: string,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  const { rows } = await sql`
    with held as (select name from loose_blob where name = ${blob} and not going for update),
    finished as (
      update file set blob = held.name, upload_id = null, upload_until = null,
        content_type = ${upload.contentType}, size = ${upload.size}::bigint, checksum = ${sha256},
        status = 'upload_completed', status_reason = null, updated_at = now()
      from held
      where bot_id = ${upload.botId} and id = ${upload.fileId} and upload_id = ${upload.uploadId}
        and (expires_at is null or expires_at > now())
        and ${condition}
      returning 1
    ), settled as (delete from loose_blob where name = ${blob} and exists (select from finished))
    select from finished`.execute(db)
  return rows.length > 0
}

/** Removes content that no file uses. If this fails, the next sweep removes it. */
export async function releaseBlob(db: Db, blob: string): Promise<void> {
  await sql`update loose_blob set remove_at = now() where name = ${blob}`
    .execute(db)
    .catch(() => {})
}

/** Fails uploads after their URL expired without content. Earlier content stays. */
export async function failUploads(db: Db): Promise<void> {
  await sql`
    update file set status = 'upload_failed',
      status_reason = 'The upload URL expired before any content arrived', upload_until = null,
        updated_at = now()
    where (bot_id, id) in (select bot_id, id from file where upload_until <= now()
      and ${sql.raw(isAwake('file.bot_id'))} order by upload_until
      limit ${sweepLimit} for update skip locked)`.execute(db)
}

/** Removes expired files and unused content. Any process may call it at any time. */
export async function removeExpiredFiles(db: Db, blobs: Blobs, now: Date): Promise<void> {
  while ((await removeExpired(db, now)) === sweepLimit);
  while ((await removeLooseBlobs(db, blobs, now)) === sweepLimit);
}

async function removeExpired(db: Db, now: Date): Promise<number> {
  const { rows } = await sql`
    delete from file where (bot_id, id) in (select bot_id, id from file where expires_at <= ${now}
      and ${sql.raw(isAwake('file.bot_id'))}
      order by expires_at limit ${sweepLimit} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}

/**
 * Removes at most a thousand loose blobs and returns their number. One process claims and removes
 * each. A failed removal is retried some minutes later and does not delay the others.
 */
export async function removeLooseBlobs(
  db: Db,
  blobs: Blobs,
  now: Date,
  name: string | null = null,
): Promise<number> {
  const names = await claimLoose(db, now, name)
  const failures: unknown[] = []
  for (let from = 0; from < names.length; from += concurrency)
    failures.push(...(await removeSome(db, blobs, names.slice(from, from + concurrency))))
  if (failures.length > 0) throw failures[0]
  return names.length
}

/** Returns the errors. */
async function removeSome(db: Db, blobs: Blobs, names: string[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(names.map((name) => blobs.remove(name)))
  const removed = names.filter((_, nth) => outcomes[nth]!.status === 'fulfilled')
  if (removed.length > 0)
    await sql`delete from loose_blob where name = any(${removed})`.execute(db)
  return outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
}

/**
 * Claims nothing while an archive is being read: its snapshot may contain blobs that were released
 * since.
 */
async function claimLoose(db: Db, now: Date, name: string | null): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update loose_blob set going = true, remove_at = now() + interval '10 minutes'
      where not ${sql.raw(blobsAreRead)} and name in (
      select name from loose_blob where remove_at <= greatest(${now}, now())
        and (${name}::text is null or name = ${name}) order by remove_at limit ${sweepLimit}
          for update skip locked
    ) returning name`.execute(db)
  return rows.map((row) => row.name)
}
