// One child process with the code of one bot or integration. Invariant: each invocation settles exactly once:
// with a response, at its deadline, or when the process ends.
import type { ChildProcess } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import { createBodySender, maxTextBytes } from './body-stream.ts'
import { describeEnding, outOfMemory } from './endings.ts'
import { createFrameReader, type DoorInside, encodeFrame, type FromHost, type ToHost } from './frames.ts'
import { InvocationFailed } from './invocation/invocation.ts'
import type { Pieces } from './invocation/pieces.ts'
import { readLogs } from './logs.ts'
import type {
  HandlerRequest,
  HandlerResponse,
  InvokeOptions,
  KillCause,
  LogLine,
  LogLinks,
} from './sandbox.ts'
import { serverlessNode } from './serverless-node.ts'

export interface Runner {
  readonly pid: number
  /** Resolves when the process runs and is ready for code. */
  readonly ready: Promise<void>
  load(code: string, options: LoadOptions): Promise<void>
  /** Used in place of `load`: compiles without running the code. Returns base64. */
  compile(code: string, timeoutMs: number): Promise<string>
  invoke(request: HandlerRequest, options: InvokeOptions): Promise<HandlerResponse>
  /** Kills the process because it exceeds its memory limit. */
  starve(): void
  /** Kills the process deliberately. */
  end(): void
  /** Resolves when the process accepts no more work; its pending invocations have been rejected. */
  readonly ended: Promise<{ how: RunnerEnd; message: string }>
  /** Resolves when the process has exited and all its output has been read. */
  readonly gone: Promise<void>
}
export interface LoadOptions {
  /** The result of `compile` for the same code. */
  compiled: string | null
  /** Overrides the defaults of serverless-node.ts. */
  environment: Record<string, string>
  timeoutMs: number
}
export interface RunnerOptions {
  responseBytes: number
  /** Shown in the message when the process runs out of memory. */
  memoryMb: number
  /** The process's socket to the server; none by default. */
  door?: DoorInside | null
}
export type RunnerEnd = 'crashed' | 'ended' | KillCause

type Answer = Extract<FromHost, { id: number }>

interface Waiting {
  resolve(response: HandlerResponse): void
  reject(error: InvocationFailed): void
  timer: NodeJS.Timeout
}

const tooLong = `The request exceeds ${maxTextBytes} bytes of JSON, the maximum for a JavaScript string`

// JSON escapes a control character with six bytes.
const frameBytes = (responseBytes: number) => 6 * responseBytes + 65_536
const maxStrays = 100
/** The invocations for which log lines may still arrive. */
const maxNoted = 1_000

export function createRunner(
  child: ChildProcess,
  { responseBytes, memoryMb, door = null }: RunnerOptions,
  onLog: (line: LogLine) => void,
): Runner {
  const socket = child.stdio[3] as Duplex
  const bodies = createBodySender(socket)
  const waiting = new Map<number, Waiting>()
  /** What to add to the log lines of each invocation. */
  const noted = new Map<number, (line: LogLine) => Partial<LogLine>>()
  const logs = readLogs({ stdout: child.stdout as Readable, stderr: child.stderr as Readable }, (line, id) =>
    onLog({ ...line, ...noted.get(id)?.(line) }),
  )
  const readFrames = createFrameReader(frameBytes(responseBytes))
  const ready = createGate<void>()
  const loading = createGate<void>()
  const compiling = createGate<string>()
  const ended = createGate<{ how: RunnerEnd; message: string }>()
  const gone = createGate<void>()
  let end: RunnerEnd | null = null
  let dying: string | null = null
  let lastId = 0
  let strays = 0

  function finish(how: RunnerEnd, message: string): void {
    if (end) return
    end = how
    const failure = new InvocationFailed('crash', message)
    loading.reject(failure)
    compiling.reject(failure)
    for (const id of [...waiting.keys()]) settle(id)?.reject(failure)
    killGroup(child)
    ended.resolve({ how, message })
  }
  function settle(id: number): Waiting | null {
    const found = waiting.get(id)
    if (!found) return null
    clearTimeout(found.timer)
    waiting.delete(id)
    return found
  }
  function receive(message: FromHost): void {
    if (message.type === 'loaded') loading.resolve()
    else if (message.type === 'not-loaded') {
      loading.reject(new InvocationFailed(message.reason, message.message.slice(0, 10_000)))
      finish('load', message.message.slice(0, 10_000))
    } else if (message.type === 'compiled') compiling.resolve(message.compiled)
    else if (message.type === 'ready') ready.resolve()
    else if (message.type === 'dying') dying = message.message.slice(0, 10_000)
    else answer(message)
  }
  function answer(message: Answer): void {
    const found = settle(message.id)
    if (!found) strays += 1
    else if (message.type === 'answered') found.resolve(message.response)
    else found.reject(new InvocationFailed('too-large', message.message.slice(0, 1000)))
    if (strays > maxStrays) finish('frame', 'The process sent answers to requests that it never received')
  }
  function send(message: ToHost): void {
    if (socket.writable) socket.write(encodeFrame(message))
  }

  function sendBody(id: number, pieces: Pieces): void {
    const isWanted = () => waiting.has(id)
    bodies.send(id, pieces, isWanted).then(
      (fits) => fits || settle(id)?.reject(new InvocationFailed('request-too-large', tooLong)),
      (error) => settle(id)?.reject(new InvocationFailed('crash', String(error))),
    )
  }

  /**
   * Notes fields for the invocation's log lines. They come from our own request, so the process cannot forge
   * them.
   */
  function note(id: number, { headers }: HandlerRequest, about: LogLinks): void {
    const origin = headers['x-integration-id'] ? headers['x-bot-id'] : undefined
    const isAbout = Object.keys(about).length > 0
    noted.set(id, ({ options }) => ({
      ...(isAbout && { options: { ...about, ...options } }),
      ...(origin && { origin }),
    }))
    if (noted.size > maxNoted) noted.delete(noted.keys().next().value!)
  }

  loading.promise.catch(() => {})
  compiling.promise.catch(() => {})
  socket.on('data', (chunk: Buffer) => {
    const messages = end ? [] : readFrames(chunk)
    if (messages) for (const message of messages) receive(message)
    else finish('frame', 'The process sent an invalid frame to the server')
  })
  // `close` precedes the exit, sometimes by long on a busy machine; the exit code explains more.
  socket.on('close', () =>
    setTimeout(() => finish('frame', 'The process closed its connection to the server'), 2000).unref(),
  )
  child.on('error', (error) => finish('crashed', `The process could not be started: ${error.message}`))
  // `close` comes after all output was read, but a grandchild that holds a pipe open would delay it forever.
  child.on('exit', () => setTimeout(depart, 500).unref())
  child.on('close', depart)
  function depart(): void {
    finish(
      'crashed',
      describeEnding({
        exitCode: child.exitCode,
        signal: child.signalCode,
        dying,
        lastWords: logs.lastWords(),
        memoryMb,
      }),
    )
    for (const stream of child.stdio) stream?.destroy()
    logs.end()
    gone.resolve()
  }

  return {
    pid: child.pid ?? -1,
    ready: ready.promise,
    async load(code, { compiled, environment, timeoutMs }) {
      const timer = setTimeout(
        () => finish('load', `The code took longer than ${timeoutMs} ms to load`),
        timeoutMs,
      )
      const all = { ...serverlessNode, ...environment }
      send({ type: 'load', code, compiled, environment: all, responseBytes, memoryMb, door })
      await loading.promise.finally(() => clearTimeout(timer))
    },
    async compile(code, timeoutMs) {
      const timer = setTimeout(
        () => finish('load', `The code took longer than ${timeoutMs} ms to compile`),
        timeoutMs,
      )
      send({ type: 'compile', code })
      return compiling.promise.finally(() => clearTimeout(timer))
    },
    invoke(request, { cause, fence = null, timeoutMs, about = {} }) {
      return new Promise((resolve, reject) => {
        if (end) return reject(new InvocationFailed('crash', 'The process has just ended'))
        const id = ++lastId
        const timer = setTimeout(() => {
          settle(id)?.reject(new InvocationFailed('timeout', `No answer within ${Math.round(timeoutMs)} ms`))
          finish('timeout', 'The process was ended because another invocation took too long')
        }, timeoutMs)
        waiting.set(id, { resolve, reject, timer })
        logs.begin()
        note(id, request, about)
        const { pieces, ...rest } = request
        if (!pieces) return send({ type: 'invoke', id, cause, fence, timeoutMs, request })
        send({ type: 'invoke', id, cause, fence, timeoutMs, request: rest, inPieces: true })
        sendBody(id, pieces)
      })
    },
    starve: () => finish('memory', outOfMemory(memoryMb)),
    end: () => finish('ended', 'The process was stopped'),
    ended: ended.promise,
    gone: gone.promise,
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

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has already ended, or was never created.
  }
  child.kill('SIGKILL')
}
