// Interruptions of writes are measured over all people, from each fault to the next one.
import { expect, test } from 'vitest'
import type { Attempt, Person } from '../people.ts'
import { findInterruptions, findLatency } from './interruptions.ts'

const attempt = (at: number, answeredAt: number, status = 201): Attempt => ({
  at,
  answeredAt,
  status,
  reason: '',
  gaveUp: false,
})
const person = (attempts: Attempt[]) =>
  ({
    sent: attempts.map((one) => ({ text: '', messageId: null, attempts: [one] })),
  }) as Person
const fault = (kind: string, from: number, to: number) => ({ kind, from, to })

test('an interruption is the longest time without an accepted message of anyone', () => {
  const people = [
    person([attempt(900, 950), attempt(1_100, 1_200, 503), attempt(1_300, 6_000)]),
    person([attempt(1_000, 1_050), attempt(5_000, 5_500), attempt(6_000, 6_100)]),
  ]
  const faults = [fault('kill', 1_000, 6_200), fault('pause', 7_000, 8_000)]
  expect(findInterruptions(people, faults)).toEqual([
    { kind: 'kill', seconds: 4.5 },
    { kind: 'pause', seconds: 1 },
  ])
})

test('an interruption may last to the end', () => {
  expect(findInterruptions([person([])], [fault('kill', 0, 30_000)])[0]!.seconds).toBe(30)
})

test('messages before a fault and after the next one do not shorten its interruption', () => {
  const people = [
    person([
      attempt(0, 900),
      attempt(4_000, 4_000),
      attempt(9_000, 9_000),
      attempt(9_400, 9_400),
    ]),
  ]
  const faults = [fault('kill', 1_000, 2_000), fault('kill', 5_000, 9_500)]
  expect(findInterruptions(people, faults).map(({ seconds }) => seconds)).toEqual([3, 4])
})

test('latency leaves out rejected messages and those during a fault', () => {
  const usual = Array.from({ length: 200 }, (_, at) => attempt(at, at + 10))
  const slow = [attempt(0, 900, 503), attempt(1_000, 2_500)]
  expect(findLatency([person([...usual, ...slow])], [fault('kill', 1_100, 2_000)])).toBe(
    10,
  )
  expect(findLatency([person([...usual, ...slow])], [])).toBe(10)
  expect(
    findLatency([person([...usual, ...usual.slice(0, 3).map(() => attempt(0, 50))])], []),
  ).toBe(50)
})
