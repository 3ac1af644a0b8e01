// Ids: a prefix that says what it is, and a ULID, monotonic within the process, so that ids sort by time of making.
import { randomBytes, randomUUID } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const prefixes = {
  account: 'accnt',
  bot: 'bot',
  conversation: 'conv',
  delivery: 'dlv',
  event: 'evt',
  file: 'file',
  integration: 'intver',
  invocation: 'inv',
  key: 'bak',
  integrationKey: 'iak',
  message: 'msg',
  patoken: 'pat',
  user: 'user',
  worker: 'worker',
} as const
export type IdKind = keyof typeof prefixes

/** `msg_01J…`: 28 to 36 characters, as the external contract wants. `at` in milliseconds since 1970. */
export const newId = (kind: IdKind, at?: number) => `${prefixes[kind]}_${ulid(at)}`

/** 122 random bits: for what must not be guessed (webhook ids) and for workspaces. */
export const newUuid = () => randomUUID()

let lastTime = 0
let counter = 0n

/** 48 bits of time, 80 of chance; within one millisecond the last one plus one, so that order is kept. */
export function ulid(at?: number): string {
  const now = at ?? Math.max(Date.now(), lastTime)
  if (at === undefined && now === lastTime) counter += 1n
  else counter = BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n // room to count upwards
  if (at === undefined) lastTime = now
  return encode(BigInt(now), 10) + encode(counter, 16)
}

function encode(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = alphabet[Number(rest & 31n)] + text
  return text
}
