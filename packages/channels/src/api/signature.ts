// Signatures of requests as Standard Webhooks define them (https://www.standardwebhooks.com): the id, the
// time and the body, by HMAC with SHA-256.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { ChannelError } from '../channel.ts'

/** Older and later requests may be repetitions by a reader of them. */
const maxAgeSeconds = 300
const minSecretBytes = 16

/** Throws ChannelError ("credentials"). */
function toKey(secret: string): Buffer {
  const text = secret.trim().replace(/^whsec_/, '')
  const key = Buffer.from(text, 'base64')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || key.length < minSecretBytes)
    throw new ChannelError(
      'credentials',
      `The signing secret must be at least ${minSecretBytes} random bytes in base64. ` +
        'Create one by "openssl rand -base64 32", and use the same in your app.',
    )
  return key
}

const sign = (secret: string, id: string, timestamp: string, body: string) =>
  createHmac('sha256', toKey(secret)).update(`${id}.${timestamp}.${body}`).digest()

/** Returns the headers of a signed request. */
export function toSignedHeaders(
  secret: string,
  id: string,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${sign(secret, id, timestamp, body).toString('base64')}`,
  }
}

/** Throws ChannelError ("forged") with a message that says which header is wrong. */
export function checkSignature(
  secret: string,
  headers: Record<string, string>,
  body: string,
): void {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => {
    const value = headers[`webhook-${name}`]
    if (!value)
      throw new ChannelError('forged', `The header \`webhook-${name}\` is missing`)
    return value
  }) as [string, string, string]
  const age = Date.now() / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : 0)
  if (Math.abs(age) > maxAgeSeconds)
    throw new ChannelError(
      'forged',
      'The header `webhook-timestamp` is not the time of now in seconds: it may differ by 5 minutes',
    )
  const expected = sign(secret, id, timestamp, body)
  if (!signatures.split(' ').some((one) => isSignature(one, expected)))
    throw new ChannelError(
      'forged',
      'The header `webhook-signature` is wrong. It is "v1," and the HMAC-SHA256 of ' +
        '"id.timestamp.body" in base64; its key is the signing secret, decoded from base64.',
    )
}

function isSignature(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given.replace(/^v1,/, ''), 'base64')
  return (
    given.startsWith('v1,') &&
    bytes.length === expected.length &&
    timingSafeEqual(bytes, expected)
  )
}
