// Each count of the audit rises when its promise is broken.
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../channels/telegram.ts'
import { auditChannel } from './channel-audit.ts'

const at = (time: number, chat: number, text: string): ChatMessage => ({
  at: time,
  chat,
  text,
})
const written = [at(0, 1, 'a'), at(1, 1, 'b'), at(2, 2, 'c')]
const [a, b, c] = [at(10, 1, 'm1 a'), at(20, 1, 'm2 b'), at(30, 2, 'm3 c')] as const
const kills = [{ from: 10_000, to: 10_010 }]

/** Returns the counts that are not 0. */
function audit(sent: ChatMessage[], polledAt = [10_005, 10_500]): Record<string, number> {
  const { promises, measurements } = auditChannel({ written, sent, polledAt, kills })
  const { repeatedToPerson } = measurements
  const all = Object.entries({ ...promises, repeatedToPerson })
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}

test('finds nothing when each message has one answer, in order', () => {
  expect(audit([a, b, c])).toEqual({})
  expect(audit([c, a, b])).toEqual({})
})

test.each([
  ['lost', [a, c], { lost: 1 }],
  ['doubled to the bot', [a, b, c, at(40, 2, 'm4 c')], { doubledToBot: 1 }],
  ['reordered', [at(25, 1, 'm1 a'), b, c], { reordered: 1 }],
  ['in another chat', [a, b, c, at(40, 1, 'm3 c')], { misdirected: 1 }],
  ['no answer', [a, b, c, at(40, 1, 'hello')], { misdirected: 1 }],
  [
    'sent again',
    [a, b, c, at(40, 2, 'm3 c')],
    { doubledToPerson: 1, repeatedToPerson: 1 },
  ],
])('counts what is %s', (_, sent, expected) => {
  expect(audit(sent)).toEqual(expected)
})

test('a message that is sent just before a kill may be sent again after it', () => {
  const sent = (first: number, second: number) => [
    a,
    b,
    at(first, 2, 'm3 c'),
    at(second, 2, 'm3 c'),
  ]
  expect(audit(sent(9_990, 10_900))).toEqual({ repeatedToPerson: 1 })
  expect(audit(sent(9_980, 9_990))).toEqual({ doubledToPerson: 1, repeatedToPerson: 1 })
  expect(audit(sent(7_000, 10_900))).toEqual({ doubledToPerson: 1, repeatedToPerson: 1 })
})

test('counts kills after which no server receives for more than five seconds', () => {
  expect(audit([a, b, c], [10_005, 14_900])).toEqual({})
  expect(audit([a, b, c], [10_005, 15_100])).toEqual({ lateResumes: 1 })
  expect(audit([a, b, c], [10_005])).toEqual({ lateResumes: 1 })
})
