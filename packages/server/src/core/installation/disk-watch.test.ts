import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { isFull as isDiskFull, startDiskWatch } from './disk-watch.ts'

test('warns once while the disk is nearly full, and again later', async () => {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    const log = pino(
      { base: null, timestamp: false },
      { write: (line) => void lines.push(line) },
    )
    const freeMb = [40, 10, 9, 40, 8, 4, 4, 30]
    const isFull: boolean[] = []
    const watch = startDiskWatch({ dataFolder: '/data' }, log, async (folder) => {
      expect(folder).toBe('/data')
      return { freeBytes: freeMb.shift()! * 1e6, totalBytes: 100e6 }
    })
    // Reads soon again while the space is low.
    for (const seconds of [1, 60, 2, 2, 60, 2, 2, 2]) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      isFull.push(watch.isFull())
    }
    expect(watch.space()).toEqual({ freeBytes: 30e6, totalBytes: 100e6 })
    await watch.stop()
    expect(isFull).toEqual([false, false, false, false, false, true, true, false])
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      ...[10, 8].map((free) => ({
        level: 40,
        freeMb: free,
        freePercent: free,
        msg: 'the disk of the data folder is nearly full: free space, or enlarge it',
      })),
      { level: 50, freeMb: 4, msg: 'the disk is full: rejecting writes' },
      { level: 30, msg: 'the disk has space again: accepting writes' },
    ])
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [100e9, 4.2e9, true],
  [100e9, 4.4e9, false],
  [10e12, 4.2e9, true],
  [10e12, 5e9, false],
  [10e9, 0.49e9, true],
  [10e9, 0.51e9, false],
])('of %d bytes, %d free ones are too few: %s', (totalBytes, freeBytes, expected) => {
  expect(isDiskFull({ totalBytes, freeBytes })).toBe(expected)
})
