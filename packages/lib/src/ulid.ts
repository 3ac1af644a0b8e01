// ULIDs, monotonic within the process: they sort by creation time.
import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns when an id that ends with a ULID was created, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  let ms = 0
  for (const digit of id.slice(-26, -16)) ms = ms * 32 + alphabet.indexOf(digit)
  return ms
}

let lastTime = -1
let lastTimeText = ''
/** The 80 random bits of the last id, five per digit. */
const digits = new Uint8Array(16)

/**
 * Returns 48 bits of time and 80 random bits. Within one millisecond, increments the last id to
 * keep the order.
 */
export function ulid(at?: number): string {
  if (at !== undefined) return ulidTime(at) + encodeText(randomDigits(new Uint8Array(16)))
  const now = Math.max(Date.now(), lastTime)
  if (now === lastTime) increment(digits)
  else {
    randomDigits(digits)
    lastTime = now
    lastTimeText = ulidTime(now)
  }
  return lastTimeText + encodeText(digits)
}

/** A pool of random bytes: filling sixteen bytes costs as much as filling a few thousand. */
const pool = new Uint8Array(4_096)
let used = pool.length

function randomDigits(into: Uint8Array): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  for (let i = 0; i < into.length; i++) into[i] = pool[used++]! & 31
  into[0]! &= 15 // leaves room for increments
  return into
}

function increment(number: Uint8Array) {
  for (let i = number.length - 1; i >= 0; i--) {
    if (number[i]! < 31) return void number[i]!++
    number[i] = 0
  }
}

const characters = Buffer.from(alphabet)
const written = Buffer.alloc(16)

/**
 * Converts in one call: building the text by concatenation would create sixteen strings to collect.
 */
function encodeText(number: Uint8Array): string {
  for (let i = 0; i < number.length; i++) written[i] = characters[number[i]!]!
  return written.toString('latin1')
}

/** Returns the ten digits with which the ULIDs of a time begin. Uses division, because JavaScript's bit shifts are limited to 32 bits. */
export function ulidTime(ms: number): string {
  let text = ''
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text
  return text
}
