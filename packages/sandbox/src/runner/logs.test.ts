import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LogLine } from '../sandbox.ts'
import { readLogs } from './logs.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function open() {
  const lines: LogLine[] = []
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const reader = readLogs(streams, (line) => lines.push(line))
  const kept = () => lines.filter(({ message }) => message.startsWith('y')).length
  const warnings = () =>
    lines.filter(({ level }) => level === 'warn').map(({ message }) => message)
  /** Writes this many lines of a thousand bytes. */
  async function write(count: number) {
    for (let i = 0; i < count; i += 1) {
      streams.stdout.write(`${'y'.repeat(999)}\n`)
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { reader, streams, lines, kept, warnings, write }
}

test('keeps 256 KB per second and reports the dropped amount', async () => {
  const { kept, warnings, write } = open()
  await write(400)
  expect(kept()).toBe(262)
  vi.advanceTimersByTime(1000)
  expect(warnings()).toEqual([
    '[137856 bytes of logs were dropped: more than 262144 in a second]',
  ])
  await write(10)
  expect(kept()).toBe(272)
})

test('keeps a megabyte per event at any speed', async () => {
  const { reader, kept, warnings, write } = open()
  reader.begin()
  for (let second = 0; second < 8; second += 1) {
    await write(200)
    vi.advanceTimersByTime(1000)
  }
  expect(kept()).toBe(1048)
  expect(new Set(warnings().map((text) => text.split(': ')[1]))).toEqual(
    new Set(['more than 1048576 for one event]']),
  )
  reader.begin()
  await write(100)
  expect(kept()).toBeGreaterThan(1140)
})

test('returns the last lines of stderr even if they were dropped', async () => {
  const { reader, streams, write } = open()
  await write(400)
  streams.stderr.write('FATAL ERROR: out of memory\n')
  await new Promise((resolve) => setImmediate(resolve))
  expect(reader.lastWords()).toContain('out of memory')
  reader.end()
})

test('joins stderr lines of one write into one entry, up to a limit', async () => {
  const { reader, streams, lines } = open()
  const mark = (id: number) => `\u001e${id}\u001e`
  const written = async (text: string) => {
    streams.stderr.write(text)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await written(`${mark(1)}Error: a\n    at b\n\n    at `)
  await written(`c\n${mark(2)}other\n${mark(2)}{"msg":"told"}\n{"msg":"again"}\n`)
  vi.advanceTimersByTime(1000)
  expect(lines.map(({ message }) => message)).toEqual([
    'Error: a\n    at b\n\n    at c',
    'other',
    'told',
    'again',
  ])
  await written(`${mark(1)}late\n`)
  vi.advanceTimersByTime(1000)
  await written('later\n')
  await written(`${mark(1)}${'x\n'.repeat(1_000)}`)
  await written(`${mark(1)}${`${'y'.repeat(9_999)}\n`.repeat(10)}`)
  reader.end()
  const rest = lines.slice(4).map(({ message }) => message)
  expect(rest.slice(0, 2)).toEqual(['late', 'later'])
  expect(
    rest.filter((text) => text.startsWith('x')).map((text) => text.split('\n').length),
  ).toEqual([500, 500])
  expect(rest.filter((text) => text.startsWith('y')).map((text) => text.length)).toEqual([
    59_999, 39_999,
  ])
})
