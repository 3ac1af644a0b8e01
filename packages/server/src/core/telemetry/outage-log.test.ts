import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logOptions } from './log.ts'
import { limitOutages } from './outage-log.ts'

const away = () =>
  Object.assign(new Error('the database system is starting up'), { code: '57P03' })

function openLog() {
  let ms = 0
  const lines: Record<string, unknown>[] = []
  const out = new Writable({
    write(line, _, done) {
      lines.push(JSON.parse(line))
      done()
    },
  })
  const log = pino({ ...logOptions, hooks: { logMethod: limitOutages(() => ms) } }, out)
  return { log, lines, wait: (more: number) => (ms += more) }
}

test('writes one line a minute about an outage, with the number of failures', () => {
  const { log, lines, wait } = openLog()
  for (let second = 0; second < 125; second++) {
    log.warn({ err: away() }, 'a task failed')
    log.child({ task: 'other' }).error({ err: away() }, 'another task failed')
    log.warn({ databaseReason: 'Connection terminated' }, 'a database connection ended')
    wait(1_000)
  }
  expect(lines.map(({ failures }) => failures)).toEqual([1, 180, 180])
  expect(lines[0]).toMatchObject({
    level: 40,
    reason: 'the database system is starting up',
    msg: expect.stringContaining('the database is not available'),
  })
})

test('writes all other lines', () => {
  const { log, lines } = openLog()
  log.warn({ err: away() }, 'a task failed')
  log.warn(
    { err: Object.assign(new Error('no such file'), { code: 'ENOENT' }) },
    'cannot read',
  )
  log.error(
    { err: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) },
    'a model failed',
  )
  log.error(
    { err: Object.assign(new Error('duplicate key'), { code: '23505' }) },
    'a task failed',
  )
  log.info({ err: away() }, 'a note')
  log.warn('a text')
  expect(lines.map(({ msg }) => msg).slice(1)).toEqual([
    'cannot read',
    'a model failed',
    'a task failed',
    'a note',
    'a text',
  ])
})
