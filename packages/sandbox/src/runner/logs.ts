// Turns stdout and stderr of hosted code into log lines at a bounded cost. Output beyond the quota
// per second, or per event, is dropped and counted; while several events run, the latest one's
// quota applies to all. After more than `readPerSecond` bytes the streams are paused for the rest
// of the second, so the code blocks on its own pipe and the server buffers nothing. On stderr, the
// lines of one write form one entry, such as a stack trace.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { LogLine } from '../sandbox.ts'

const maxLineLength = 64 * 1024
const keptPerSecond = 256 * 1024
const readPerSecond = 4 * 1024 * 1024
const keptPerEvent = 1024 * 1024
const maxLastWords = 4096
const maxEntryLines = 500
/** An entry on stderr waits this long for the rest of its lines. */
const maxEntryMs = 200

interface LogReader {
  /** Resets the quota per event; called when an invocation begins. */
  begin(): void
  /** Returns the last bytes of stderr, including dropped ones. */
  lastWords(): string
  /** Emits the remaining lines and stops the timers. */
  end(): void
}

/**
 * Receives a line and the number of the invocation that wrote it, as claimed by the process; 0 for
 * none.
 */
type Give = (line: LogLine, invocation: number) => void

export function readLogs(
  streams: { stdout: Readable; stderr: Readable },
  give: Give,
): LogReader {
  const sources = [
    lineSource(streams.stdout, 'info', give),
    lineSource(streams.stderr, 'error', give),
  ]
  let read = 0
  let kept = 0
  let keptOfEvent = 0
  let dropped = 0
  let lastWords = Buffer.alloc(0)
  let window: NodeJS.Timeout | null = null

  const nextWindow = () => {
    const why =
      keptOfEvent < keptPerEvent
        ? `${keptPerSecond} in a second`
        : `${keptPerEvent} for one event`
    if (dropped)
      give(
        {
          level: 'warn',
          message: `[${dropped} bytes of logs were dropped: more than ${why}]`,
          at: new Date(),
          dropped,
        },
        0,
      )
    read = kept = dropped = 0
    window = null
    for (const { stream } of sources) stream.resume()
  }
  const take = (source: LineSource, chunk: Buffer) => {
    window ??= setTimeout(nextWindow, 1000).unref()
    read += chunk.length
    if (read > readPerSecond) for (const { stream } of sources) stream.pause()
    if (source.stream === streams.stderr)
      lastWords = Buffer.concat([lastWords, chunk.subarray(-maxLastWords)]).subarray(
        -maxLastWords,
      )
    const fits = Math.min(
      chunk.length,
      Math.max(0, keptPerSecond - kept),
      Math.max(0, keptPerEvent - keptOfEvent),
    )
    kept += fits
    keptOfEvent += fits
    dropped += chunk.length - fits
    source.write(fits < chunk.length ? chunk.subarray(0, fits) : chunk)
  }
  for (const source of sources) {
    source.stream.on('data', (chunk: Buffer) => take(source, chunk))
    source.stream.on('error', () => {})
  }
  return {
    begin() {
      keptOfEvent = 0
    },
    lastWords: () => lastWords.toString('latin1'),
    end() {
      if (window) clearTimeout(window)
      nextWindow()
      for (const source of sources) source.end()
    },
  }
}

type LineSource = ReturnType<typeof lineSource>

function lineSource(stream: Readable, level: LogLine['level'], give: Give) {
  const decoder = new StringDecoder('utf8')
  const entries = openEntries(level, give)
  let rest = ''
  let invocation = 0
  function write(chunk: Buffer): void {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = cut(lines.pop()!)
    for (const written of lines) {
      // A line without a mark belongs to the same invocation as the line before.
      const mark = marked.exec(written)
      if (mark) invocation = Number(mark[1])
      const line = mark ? written.slice(mark[0].length) : written
      if (level === 'error') entries.add(line, invocation, mark !== null)
      else if (line.trim()) give(parseLine(cut(line), level), invocation)
    }
  }
  return {
    stream,
    write,
    end() {
      write(Buffer.from('\n'))
      entries.flush()
    },
  }
}

/**
 * Joins the lines of an entry. A marked line begins one, and so does Node's own unmarked report of
 * an uncaught error.
 */
function openEntries(level: LogLine['level'], give: Give) {
  let open: {
    lines: string[]
    length: number
    at: Date
    invocation: number
    timer: NodeJS.Timeout
  } | null = null

  function flush(): void {
    if (!open) return
    const { lines, at, invocation, timer } = open
    open = null
    clearTimeout(timer)
    give({ level, message: storable(cut(lines.join('\n').trimEnd())), at }, invocation)
  }
  function add(line: string, invocation: number, isMarked: boolean): void {
    const message = cut(line)
    const isFull =
      open &&
      (open.lines.length >= maxEntryLines || open.length + message.length > maxLineLength)
    if (isMarked || isFull || uncaught.test(line)) flush()
    const parsed = structured(message, level)
    if (parsed) {
      flush()
      give(parsed, invocation)
    } else if (open) {
      open.lines.push(message)
      open.length += message.length + 1
    } else if (line.trim()) {
      const timer = setTimeout(flush, maxEntryMs).unref()
      open = {
        lines: [message],
        length: message.length + 1,
        at: new Date(),
        invocation,
        timer,
      }
    }
  }
  return { add, flush }
}

/** The first line of Node's report of an uncaught error: file and line number. */
const uncaught = /^\S{1,200}:\d+$/

/** The separator of the marks that bot-host.ts puts before lines. */
const separator = '\u001e'
const marked = new RegExp(`^${separator}(\\d{0,15})${separator}`)

const cutMark = '… [cut]'
const cut = (line: string) =>
  line.length > maxLineLength
    ? line.slice(0, maxLineLength - cutMark.length) + cutMark
    : line

/** Parses a line of the SDK's logger; keeps any other line as it is. */
const parseLine = (line: string, level: LogLine['level']): LogLine =>
  structured(line, level) ?? { level, message: storable(line.trimEnd()), at: new Date() }

/**
 * Parses the SDK logger's format, one JSON object `{msg, level, options}` per line. Returns null
 * for any other line.
 */
function structured(line: string, level: LogLine['level']): LogLine | null {
  if (!line.startsWith('{')) return null
  try {
    const { msg, level: given, options } = JSON.parse(line)
    if (typeof msg !== 'string') return null
    return {
      level: isLevel(given) ? given : level,
      message: storable(msg),
      at: new Date(),
      ...readOptions(options),
    }
  } catch {
    return null
  }
}

function readOptions(options: unknown): {
  options?: Record<string, string | number | boolean>
} {
  if (typeof options !== 'object' || options === null) return {}
  const kept = Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[storable(name), storable(value)]]
    return typeof value === 'number' || typeof value === 'boolean'
      ? [[storable(name), value]]
      : []
  })
  return { options: Object.fromEntries(kept) }
}

const isLevel = (level: unknown): level is LogLine['level'] =>
  level === 'debug' || level === 'info' || level === 'warn' || level === 'error'

/** PostgreSQL stores neither NUL nor lone surrogates. */
const storable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD')
