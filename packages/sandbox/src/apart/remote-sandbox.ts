// The server's side of a sandbox in another process (sandbox-process.ts). Invariant: hosted code keeps
// running under another server only with the same code, environment and memory.
import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { InvocationFailed } from '../invocation/invocation.ts'
import type { SandboxOptions } from '../runner/starting.ts'
import type {
  CodeUnit,
  HandlerRequest,
  HandlerResponse,
  InvokeOptions,
  LogLine,
  RunnerEnd,
  Sandbox,
  SandboxStats,
  Trial,
} from '../sandbox.ts'
import { type Channel, RemoteCalls } from './remote-calls.ts'

export type ServerFunctions = {
  /** Called when the process of the sandbox has started. */
  onStarted(): void
  /** Returns the code for a running invocation. */
  load(id: string): Promise<Buffer | null>
  onLog(key: string, line: LogLine): void
  onTrouble(key: string, how: Exclude<RunnerEnd, 'ended'>, message: string): void
  onStats(stats: SandboxStats): void
}

export type SandboxFunctions = {
  /** Must be called when the server has ended: ends the processes that work for it. */
  endInvocations(): Promise<void>
  /** Begins the calls of a server. */
  open(): Promise<{ stats: SandboxStats; socketPath: string }>
  invoke(invocation: SentInvocation): Promise<HandlerResponse>
  /** Stops an invocation as its user does. */
  cancel(id: string): void
  tryOut(trial: Trial): Promise<void>
  stop(key: string): Promise<void>
  listKeys(): Promise<string[]>
}

interface SentInvocation {
  id: string
  unit: Omit<CodeUnit, 'load' | 'environment'> & { environment: Record<string, string> }
  request: SentRequest
  options: Omit<InvokeOptions, 'stop'>
  apiUrls: string[]
}
export type SentRequest = Omit<HandlerRequest, 'pieces'> & { pieces?: Uint8Array[] }

type Options = Pick<SandboxOptions, 'onLog' | 'onTrouble' | 'egress'>

export async function openRemoteSandbox(
  channel: Channel,
  options: Options,
): Promise<Sandbox> {
  const sandbox = new RemoteSandbox(channel, options)
  await sandbox.open()
  return sandbox
}

class RemoteSandbox implements Sandbox {
  readonly #options: Options
  readonly #calls: RemoteCalls<SandboxFunctions>
  readonly #running = new Map<string, CodeUnit['load']>()
  #stats: SandboxStats | null = null
  #closed = false
  #connections: { close(): void } | null = null

  constructor(channel: Channel, options: Options) {
    this.#options = options
    const functions: ServerFunctions = {
      onStarted: () => this.#stats && this.#reopen(),
      load: async (id) => (await this.#running.get(id)?.()) ?? null,
      onLog: options.onLog,
      onTrouble: (...trouble) => options.onTrouble?.(...trouble),
      onStats: (stats) => {
        this.#stats = stats
      },
    }
    this.#calls = new RemoteCalls(channel, functions)
  }

  async open(): Promise<void> {
    const { stats, socketPath } = await this.#calls.call('open')
    this.#stats = stats
    const { egress } = this.#options
    // As in egress.ts, only where sockets are files.
    if (egress && process.platform !== 'win32')
      this.#connections = await acceptConnections(socketPath, egress.serve)
  }

  /** The process had ended. */
  #reopen(): Promise<void> {
    this.#calls.rejectAll(
      new InvocationFailed('crash', 'The process of the sandbox has ended'),
    )
    this.#connections?.close()
    return this.open()
  }

  async invoke(
    unit: CodeUnit,
    request: HandlerRequest,
    { stop, ...options }: InvokeOptions,
  ) {
    if (this.#closed) throw new InvocationFailed('crash', 'The server is stopping')
    const id = this.#calls.createId()
    this.#running.set(id, unit.load)
    if (stop) stop.onStop = () => this.#calls.notify('cancel', id)
    try {
      return await this.#calls.call('invoke', {
        id,
        unit: await toSent(unit),
        request: { ...request, ...(request.pieces && { pieces: [...request.pieces] }) },
        options,
        apiUrls: this.#options.egress?.apiUrls() ?? [],
      } as SentInvocation)
    } finally {
      this.#running.delete(id)
    }
  }

  tryOut(trial: Trial): Promise<void> {
    return this.#calls.call('tryOut', trial)
  }

  stop(key: string): Promise<void> {
    return this.#calls.call('stop', key)
  }

  async stopAll(matches: (key: string) => boolean): Promise<void> {
    const keys = await this.#calls.call('listKeys')
    await Promise.all(keys.filter(matches).map((key) => this.stop(key)))
  }

  stats(): SandboxStats {
    return this.#stats!
  }

  /** The idle processes remain for the next server. */
  async close(deadlineMs: number): Promise<void> {
    this.#closed = true
    const until = performance.now() + deadlineMs
    while (this.#running.size > 0 && performance.now() < until) await pause(20)
    this.#connections?.close()
  }
}

/** The version changes with everything that a process gets when it starts. */
async function toSent({ load: _, environment: findEnvironment, ...unit }: CodeUnit) {
  const environment = await findEnvironment()
  const entries = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1))
  const started = JSON.stringify([unit.version, unit.memoryMb, entries])
  const version = createHash('sha256').update(started).digest('hex')
  return { ...unit, version, environment }
}

/** Serves connections of hosted code, which begin with the name of the process. */
async function acceptConnections(
  path: string,
  serve: (socket: Socket, processName: string) => void,
): Promise<{ close(): void }> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    readName(socket, (name) => {
      socket.write('\n')
      serve(socket, name)
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(path, () => resolve()),
  )
  return {
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function readName(socket: Socket, go: (name: string) => void, before = ''): void {
  socket.once('data', (chunk) => {
    const text = before + chunk.toString('latin1')
    if (text.endsWith('\n')) go(text.slice(0, -1))
    else readName(socket, go, text)
  })
}
