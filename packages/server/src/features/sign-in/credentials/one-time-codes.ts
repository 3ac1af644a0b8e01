// Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, which every app
// supports.
import { createHmac, timingSafeEqual } from 'node:crypto'

const periodMs = 30_000
const digits = 6
/** Periods before and after the current one with valid codes: clocks of phones differ. */
const tolerance = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 (RFC 4648) without padding. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

export const toCode = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const value = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

/** Returns the period to which the code belongs; null for a wrong code. */
export function findStep(secret: Buffer, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = Math.floor(now / periodMs)
  let found: number | null = null
  for (let step = current - tolerance; step <= current + tolerance; step++)
    if (timingSafeEqual(Buffer.from(toCode(secret, step)), Buffer.from(code)))
      found = step
  return found
}

/** The URL that apps read from a QR code. */
export function toOtpAuthUrl(secret: Buffer, email: string): string {
  const issuer = 'Botstead'
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(periodMs / 1_000),
  })
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?${query}`
}
