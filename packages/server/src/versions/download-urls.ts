// The URL under which a version is there for an hour: signed, so that the URL is the permission.
import { hmac, type Secrets, sameText } from '../lib/secrets.ts'

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
  const query = new URLSearchParams({ expires, signature: sign(secrets, botId, versionId, expires) })
  return `${origin}${downloadPath}/${encodeURIComponent(botId)}/${encodeURIComponent(versionId)}?${query}`
}

/** Whether we signed this, and it is not over yet. */
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
  hmac(secrets.derive('version download'), JSON.stringify([botId, versionId, expires])).toString('base64url')
