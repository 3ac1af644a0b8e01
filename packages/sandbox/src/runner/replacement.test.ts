import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReplacement } from './replacement.ts'

interface Process {
  key: string
  usedAt: number
}

/** Between two uses of the same bot in a row. */
const quickMs = 100

/** Uses bots one after another, as the pool does, with room for `capacity` processes. */
function openPool(capacity: number, stepMs: number) {
  let now = 0
  let previous = ''
  const replacement = createReplacement(() => now)
  const processes = new Set<Process>()
  const byKey = new Map<string, Process>()
  /** Returns whether the bot's process was warm. */
  return function use(key: string): boolean {
    now += key === previous ? quickMs : stepMs
    previous = key
    const warm = byKey.get(key)
    if (!warm) {
      for (const one of replacement.choose(
        [...processes],
        processes.size - capacity + 1,
      )) {
        processes.delete(one)
        byKey.delete(one.key)
      }
      const started = { key, usedAt: now }
      processes.add(started)
      byKey.set(key, started)
    }
    replacement.noteUse(key)
    byKey.get(key)!.usedAt = now
    if (processes.size > capacity) throw new Error('too many processes')
    return warm !== undefined
  }
}

/** Returns the share of uses with a warm process, after the first `skipped` uses. */
function hitRate(keys: string[], use: (key: string) => boolean, skipped = 0): number {
  const hits = keys.map(use).slice(skipped)
  return hits.filter(Boolean).length / hits.length
}

const bots = (count: number, prefix = 'bot') =>
  Array.from({ length: count }, (_, n) => `${prefix}_${n}`)
const repeated = (keys: string[], times: number) =>
  Array.from({ length: times }, () => keys).flat()

test('keeps a share of the bots warm that is near capacity / bots, when they are used in turn', () => {
  const scan = fc.record({
    count: fc.integer({ min: 10, max: 300 }),
    share: fc.double({ min: 0.1, max: 0.99, noNaN: true }),
    stepMs: fc.integer({ min: 1, max: 20_000 }),
    usesInARow: fc.integer({ min: 1, max: 3 }),
  })
  fc.assert(
    fc.property(scan, ({ count, share, stepMs, usesInARow }) => {
      const capacity = Math.max(8, Math.floor(count * share))
      const turns = bots(count).flatMap((key) =>
        Array.from({ length: usesInARow }, () => key),
      )
      const rate = hitRate(repeated(turns, 4), openPool(capacity, stepMs), turns.length)
      const missesPerTurn = (1 - rate) * usesInARow
      expect(1 - missesPerTurn).toBeGreaterThan(0.8 * (capacity / count) - 2 / count)
    }),
    { numRuns: 40 },
  )
})

test('keeps frequently used bots warm during a scan', () => {
  const use = openPool(100, 200)
  const hot = bots(50, 'hot')
  hitRate(repeated(hot, 3), use)
  const rare = bots(2_000, 'rare')
  // Between two uses of a hot bot, more bots are used than fit.
  const mixed = rare.flatMap((key, n) =>
    n % 3 === 0 ? [key, hot[(n / 3) % hot.length]!] : [key],
  )
  expect(mixed.filter((key) => !use(key) && key.startsWith('hot'))).toEqual([])
})

test('lets bots that are used now replace bots that were used before', () => {
  const use = openPool(100, 200)
  hitRate(repeated(bots(100, 'former'), 5), use)
  const present = repeated(bots(60, 'present'), 10)
  expect(present.filter((key) => !use(key)).length).toBeLessThanOrEqual(3 * 60)
  expect(hitRate(repeated(bots(60, 'present'), 2), use)).toBe(1)
})

test('keeps the process of a new conversation between its messages', () => {
  const use = openPool(80, 1_000)
  hitRate(repeated(bots(80), 5), use)
  const messages = Array.from({ length: 10 }, (_, n) => [
    'new',
    `bot_${n}`,
    `bot_${n + 40}`,
  ]).flat()
  expect(messages.filter((key) => !use(key) && key === 'new')).toEqual(['new'])
})

test('chooses as many as requested, each once, and none of an empty list', () => {
  const replacement = createReplacement(() => 1_000)
  const idle = bots(9).map((key, n) => ({ key, usedAt: n }))
  expect(new Set(replacement.choose(idle, 9)).size).toBe(9)
  expect(replacement.choose(idle, 20)).toHaveLength(9)
  expect(replacement.choose(idle, 0)).toEqual([])
  expect(replacement.choose([], 3)).toEqual([])
})
