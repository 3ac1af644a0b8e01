// Signed URLs of file content. An upload URL contains and signs the file, size, type and expiry of
// the upload, so that the URL itself is the permission. A download URL is signed the same way,
// unless the content is public.

import { hmac, sameText } from '@botstead/lib'
import type { Secrets } from '../sealing/index.ts'

export const contentPath = '/v1/files-content'
const lifetimeMs = 3_600_000

export interface Upload {
  botId: string
  fileId: string
  uploadId: string
  size: number
  contentType: string
}

export interface SignedQuery {
  upload?: string
  size?: string
  type?: string
  expires?: string
  signature?: string
}

export function uploadUrl(
  secrets: Secrets,
  origin: string,
  upload: Upload,
  now = Date.now(),
): string {
  const { botId, fileId, uploadId, size, contentType } = upload
  const query = {
    upload: uploadId,
    size: String(size),
    type: contentType,
    expires: String(now + lifetimeMs),
  }
  const signature = sign(secrets, 'PUT', botId, fileId, query)
  return `${toUrl(origin, botId, fileId)}?${new URLSearchParams({ ...query, signature })}`
}

export function contentUrl(
  secrets: Secrets,
  origin: string,
  file: { botId: string; fileId: string; isPublic: boolean },
  now = Date.now(),
): string {
  const place = toUrl(origin, file.botId, file.fileId)
  if (file.isPublic) return place
  const query = { expires: String(now + lifetimeMs) }
  const signature = sign(secrets, 'GET', file.botId, file.fileId, query)
  return `${place}?${new URLSearchParams({ ...query, signature })}`
}

/**
 * Returns whether the URL was signed with this key, by default ours, for this method, bot and file,
 * and has not expired.
 */
export function isSigned(
  secrets: Secrets,
  method: 'GET' | 'PUT',
  botId: string,
  fileId: string,
  query: SignedQuery,
  now = Date.now(),
  key = secrets.derive('upload'),
): boolean {
  return (
    sameText(query.signature ?? '', signWith(key, method, botId, fileId, query)) &&
    Number(query.expires) > now
  )
}

const toUrl = (origin: string, botId: string, fileId: string) =>
  `${origin}${contentPath}/${encodeURIComponent(botId)}/${encodeURIComponent(fileId)}`

const sign = (secrets: Secrets, ...what: [string, string, string, SignedQuery]) =>
  signWith(secrets.derive('upload'), ...what)

function signWith(
  key: Buffer,
  method: string,
  botId: string,
  fileId: string,
  { upload, size, type, expires }: SignedQuery,
): string {
  const bound = JSON.stringify([
    method,
    botId,
    fileId,
    upload ?? '',
    size ?? '',
    type ?? '',
    expires ?? '',
  ])
  return hmac(key, bound).toString('base64url')
}
