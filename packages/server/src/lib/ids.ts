// Ids: a prefix that says what it is, and a ULID, monotonic within the process, so that ids sort by time of making.
import { randomFillSync, randomUUID } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const prefixes = {
  account: 'accnt',
  actionRun: 'run',
  bot: 'bot',
  botVersion: 'botver',
  conversation: 'conv',
  delivery: 'dlv',
  event: 'evt',
  file: 'file',
  integration: 'intver',
  invocation: 'inv',
  issue: 'iss',
  issueEvent: 'issevt',
  key: 'bak',
  knowledgeBase: 'kb',
  integrationKey: 'iak',
  interface: 'ifver',
  message: 'msg',
  observation: 'obs',
  patoken: 'pat',
  plugin: 'plugver',
  state: 'state',
  table: 'table',
  tableJob: 'tabjob',
  user: 'user',
  worker: 'worker',
  workflow: 'wrkflow',
} as const
export type IdKind = keyof typeof prefixes

/** `msg_01J…`: 28 to 36 characters, as the external contract wants. `at` in milliseconds since 1970. */
export const newId = (kind: IdKind, at?: number) => `${prefixes[kind]}_${ulid(at)}`

/** Not after any id of that kind made then, and after all made before. */
export const earliestId = (kind: IdKind, at: number) => `${prefixes[kind]}_${timeOf(at)}`

/** 122 random bits: for what must not be guessed (webhook ids) and for workspaces. */
export const newUuid = () => randomUUID()

/** When an id of ours was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  let ms = 0
  for (const digit of id.slice(-26, -16)) ms = ms * 32 + alphabet.indexOf(digit)
  return ms
}

let lastTime = -1
let lastTimeText = ''
/** The eighty bits of chance of the last id, five to a digit. */
const digits = new Uint8Array(16)

/** 48 bits of time, 80 of chance; within one millisecond the last one plus one, so that order is kept. */
export function ulid(at?: number): string {
  if (at !== undefined) return timeOf(at) + textOf(randomDigits(new Uint8Array(16)))
  const now = Math.max(Date.now(), lastTime)
  if (now === lastTime) increment(digits)
  else {
    randomDigits(digits)
    lastTime = now
    lastTimeText = timeOf(now)
  }
  return lastTimeText + textOf(digits)
}

/** Chance in stock: a call for sixteen bytes costs as much as one for a few thousand. */
const chance = new Uint8Array(4_096)
let spent = chance.length

function randomDigits(into: Uint8Array): Uint8Array {
  if (spent === chance.length) {
    randomFillSync(chance)
    spent = 0
  }
  for (let i = 0; i < into.length; i++) into[i] = chance[spent++]! & 31
  into[0]! &= 15 // room to count upwards
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

/** At once: sixteen texts, each longer by one, would be as many things for the garbage collector. */
function textOf(number: Uint8Array): string {
  for (let i = 0; i < number.length; i++) written[i] = characters[number[i]!]!
  return written.toString('latin1')
}

/** Ten digits; numbers, not bits, since 48 bits are more than JavaScript shifts. */
function timeOf(ms: number): string {
  let text = ''
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return text
}
