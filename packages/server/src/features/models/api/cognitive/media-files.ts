// Generated audio and images as files of the bot. Everyone with the URL may read them, as a channel
// must to show them; the file's id makes it hard to guess.
import { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { BotCaller } from '../../../../core/accounts/index.ts'
import type { BlobServices } from '../../../../core/blobs/index.ts'
import {
  beginUpload,
  contentUrl,
  finishUpload,
  releaseBlob,
  upsertFile,
} from '../../../../core/files/index.ts'
import type { Services } from '../../../../core/http/index.ts'
import { newUuid } from '../../../../core/lib/index.ts'

const dayMs = 86_400_000
const usualDays = 30

interface NewMedia {
  content: Buffer
  contentType: string
  extension: string
  expirationDays: number | undefined
}

/** Returns the URL. Throws QuotaExceeded. */
export async function storeMedia(
  services: Services & BlobServices,
  { botId, integration }: BotCaller,
  origin: string,
  { content, contentType, extension, expirationDays = usualDays }: NewMedia,
): Promise<string> {
  const { db, blobs, secrets } = services
  const { id: fileId, upload_id: uploadId } = await upsertFile(db, botId, {
    key: `generated/${newUuid()}.${extension}`,
    size: content.length,
    contentType,
    accessPolicies: ['public_content'],
    owner: integration ? { type: 'integration', ...integration } : { type: 'bot', id: botId },
    expiresAt: new Date(Date.now() + expirationDays * dayMs),
  })
  const upload = { botId, fileId, uploadId, size: content.length, contentType }
  const blob = await beginUpload(db, upload)
  if (!blob) throw deleted()
  try {
    const { sha256 } = await blobs.write(blob, Readable.from([content]), content.length)
    if (!(await finishUpload(services, upload, blob, sha256))) throw deleted()
  } catch (error) {
    await releaseBlob(db, blob)
    throw error
  }
  return contentUrl(secrets, origin, { botId, fileId, isPublic: true })
}

const deleted = () => new ApiError('ResourceNotFound', 'The file was deleted while it was written')
