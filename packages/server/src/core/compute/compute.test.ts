import { performance } from 'node:perf_hooks'
import { afterAll, expect, test } from 'vitest'
import { openAllowances } from './allowances.ts'
import { openCompute } from './compute.ts'
import { packTexts, unpackTexts } from './packed-texts.ts'

const compute = openCompute({ threads: 2 })
afterAll(() => compute.close())

const where = ['storage' as const]
const custom = (pattern: string) => ({ kind: 'custom' as const, pattern, where })
const slow = custom('(?:[a-z]{1,100}){10}[0-9]')
const redact = (tenant: string, pattern: ReturnType<typeof custom>, text: string) =>
  compute.run(
    tenant,
    'redact',
    { rules: [pattern], texts: packTexts([text]), allowance: Number.POSITIVE_INFINITY },
    { lane: 'shared' },
  )
const toType = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error) => error.type,
  )
/** A document that takes seconds to check: deadlines below are shorter. */
const endless = {
  json: JSON.stringify({
    version: 2,
    kind: 'bot',
    flows: {
      main: {
        start: 'a',
        nodes: Object.fromEntries(
          Array.from({ length: 20_000 }, (_, i) => [
            `n${i}`,
            { cards: [{ kind: 'code', code: `const a${i} = 1` }] },
          ]),
        ),
      },
    },
  }),
}

test('runs tasks, and passes their errors on', async () => {
  const { texts } = await redact('a', custom('K-\\d+'), 'K-12')
  expect(unpackTexts(texts)).toEqual(['[redacted]'])
  await expect(
    compute.run('a', 'findMismatch', { schema: { type: 1 }, value: 1 }),
  ).rejects.toMatchObject({ type: 'InvalidJsonSchema' })
})

test('packs texts', () => {
  const texts = ['a', '', null, '😀b']
  expect(unpackTexts(packTexts(texts))).toEqual(texts)
})

test('alternates between tenants in the shared thread', async () => {
  await redact('a', custom('a'), 'a')
  const order: string[] = []
  const long = Array.from({ length: 3 }, () =>
    redact('hostile', slow, 'abc'.repeat(3_000)).then(() => order.push('hostile')),
  )
  await redact('other', custom('b'), 'b').then(() => order.push('other'))
  await Promise.all(long)
  expect(order).toEqual(['other', 'hostile', 'hostile', 'hostile'])
})

test('does not occupy the main thread', async () => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await Promise.all([
    redact('hostile', slow, 'abc'.repeat(5_000)),
    toType(compute.run('hostile', 'inspectDocument', endless, { deadlineMs: 500 })),
  ])
  clearInterval(timer)
  expect(longest).toBeLessThan(300)
})

test('ends a job at its deadline, and runs the next', async () => {
  const ended = toType(compute.run('a', 'inspectDocument', endless, { deadlineMs: 30 }))
  expect(await ended).toBe('OperationTimeout')
  const value = { schema: { type: 'string' }, value: 'a' }
  expect(await compute.run('a', 'findMismatch', value, { deadlineMs: 60_000 })).toBe(null)
})

test('rejects jobs of a tenant above its number in the queue, but not of others', async () => {
  const job = { schema: { type: 'string' }, value: 'a' }
  const many = Array.from({ length: 120 }, () =>
    toType(compute.run('many', 'findMismatch', job)),
  )
  const other = compute.run('other', 'findMismatch', job)
  expect(new Set(await Promise.all(many))).toEqual(new Set([null, 'RateLimited']))
  expect(await other).toBe(null)
})

test('a budget refills with time, and may be owed', () => {
  let at = 0
  const budget = openAllowances({ burst: 100, perSecond: 10, now: () => at })
  expect(budget.available('a')).toBe(100)
  budget.spend('a', 130)
  expect(budget.available('a')).toBe(-30)
  expect(budget.available('b')).toBe(100)
  at = 5_000
  expect(budget.available('a')).toBe(20)
  at = 60_000
  expect(budget.available('a')).toBe(100)
})
