// Extracts text from files and cuts it into passages. Files are untrusted: they are read in a child
// process with limits on time and memory, one at a time. A thread would not suffice, because one
// that runs out of memory can crash the server.
import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { lowerPriority, permissionFlag } from '@botstead/lib'
import type { Format } from './formats.ts'
import type { ExtractedPassage } from './passages.ts'
import type { TableEnd, TableLimit } from './workbooks/first-table.ts'

/** The relevant part of the contract's configuration. */
export interface ExtractionConfiguration {
  parsing?: { minimumParagraphLength?: number; smartCleanup?: boolean }
  chunking?: { maximumChunkLength?: number }
}

export interface ExtractionRequest {
  /** `rows`: the rows of a workbook, within `limit`, instead of passages. */
  format: Format | 'rows'
  limit?: TableLimit
  /** Size of the content, which follows as bytes on stdin. */
  size: number
  title: string
  /** With the character set, if the sender has named it. */
  contentType?: string
  configuration: ExtractionConfiguration | null
}
export type ExtractionMessage =
  | { kind: 'ready' }
  | { kind: 'passages'; passages: ExtractedPassage[] }
  | { kind: 'rows'; lines: string }
  | ({ kind: 'rowsDone' } & TableEnd)
  | { kind: 'done'; language: string; words: string[] }
  | { kind: 'refused'; reason: string }

export interface Extracted {
  passages: ExtractedPassage[]
  language: string
  /** Correctly spelt words, for the correction of searches. */
  words: string[]
}

/** The file can never be indexed. Any other error is not caused by the file. */
export class ExtractionRejected extends Error {}

export interface Extraction {
  /**
   * Call it for one file at a time. Throws ExtractionRejected with a reason for the file's owner.
   */
  extract(request: ExtractionRequest, content: Readable): Promise<Extracted>
  /**
   * Reads the rows of a workbook's first visible sheet with any, and gives them to `write` as lines of
   * JSON (WorkbookRow). Throws ExtractionRejected.
   */
  readRows(
    file: { size: number; content: Readable },
    limit: TableLimit,
    write: (lines: string) => void,
  ): Promise<TableEnd>
  close(): Promise<void>
}

export interface ExtractionOptions {
  /** Time limit per file. Default: 120,000. */
  timeoutMs?: number
  /** Memory limit of the process, including the file. Default: 1,024. */
  memoryMb?: number
  /** When an idle process ends. Default: 30,000. */
  idleMs?: number
}

/** Points to dist/ even when the server runs from its sources. */
const childFile = new URL('../dist/workers/extraction-child.js', import.meta.url)
const loadMs = 60_000
const lowPriority = 15

export const openExtraction = (options: ExtractionOptions = {}): Extraction =>
  new ExtractionProcess(options)

class ExtractionProcess implements Extraction {
  readonly #timeoutMs: number
  readonly #memoryMb: number
  readonly #idleMs: number
  #child: ChildProcess | null = null
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor({
    timeoutMs = 120_000,
    memoryMb = 1_024,
    idleMs = 30_000,
  }: ExtractionOptions) {
    this.#timeoutMs = timeoutMs
    this.#memoryMb = memoryMb
    this.#idleMs = idleMs
  }

  extract(request: ExtractionRequest, content: Readable): Promise<Extracted> {
    return this.#read(request, content, readExtracted)
  }

  readRows(
    { size, content }: { size: number; content: Readable },
    limit: TableLimit,
    write: (lines: string) => void,
  ): Promise<TableEnd> {
    const request = {
      format: 'rows' as const,
      limit,
      size,
      title: '',
      configuration: null,
    }
    return this.#read(request, content, (...reading) => readRows(write, ...reading))
  }

  async #read<T>(
    request: ExtractionRequest,
    content: Readable,
    read: (
      child: ChildProcess,
      timeoutMs: number,
      state: { isAnswered: boolean },
    ) => Promise<T>,
  ): Promise<T> {
    clearTimeout(this.#idle)
    // Whether the process has answered, so that it can read the next file.
    const state = { isAnswered: false }
    try {
      const child = await this.#ready()
      child.send(request)
      const [extracted] = await Promise.all([
        read(child, this.#timeoutMs, state),
        send(content, child),
      ])
      return extracted
    } catch (error) {
      content.destroy()
      // Discard the process, so that remaining content or corrupt state does not affect the next
      // file.
      if (!state.isAnswered) this.#end()
      throw this.#closed ? new Error('the server is stopping') : error
    } finally {
      this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref()
    }
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#child) return this.#child
    if (this.#closed) throw new Error('the server is stopping')
    const started = startChild(this.#memoryMb)
    this.#child = started
    started.once('exit', () => this.#child === started && this.#end())
    await readMessages(started, loadMs, (message) => message.kind === 'ready').catch(
      (error) => {
        // Not the fault of the waiting file.
        throw new Error('the process that reads files could not be started', {
          cause: error,
        })
      },
    )
    return started
  }

  #end(): void {
    const ended = this.#child
    this.#child = null
    ended?.kill('SIGKILL')
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    this.#end()
  }
}

/** Sets `isAnswered` when the process has given its last message about the file. */
async function readExtracted(
  child: ChildProcess,
  timeoutMs: number,
  state: { isAnswered: boolean },
): Promise<Extracted> {
  const extracted: Extracted = { passages: [], language: 'simple', words: [] }
  await readMessages(child, timeoutMs, (message) => {
    state.isAnswered = message.kind === 'refused' || message.kind === 'done'
    if (message.kind === 'refused') throw new ExtractionRejected(message.reason)
    if (message.kind === 'passages') extracted.passages.push(...message.passages)
    if (message.kind === 'done')
      Object.assign(extracted, { language: message.language, words: message.words })
    return message.kind === 'done'
  })
  return extracted
}

/** The child limits their size. */
async function readRows(
  write: (lines: string) => void,
  child: ChildProcess,
  timeoutMs: number,
  state: { isAnswered: boolean },
): Promise<TableEnd> {
  const end: TableEnd = { isCut: false, notes: [] }
  await readMessages(child, timeoutMs, (message) => {
    state.isAnswered = message.kind === 'refused' || message.kind === 'rowsDone'
    if (message.kind === 'refused') throw new ExtractionRejected(message.reason)
    if (message.kind === 'rows') write(message.lines)
    if (message.kind === 'rowsDone')
      Object.assign(end, { isCut: message.isCut, notes: message.notes })
    return message.kind === 'rowsDone'
  })
  return end
}

/**
 * Writes as fast as the child reads. Returns early when the child has ended; its answer reports the
 * failure.
 */
async function send(content: Readable, child: ChildProcess): Promise<void> {
  const stdin = child.stdin!
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (stdin.destroyed) return
    if (stdin.write(chunk)) continue
    await new Promise<void>((resolve) => {
      const go = () => {
        stdin.off('drain', go).off('close', go)
        resolve()
      }
      stdin.on('drain', go).on('close', go)
    })
  }
}

function startChild(memoryMb: number): ChildProcess {
  const child = fork(childFile, [String(memoryMb * 1_048_576)], {
    execArgv: [
      permissionFlag,
      '--allow-fs-read=*',
      '--allow-worker',
      `--max-old-space-size=${memoryMb}`,
      '--disable-proto=delete',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  lowerPriority(child, lowPriority)
  return child
}

/** Passes messages to `isLast` until it returns true. */
function readMessages(
  child: ChildProcess,
  ms: number,
  isLast: (message: ExtractionMessage) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(
            new ExtractionRejected(
              `Reading the file takes longer than ${ms / 1000} seconds`,
            ),
          ),
        ),
      ms,
    )
    const settle = (how: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      how()
    }
    const onMessage = (message: unknown) => {
      try {
        if (isLast(message as ExtractionMessage)) settle(resolve)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const onExit = () =>
      settle(() =>
        reject(new ExtractionRejected('Reading the file exceeds the memory limit')),
      )
    child.on('message', onMessage).on('exit', onExit)
  })
}
