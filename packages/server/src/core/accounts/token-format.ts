// The format of tokens: `bp_pat_`, `bp_bak_` or `bp_iak_`, 32 random characters (190 bits), and 6
// of CRC-32 over all before them. So the server rejects mistyped and foreign tokens without a
// query, and secret scanners can recognise real ones.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type TokenKind = 'pat' | 'bak' | 'iak'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const shape = new RegExp(
  `^bp_(pat|bak|iak)_[0-9A-Za-z]{${secretLength + checksumLength}}$`,
)

/** `seed`, 32 bytes, always gives the same token; the default is random. */
export function createTokenValue(
  kind: TokenKind,
  seed: Buffer = randomBytes(32),
): string {
  const body = `bp_${kind}_${base62(BigInt(`0x${seed.toString('hex')}`), secretLength)}`
  return body + checksum(body)
}

/** Returns the kind of a well-formed token, which may still be unknown; else null. */
export function tokenKind(text: string): TokenKind | null {
  const kind = shape.exec(text)?.[1]
  return kind && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
    ? (kind as TokenKind)
    : null
}

const checksum = (body: string) => base62(BigInt(crc32(body)), checksumLength)

/** Returns the last `length` digits. With 256 random bits the bias of a digit is below 2^-60. */
function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest /= 62n)
    text = alphabet[Number(rest % 62n)] + text
  return text
}
