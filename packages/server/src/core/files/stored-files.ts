// Files with content that the server has: each is stored with its content in one transaction.
import type { Readable } from 'node:stream'
import type { Database, Db } from '../db/index.ts'
import type { Blobs } from './blobs/blobs.ts'
import { type NewFile, upsertFile } from './files.ts'
import { createLooseBlob, finishUpload, type QuotaDeps, releaseBlob } from './uploads.ts'

interface StoreDeps extends QuotaDeps {
  db: Db
  blobs: Pick<Blobs, 'write'>
}

/** Stores the file in this transaction, and returns its id. */
type Save = (inside: Database) => Promise<string>

/**
 * Creates a file with `size` bytes of content, or replaces the one with its key. Returns its id. `within`
 * combines it with other changes in one transaction. Throws QuotaExceeded, InvalidPayload, and the errors of
 * `within`; the content is then removed.
 */
export async function storeFile(
  deps: StoreDeps,
  botId: string,
  file: NewFile & { contentType: string },
  content: Readable,
  within = (save: Save) => deps.database.inTransaction(save),
): Promise<string> {
  const { db, blobs } = deps
  const blob = await createLooseBlob(db)
  try {
    const { sha256 } = await blobs.write(blob, content, file.size)
    return await within((inside) =>
      save({ ...deps, database: inside }, botId, file, { blob, sha256 }),
    )
  } catch (error) {
    await releaseBlob(db, blob)
    throw error
  }
}

async function save(
  quota: QuotaDeps,
  botId: string,
  file: NewFile & { contentType: string },
  { blob, sha256 }: { blob: string; sha256: string },
): Promise<string> {
  const { id: fileId, upload_id: uploadId } = await upsertFile(
    quota.database.db,
    botId,
    file,
  )
  const { size, contentType } = file
  const upload = { botId, fileId, uploadId, size, contentType }
  if (!(await finishUpload(quota, upload, blob, sha256)))
    throw new Error(`The content of the file ${fileId} was removed before it was stored`)
  return fileId
}
