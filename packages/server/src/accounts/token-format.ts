// What our tokens look like: `bp_pat_`, `bp_bak_` or `bp_iak_`, 32 characters of chance (190 bits), and 6 of CRC-32 over all before them,
// so that a mistyped token, or a stranger's, is told apart without asking the database, and secret scanners can recognise a real one.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type TokenKind = 'pat' | 'bak' | 'iak'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const shape = new RegExp(`^bp_(pat|bak|iak)_[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** `seed`, 32 bytes, makes the same token again; without it the token is new. */
export function makeToken(kind: TokenKind, seed: Buffer = randomBytes(32)): string {
  const body = `bp_${kind}_${base62(BigInt(`0x${seed.toString('hex')}`), secretLength)}`
  return body + checksum(body)
}

/** The kind, when the text is whole; it may still be unknown. */
export function tokenKind(text: string): TokenKind | null {
  const kind = shape.exec(text)?.[1]
  return kind && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
    ? (kind as TokenKind)
    : null
}

const checksum = (body: string) => base62(BigInt(crc32(body)), checksumLength)

/** The last `length` digits: of 256 random bits that leaves no digit likelier than another by more than 2^-60. */
function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}
