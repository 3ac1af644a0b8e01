// Copies a file to a new key, in the same bot or another one. The content is copied, too.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { quotas } from '../usage/index.ts'
import { BlobNotFound, type Blobs } from './blobs/blobs.ts'
import { checkKey, type FileOwner, type FileRow, noFile } from './files.ts'
import { createLooseBlob, type QuotaDeps, releaseBlob } from './uploads.ts'

interface CopyTarget {
  botId: string
  key: string
  owner: FileOwner
  /** Replaces an existing file with this key. */
  overwrite: boolean
}

/**
 * Copies a file with all metadata of the source, including its expiry. Throws InvalidPayload for a
 * source without content, ResourceNotFound if the source is deleted in the meantime, AlreadyExists,
 * QuotaExceeded.
 */
export async function copyFile(
  db: Db,
  blobs: Blobs,
  quota: QuotaDeps,
  source: FileRow,
  target: CopyTarget,
): Promise<FileRow> {
  checkKey(target.key)
  if (!source.blob)
    throw new ApiError(
      'InvalidPayload',
      'The file has no content to copy; upload it first',
    )
  // a cheap check before the content is copied; the statement below decides
  if (!target.overwrite && (await isTaken(db, target))) throw alreadyExists(target)
  const blob = await createLooseBlob(db)
  try {
    await blobs.copy(source.blob, blob)
    const copy = await quotas.within(
      quota,
      { botId: target.botId, type: 'storage_count' },
      (inside) => insertCopy(inside.db, source, target, blob),
    )
    if (!copy) throw alreadyExists(target)
    return copy
  } catch (error) {
    await releaseBlob(db, blob)
    throw error instanceof BlobNotFound ? noFile(source.id) : error
  }
}

const alreadyExists = ({ key }: CopyTarget) =>
  new ApiError(
    'AlreadyExists',
    `A file with the key ${JSON.stringify(key)} already exists; set \`overwrite\` to replace it`,
  )
const getAlias = ({ owner }: CopyTarget) =>
  owner.type === 'integration' ? (owner.alias ?? null) : null

async function isTaken(db: Db, target: CopyTarget): Promise<boolean> {
  const { rows } = await sql`
    select from file where bot_id = ${target.botId} and integration is not distinct from
      ${getAlias(target)} and key = ${target.key}
      and (expires_at is null or expires_at > now())`.execute(db)
  return rows.length > 0
}

/**
 * Inserts the row and its content in one statement. Returns undefined if another file has the key
 * and may not be replaced.
 */
async function insertCopy(
  db: Db,
  source: FileRow,
  target: CopyTarget,
  blob: string,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    with held as (select name from loose_blob where name = ${blob} and not going for update),
    copied as (
      insert into file as f (bot_id, id, integration, key, content_type, size, status, owner, tags, metadata,
        access_policies, index, indexing, blob, checksum, expires_at)
      select ${target.botId}, ${newId('file')}, ${getAlias(target)}, ${target.key},
        ${source.content_type}, ${source.size}::bigint, 'upload_completed',
        ${JSON.stringify(target.owner)}::jsonb, ${JSON.stringify(source.tags)}::jsonb,
          ${JSON.stringify(source.metadata)}::jsonb, ${source.access_policies}::text[],
        ${source.index}, ${source.indexing ? JSON.stringify(source.indexing) : null}::jsonb, held.name,
          ${source.checksum}, ${source.expires_at}::timestamptz
      from held
      on conflict (bot_id, integration, key) do update set
        content_type = excluded.content_type, size = excluded.size, status = excluded.status,
          status_reason = null, tags = excluded.tags, metadata = excluded.metadata,
        access_policies = excluded.access_policies, index = excluded.index, indexing = excluded.indexing,
          blob = excluded.blob, checksum = excluded.checksum, expires_at = excluded.expires_at,
        upload_id = null, upload_until = null, updated_at = now()
      where ${target.overwrite} or f.expires_at <= now()
      returning *
    ), settled as (delete from loose_blob where name = ${blob} and exists (select from copied))
    select * from copied`.execute(db)
  return rows[0]
}
