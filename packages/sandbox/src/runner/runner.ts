// One child process with the code of one bot or integration. Invariant: each invocation settles
// exactly once: with a response, at its deadline, or when the process ends.
import type { Duplex, Readable } from 'node:stream'
import { isLong, limitTime } from '@botstead/lib'
import { InvocationFailed } from '../invocation/invocation.ts'
import { type Pieces, textInPieces } from '../invocation/pieces.ts'
import type {
  HandlerRequest,
  HandlerResponse,
  InvokeOptions,
  LogLine,
  RunnerEnd,
} from '../sandbox.ts'
import { serverlessNode } from '../serverless-node.ts'
import { createBodySender, maxTextBytes } from './body-stream.ts'
import {
  attachmentNumber,
  createFrameReader,
  type EgressSocketInside,
  encodeFrame,
  type FromHost,
  pieceHeader,
  type ToHost,
} from './frames.ts'
import { Invocations, LogNotes } from './invocations.ts'
import { readLogs } from './logs.ts'
import { describeEnding, outOfMemory } from './process-ending.ts'
import { killGroup } from './start-process.ts'
import type { StartedProcess } from './starter.ts'

export interface Runner {
  readonly pid: number
  /** Resolves when the process runs and is ready for code. */
  readonly ready: Promise<void>
  /** `code` is in UTF-8. */
  load(code: Buffer, options: LoadOptions): Promise<void>
  /** Used in place of `load`: compiles without running the code. Returns V8's cached data. */
  compile(code: Buffer, timeoutMs: number): Promise<Buffer>
  invoke(request: HandlerRequest, options: InvokeOptions): Promise<HandlerResponse>
  /** Kills the process because it exceeds its memory limit. */
  starve(): void
  /** Kills the process deliberately. */
  end(): void
  /** Resolves when the process accepts no more work; its pending invocations have been rejected. */
  readonly ended: Promise<{ how: RunnerEnd; message: string }>
  /** Resolves when the process has exited and all its output has been read. */
  readonly exited: Promise<void>
}
interface LoadOptions {
  /** The result of `compile` for the same code. */
  compiled: Buffer | null
  /** Overrides the defaults of serverless-node.ts. */
  environment: Record<string, string>
  timeoutMs: number
}
interface RunnerOptions {
  responseBytes: number
  /** Shown in the message when the process runs out of memory. */
  memoryMb: number
  /** The process's socket to the server; none by default. */
  egressSocket?: EgressSocketInside | null
  /** Whether slow parts of bundles are replaced (host/tuned-code.ts). Default: yes. */
  isTuned?: boolean | undefined
}

type Answer = Extract<FromHost, { id: number }>

const tooLong = `The request exceeds ${maxTextBytes} bytes of JSON, the maximum for a JavaScript string`

// JSON escapes a control character with six bytes.
const frameBytes = (responseBytes: number) => 6 * responseBytes + 65_536
const maxStrays = 100
/** Time for code to save its state after its invocation was cancelled. */
const cancelGraceMs = 2_000
export const createRunner = (
  child: StartedProcess,
  options: RunnerOptions,
  onLog: (line: LogLine) => void,
): Runner => new RunnerProcess(child, options, onLog)

/** A long text is sent in pieces: in a frame, it would be quoted as a whole. */
const inPieces = (body = '') => (isLong(body.length) ? textInPieces(body) : undefined)

class RunnerProcess implements Runner {
  readonly #child: StartedProcess
  readonly #options: RunnerOptions
  readonly #socket: Duplex
  readonly #bodies: ReturnType<typeof createBodySender>
  readonly #logs: ReturnType<typeof readLogs>
  readonly #readFrames: ReturnType<typeof createFrameReader>
  readonly #invocations = new Invocations()
  readonly #notes = new LogNotes()
  readonly #ready = createGate<void>()
  readonly #loading = createGate<void>()
  readonly #compiling = createGate<string>()
  readonly #ended = createGate<{ how: RunnerEnd; message: string }>()
  readonly #exited = createGate<void>()
  #end: RunnerEnd | null = null
  #dying: string | null = null
  #lastId = 0
  /** Responses to requests that were never sent or have been settled. */
  #strays = 0

  constructor(
    child: StartedProcess,
    options: RunnerOptions,
    onLog: (line: LogLine) => void,
  ) {
    this.#child = child
    this.#options = options
    this.#socket = child.stdio[3] as Duplex
    this.#bodies = createBodySender(this.#socket)
    this.#logs = readLogs(
      { stdout: child.stdio[1] as Readable, stderr: child.stdio[2] as Readable },
      (line, id) => onLog(this.#notes.complete(line, id)),
    )
    this.#readFrames = createFrameReader(frameBytes(options.responseBytes))
    this.#loading.promise.catch(() => {})
    this.#compiling.promise.catch(() => {})
    this.#follow()
  }

  get pid() {
    return this.#child.pid ?? -1
  }

  get ready() {
    return this.#ready.promise
  }

  get ended() {
    return this.#ended.promise
  }

  get exited() {
    return this.#exited.promise
  }

  async load(
    code: Buffer,
    { compiled, environment, timeoutMs }: LoadOptions,
  ): Promise<void> {
    const { responseBytes, memoryMb, egressSocket = null, isTuned = true } = this.#options
    const cancel = this.#endAfter(timeoutMs, 'load')
    const all = { ...serverlessNode, ...environment }
    this.#send(
      { type: 'load', environment: all, responseBytes, memoryMb, egressSocket, isTuned },
      compiled ? [code, compiled] : [code],
    )
    await this.#loading.promise.finally(cancel)
  }

  async compile(code: Buffer, timeoutMs: number): Promise<Buffer> {
    const cancel = this.#endAfter(timeoutMs, 'compile')
    this.#send({ type: 'compile', isTuned: this.#options.isTuned ?? true }, [code])
    const compiled = await this.#compiling.promise.finally(cancel)
    return Buffer.from(compiled, 'base64')
  }

  #endAfter(timeoutMs: number, step: 'load' | 'compile'): () => void {
    return limitTime(
      () => this.pid,
      timeoutMs,
      () => this.#finish('load', `The code took longer than ${timeoutMs} ms to ${step}`),
    )
  }

  invoke(
    request: HandlerRequest,
    { cause, fence = null, timeoutMs, about = {}, stop }: InvokeOptions,
  ): Promise<HandlerResponse> {
    return new Promise((resolve, reject) => {
      if (this.#end)
        return reject(new InvocationFailed('crash', 'The process has just ended'))
      const id = ++this.#lastId
      const timer = setTimeout(() => this.#timeOut(id, timeoutMs), timeoutMs)
      this.#invocations.add(id, { resolve, reject, timer })
      this.#logs.begin()
      this.#notes.note(id, request, about)
      const { body, pieces = inPieces(body), ...rest } = request
      if (!pieces) this.#send({ type: 'invoke', id, cause, fence, timeoutMs, request })
      else {
        this.#send({
          type: 'invoke',
          id,
          cause,
          fence,
          timeoutMs,
          request: rest,
          inPieces: true,
        })
        this.#sendBody(id, pieces)
      }
      if (stop) stop.onStop = () => this.#cancel(id)
    })
  }

  /** The code gets a moment to end by itself. */
  #cancel(id: number): void {
    if (!this.#invocations.has(id)) return
    this.#send({ type: 'cancel', id })
    const error = new InvocationFailed('stopped', 'The answer was stopped')
    setTimeout(() => this.#invocations.abandon(id, error), cancelGraceMs).unref()
  }

  #timeOut(id: number, timeoutMs: number): void {
    const message = `No answer within ${Math.round(timeoutMs)} ms`
    const error = InvocationFailed.ofEnding('timeout', 'timeout', message)
    this.#invocations.take(id)?.reject(error)
    this.#finish(
      'timeout',
      'The process was ended because another invocation took too long',
    )
  }

  #sendBody(id: number, pieces: Pieces): void {
    const invocations = this.#invocations
    this.#bodies
      .send(id, pieces, () => invocations.has(id))
      .then(
        (fits) =>
          fits ||
          invocations
            .take(id)
            ?.reject(new InvocationFailed('request-too-large', tooLong)),
        (error) =>
          invocations.take(id)?.reject(new InvocationFailed('crash', String(error))),
      )
  }

  /** Frames of one turn of the event loop are written together. */
  #send(message: ToHost, attachments: Buffer[] = []): void {
    const socket = this.#socket
    if (!socket.writable) return
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    for (const bytes of attachments) {
      socket.write(pieceHeader(attachmentNumber, bytes.length))
      socket.write(bytes)
    }
    socket.write(encodeFrame(message))
  }

  #follow(): void {
    const child = this.#child
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    // `close` precedes the exit, sometimes by long on a busy machine; the exit code explains more.
    this.#socket.on('close', () =>
      setTimeout(
        () => this.#finish('frame', 'The process closed its connection to the server'),
        2000,
      ).unref(),
    )
    child.on('error', (error) =>
      this.#finish('crashed', `The process could not be started: ${error.message}`),
    )
    // `close` comes after all output was read, but a grandchild that holds a pipe open would delay
    // it forever.
    child.on('exit', () => setTimeout(() => this.#depart(), 500).unref())
    child.on('close', () => this.#depart())
  }

  #read(chunk: Buffer): void {
    const messages = this.#end ? [] : this.#readFrames(chunk)
    if (messages) for (const message of messages) this.#receive(message)
    else this.#finish('frame', 'The process sent an invalid frame to the server')
  }

  #receive(message: FromHost): void {
    if (message.type === 'loaded') this.#loading.resolve()
    else if (message.type === 'not-loaded') {
      const reason = message.message.slice(0, 10_000)
      this.#loading.reject(InvocationFailed.ofEnding('load', message.reason, reason))
      this.#finish('load', reason)
    } else if (message.type === 'compiled') this.#compiling.resolve(message.compiled)
    else if (message.type === 'ready') this.#ready.resolve()
    else if (message.type === 'dying') this.#dying = message.message.slice(0, 10_000)
    else this.#answer(message)
  }

  #answer(message: Answer): void {
    const found = this.#invocations.take(message.id)
    if (!found) this.#strays += 1
    else if (message.type === 'answered') found.resolve(message.response)
    else found.reject(new InvocationFailed('too-large', message.message.slice(0, 1000)))
    if (this.#strays > maxStrays)
      this.#finish('frame', 'The process sent answers to requests that it never received')
  }

  #finish(how: RunnerEnd, message: string): void {
    if (this.#end) return
    this.#end = how
    const failure = InvocationFailed.ofEnding(how, 'crash', message)
    this.#loading.reject(failure)
    this.#compiling.reject(failure)
    this.#invocations.rejectAll(failure)
    endGroup(this.#child)
    this.#ended.resolve({ how, message })
  }

  /** The process has exited. */
  #depart(): void {
    const { exitCode, signalCode: signal, stdio } = this.#child
    const { memoryMb } = this.#options
    const lastWords = this.#logs.lastWords()
    this.#finish(
      'crashed',
      describeEnding({ exitCode, signal, dying: this.#dying, lastWords, memoryMb }),
    )
    for (const stream of stdio) stream?.destroy()
    this.#logs.end()
    this.#exited.resolve()
  }

  starve(): void {
    this.#finish('memory', outOfMemory(this.#options.memoryMb))
  }

  end(): void {
    this.#finish('ended', 'The process was stopped')
  }
}

function createGate<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

function endGroup(child: StartedProcess): void {
  if (child.pid && process.platform !== 'win32') killGroup(child.pid, 'SIGKILL')
  child.kill('SIGKILL')
}
