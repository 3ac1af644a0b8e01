// Owns the table loose_blob, and how a file gets its content. Content is loose (to be swept) from before its first byte arrives until the
// statement that gives it to its file, and again when the file lets it go: a crash at any point leaves nothing behind.
import { sql } from 'kysely'
import type { Blobs } from '../blobs/blobs.ts'
import type { Db } from '../db/open.ts'
import { newUuid } from '../lib/ids.ts'
import type { Upload } from './content-urls.ts'

const sweepLimit = 1000

/** The name for the arriving content; null unless the file still awaits this upload. */
export async function beginUpload(db: Db, { botId, fileId, uploadId }: Upload): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    insert into loose_blob (name, remove_at)
    select ${newUuid()}, now() + interval '1 day' from file
    where bot_id = ${botId} and id = ${fileId} and upload_id = ${uploadId} and (expires_at is null or expires_at > now())
    returning name`.execute(db)
  return rows[0]?.name ?? null
}

/** Gives the file its content. False when it does not await this upload any more: another one finished, or its file is gone. */
export async function finishUpload(db: Db, upload: Upload, blob: string, written: { size: number; sha256: string }): Promise<boolean> {
  const { rows } = await sql`
    with finished as (
      update file set blob = ${blob}, upload_id = null, content_type = ${upload.contentType}, size = ${written.size}, checksum = ${written.sha256},
        status = 'upload_completed', status_reason = null, updated_at = now()
      where bot_id = ${upload.botId} and id = ${upload.fileId} and upload_id = ${upload.uploadId} and (expires_at is null or expires_at > now())
      returning 1
    ), taken as (
      delete from loose_blob where name = ${blob} and exists (select from finished)
    )
    select from finished`.execute(db)
  return rows.length > 0
}

/** Gives up on content that no file took: it will go with the next sweep. */
export async function abandonUpload(db: Db, blob: string): Promise<void> {
  await sql`update loose_blob set remove_at = now() where name = ${blob}`.execute(db)
}

/** Removes files whose time is over, and content that no file holds. Called now and then, by any process; at most a thousand of each at a time. */
export async function removeExpiredFiles(db: Db, blobs: Blobs, now: Date): Promise<void> {
  await sql`
    delete from file where (bot_id, id) in (select bot_id, id from file where expires_at <= ${now} order by expires_at limit ${sweepLimit} for update skip locked)`.execute(
    db,
  )
  await removeLooseBlobs(db, blobs, now)
}

export async function removeLooseBlobs(db: Db, blobs: Blobs, now: Date): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select name from loose_blob where remove_at <= greatest(${now}, now()) order by remove_at limit ${sweepLimit}`.execute(db)
  const names = rows.map((row) => row.name)
  for (const name of names) await blobs.remove(name)
  if (names.length > 0) await sql`delete from loose_blob where name = any(${names})`.execute(db)
}
