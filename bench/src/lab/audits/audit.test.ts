// Each count of the audit rises when its promise is broken.
import { expect, test } from 'vitest'
import type { Attempt, Person, Sent } from '../people.ts'
import {
  auditPerson,
  availability,
  type Broken,
  nothingBroken,
  type StoredMessage,
} from './audit.ts'

const accepted = (text: string, at = 0): Sent => ({
  text,
  messageId: `id of ${text}`,
  attempts: [{ at, answeredAt: at + 1, status: 201, reason: '', gaveUp: false }],
})
const failed = (
  text: string,
  ...attempts: [at: number, status: number | null][]
): Sent => ({
  text,
  messageId: null,
  attempts: attempts.map(toFailure),
})
const toFailure = ([at, status]: [number, number | null]): Attempt => ({
  at,
  answeredAt: at + 1,
  status,
  reason: '',
  gaveUp: false,
})
const own = (text: string, id = `id of ${text}`): StoredMessage => ({
  id,
  text,
  userId: 'ann',
})
const answer = (text: string, id = `answer to ${text}`): StoredMessage => ({
  id,
  text,
  userId: 'bot',
})

interface Case {
  sent?: Sent[]
  stored?: StoredMessage[]
  frames?: string[]
  keyed?: boolean
}

const faultless = [own('a'), answer('a'), own('b'), answer('b')]

/** Audits one person, in a run with an outage from 100 to 200 ms. */
function audit({
  sent = [accepted('a'), accepted('b')],
  stored = faultless,
  frames = stored.map(({ id }) => id),
  keyed = false,
}: Case): Partial<Broken> {
  const broken = nothingBroken()
  auditPerson(toPerson(sent, frames, keyed), stored, [{ from: 100, to: 200 }], broken)
  return Object.fromEntries(Object.entries(broken).filter(([, count]) => count > 0))
}

const toPerson = (sent: Sent[], frames: string[] = [], keyed = false): Person => ({
  name: 'ann',
  userId: 'ann',
  key: '',
  conversationId: '',
  chatPath: '',
  keyed,
  sent,
  frames,
})

test('finds nothing in a conversation without faults', () => {
  expect(audit({})).toEqual({})
})

test('counts accepted messages that are not stored', () => {
  expect(audit({ sent: [accepted('a'), accepted('b'), accepted('c')] })).toEqual({
    lost: 1,
  })
})

test('counts copies of a message and of an answer', () => {
  expect(
    audit({ stored: [...faultless, own('b', 'copy'), answer('b', 'again')] }),
  ).toEqual({
    doubled: 1,
    answeredAgain: 1,
  })
})

test('counts answers to no message', () => {
  expect(audit({ stored: [...faultless, answer('c')] })).toEqual({ answeredAgain: 1 })
})

test('counts messages and answers in another order', () => {
  expect(audit({ stored: [own('b'), own('a'), answer('b'), answer('a')] })).toEqual({
    reordered: 1,
  })
  expect(audit({ stored: [own('a'), own('b'), answer('b'), answer('a')] })).toEqual({
    answersReordered: 1,
  })
})

test('counts messages without an answer', () => {
  expect(audit({ stored: [own('a'), own('b'), answer('b')] })).toEqual({ unanswered: 1 })
})

test('counts frames that are missing, repeated or in another order', () => {
  const [first, second, third, fourth] = faultless.map(({ id }) => id) as [
    ...[string, string, string, string],
  ]
  expect(audit({ frames: [first, second, third] })).toEqual({ missedByListener: 1 })
  expect(audit({ frames: [first, second, second, third, fourth] })).toEqual({
    repeatedToListener: 1,
  })
  expect(audit({ frames: [second, first, third, fourth] })).toEqual({
    reorderedToListener: 1,
  })
})

test('accepts a stored message without a response, but not after a rejection', () => {
  const sentWith = (status: number | null) => ({
    sent: [accepted('a'), failed('b', [150, status])],
  })
  for (const status of [null, 500, 502]) expect(audit(sentWith(status))).toEqual({})
  expect(audit(sentWith(503))).toEqual({ storedAfterRejection: 1 })
})

test('counts failures that no outage explains', () => {
  const stored = [own('a'), answer('a')]
  const sentAt = (at: number, status: number | null) => ({
    stored,
    sent: [accepted('a'), failed('c', [at, status])],
  })
  expect(audit(sentAt(150, 503))).toEqual({})
  expect(audit(sentAt(99.5, null))).toEqual({})
  expect(audit(sentAt(150, 404))).toEqual({ unexplainedErrors: 1 })
  expect(audit(sentAt(201, 503))).toEqual({ unexplainedErrors: 1 })
  expect(audit(sentAt(50, null))).toEqual({ unexplainedErrors: 1 })
  const impatient = sentAt(50, null)
  impatient.sent[1]!.attempts[0]!.gaveUp = true
  expect(audit(impatient)).toEqual({})
})

test('counts messages with a key that the server never accepted', () => {
  const sent = [accepted('a'), accepted('b'), failed('c', [150, null], [151, 503])]
  expect(audit({ sent, keyed: true })).toEqual({ neverAccepted: 1 })
})

test('measures the time from a failed request to the next accepted message', () => {
  const people = [
    toPerson([
      accepted('a', 0),
      failed('b', [1_000, null], [1_500, 503]),
      accepted('c', 2_999),
    ]),
    toPerson([accepted('d', 0)]),
  ]
  expect(availability(people)).toEqual({ unavailableSeconds: 1, longestSeconds: 2 })
})
