// Signed URLs of versions, which expire after one hour: the URL is the permission.

import { hmac, sameText } from '@botstead/lib'
import type { Secrets } from '../../core/sealing/index.ts'

export const downloadPath = '/v1/bot-versions'
const lifetimeMs = 3_600_000

export function downloadUrl(
  secrets: Secrets,
  origin: string,
  botId: string,
  versionId: string,
  now = Date.now(),
): string {
  const expires = String(now + lifetimeMs)
  const query = new URLSearchParams({
    expires,
    signature: sign(secrets, botId, versionId, expires),
  })
  return `${origin}${downloadPath}/${encodeURIComponent(botId)}/${encodeURIComponent(versionId)}?${query}`
}

/** Returns whether this server signed the URL and it has not expired. */
export function isDownloadSigned(
  secrets: Secrets,
  botId: string,
  versionId: string,
  { expires, signature }: { expires?: unknown; signature?: unknown },
  now = Date.now(),
): boolean {
  const signed =
    typeof signature === 'string' &&
    typeof expires === 'string' &&
    sameText(signature, sign(secrets, botId, versionId, expires))
  return signed && Number(expires) > now
}

const sign = (secrets: Secrets, botId: string, versionId: string, expires: string) =>
  hmac(
    secrets.derive('version download'),
    JSON.stringify([botId, versionId, expires]),
  ).toString('base64url')
