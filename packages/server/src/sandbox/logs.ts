// Turns what hosted code writes on stdout and stderr into log lines, at a bounded cost: what goes beyond the quota is dropped and counted, and code
// that floods is not even read for the rest of the second, so that it waits for its own pipe and nothing piles up here.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { LogLine } from './sandbox.ts'

const lineMost = 64 * 1024
const keptPerSecond = 256 * 1024
const readPerSecond = 4 * 1024 * 1024

export interface LogReader {
  /** Gives out what is left and stops its clock. */
  end(): void
}

export function readLogs(streams: { stdout: Readable; stderr: Readable }, give: (line: LogLine) => void): LogReader {
  const sources = [lineSource(streams.stdout, 'info'), lineSource(streams.stderr, 'error')]
  let read = 0
  let kept = 0
  let dropped = 0
  let window: NodeJS.Timeout | null = null

  const nextWindow = () => {
    if (dropped) give({ level: 'warn', message: `[${dropped} bytes of logs were dropped: more than ${keptPerSecond} in a second]`, at: new Date() })
    read = kept = dropped = 0
    window = null
    for (const { stream } of sources) stream.resume()
  }
  const take = (source: LineSource, chunk: Buffer) => {
    window ??= setTimeout(nextWindow, 1000).unref()
    read += chunk.length
    if (read > readPerSecond) for (const { stream } of sources) stream.pause()
    const room = Math.max(0, keptPerSecond - kept)
    kept += Math.min(room, chunk.length)
    dropped += chunk.length - Math.min(room, chunk.length)
    source.write(room < chunk.length ? chunk.subarray(0, room) : chunk, give)
  }
  for (const source of sources) {
    source.stream.on('data', (chunk: Buffer) => take(source, chunk))
    source.stream.on('error', () => {})
  }
  return {
    end() {
      if (window) clearTimeout(window)
      nextWindow()
      for (const source of sources) source.write(Buffer.from('\n'), give)
    },
  }
}

type LineSource = ReturnType<typeof lineSource>

function lineSource(stream: Readable, level: LogLine['level']) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    stream,
    write(chunk: Buffer, give: (line: LogLine) => void) {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = cut(lines.pop()!)
      for (const line of lines) if (line.trim()) give(parseLine(cut(line), level))
    },
  }
}

const cutMark = '… [cut]'
const cut = (line: string) => (line.length > lineMost ? line.slice(0, lineMost - cutMark.length) + cutMark : line)

/** The SDK's logger writes one JSON object per line: {msg, level, options}. All else is taken as it stands. */
export function parseLine(line: string, level: LogLine['level']): LogLine {
  const at = new Date()
  if (line.startsWith('{')) {
    try {
      const { msg, level: given, options } = JSON.parse(line)
      if (typeof msg === 'string') return { level: isLevel(given) ? given : level, message: storable(msg), at, ...readOptions(options) }
    } catch {
      // Not that format: an ordinary line.
    }
  }
  return { level, message: storable(line.trimEnd()), at }
}

function readOptions(options: unknown): { options?: Record<string, string | number | boolean> } {
  if (typeof options !== 'object' || options === null) return {}
  const kept = Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[storable(name), storable(value)]]
    return typeof value === 'number' || typeof value === 'boolean' ? [[storable(name), value]] : []
  })
  return { options: Object.fromEntries(kept) }
}

const isLevel = (level: unknown): level is LogLine['level'] => level === 'debug' || level === 'info' || level === 'warn' || level === 'error'

/** PostgreSQL holds neither NUL nor half a surrogate pair. */
const storable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD')
