import { expect, test } from 'vitest'
import { toCause } from './issues.ts'

test.each([
  [
    'No user "user_01KAJ0ZP5S8V3N7Q4XW2R9TDHM" in 3 tables',
    'No user "<id>" in <n> tables',
  ],
  ['9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d is gone', '<id> is gone'],
  ['at 2026-11-21T16:01:56.793Z and 2026-11-21T16:01:56+01:00', 'at <time> and <time>'],
  ['hash deadbeef0123456789 of 12,345.67 bytes', 'hash <id> of <n> bytes'],
  ['127.0.0.1:8080 refused', '<n>:<n> refused'],
  ['a plain feedbacked word stays', 'a plain feedbacked word stays'],
  ['first\n    at second', 'first'],
  ['', ''],
  ['\0half \ud83d', '\ufffdhalf \ufffd'],
])('reduces %j to the cause %j', (message, cause) => {
  expect(toCause(message)).toBe(cause)
})

test.each(['a1', '1.', '-', 'f'])(
  'handles a million repetitions of "%s" fast',
  (text) => {
    expect(toCause(text.repeat(1e6)).length).toBeLessThan(1_000)
  },
)
