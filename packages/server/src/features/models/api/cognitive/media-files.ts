// Generated audio and images as files of the bot. Everyone with the URL may read them, as a channel
// must to show them; the file's id makes it hard to guess.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BlobServices, contentUrl, storeFile } from '../../../../core/files/index.ts'
import type { Caller, Services } from '../../../../core/http/index.ts'

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
  { botId, integration }: Caller<'bot'>,
  origin: string,
  { content, contentType, extension, expirationDays = usualDays }: NewMedia,
): Promise<string> {
  const file = {
    key: `generated/${randomUUID()}.${extension}`,
    size: content.length,
    contentType,
    accessPolicies: ['public_content'],
    owner: integration
      ? { type: 'integration' as const, ...integration }
      : { type: 'bot' as const, id: botId },
    expiresAt: new Date(Date.now() + expirationDays * dayMs),
  }
  const fileId = await storeFile(services, botId, file, Readable.from([content]))
  return contentUrl(services.secrets, origin, { botId, fileId, isPublic: true })
}
