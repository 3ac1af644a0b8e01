import { expect, test } from 'vitest'
import { openReadableLog } from './readable-log.ts'

test('writes warnings and errors as sentences, and no JSON', () => {
  const lines: string[] = []
  const log = openReadableLog((text) => lines.push(text))
  log.info('is not for people')
  log.warn(
    { reason: 'connection refused', retryMs: 200 },
    'the database cannot be reached',
  )
  log.error({ err: new Error('no space left') }, 'cannot write the backup')
  expect(lines[0]).toBe('  Warning: the database cannot be reached: connection refused\n')
  expect(lines[1]).toMatch(
    /^ {2}Error: cannot write the backup: no space left\n\s+at .+:\d+:\d+/,
  )
  expect(lines).toHaveLength(2)
})
