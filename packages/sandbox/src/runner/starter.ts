// Starts processes through a small one. The system copies the page tables of a process that starts
// another: for a server with 900 MB, that takes 40 ms of its main thread, and more on a busy machine.
// Each pipe of the new process is a connection to the small one, which passes it on. Requests and
// connections arrive in order, so the next connections belong to the next request.
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killGroup, type ProcessStart } from './start-process.ts'

/** The parts of ChildProcess that both ways of starting offer. */
export interface StartedProcess extends EventEmitter {
  /** Undefined until it has started. */
  readonly pid?: number | undefined
  readonly stdio: ChildProcess['stdio'] | Socket[]
  readonly exitCode: number | null
  readonly signalCode: NodeJS.Signals | null
  kill(signal: NodeJS.Signals): boolean
}

export type StarterRequest =
  | ({ type: 'start'; id: number; pipes: number } & ProcessStart)
  | { type: 'kill'; id: number; signal: NodeJS.Signals }

export type StarterReply =
  | { type: 'listening' }
  | { type: 'started'; id: number; pid: number }
  | { type: 'failed'; id: number; message: string }
  | { type: 'exited'; id: number; exitCode: number | null; signal: NodeJS.Signals | null }

/** Points to dist/ even when the server runs from its sources. */
const program = new URL('../../dist/workers/starter-process.js', import.meta.url)

/** Ends with this process. Its processes end with it. */
export class Starter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'botstead-starter-'))
  readonly #path = join(this.#folder, 'socket')
  readonly #process = fork(program, [this.#path], {
    env: {},
    execArgv: [],
    stdio: 'ignore',
  })
  readonly #started = new Map<number, RemoteProcess>()
  /** Resolves when the small process can start others, or has ended. */
  readonly settled: Promise<void>
  #settle = () => {}
  #isListening = false
  #lastId = 0

  constructor() {
    this.settled = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#process.unref()
    this.#process.channel?.unref()
    this.#process
      .on('message', (reply: StarterReply) => this.#receive(reply))
      .on('error', () => {})
      .on('exit', () => this.#end())
  }

  get isReady(): boolean {
    return this.#isListening && this.#process.connected
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  start(start: ProcessStart, pipes: number): StartedProcess {
    const id = ++this.#lastId
    const sockets = Array.from({ length: pipes }, () => connect(this.#path))
    const started = new RemoteProcess(sockets, (signal) =>
      this.#send({ type: 'kill', id, signal }),
    )
    this.#started.set(id, started)
    // Without it, all later connections would belong to other requests.
    for (const socket of sockets)
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.syscall === 'connect') this.close()
      })
    this.#send({ type: 'start', id, pipes, ...start })
    return started
  }

  close(): void {
    this.#process.kill('SIGKILL')
  }

  #send(request: StarterRequest): boolean {
    return this.#process.connected && this.#process.send(request, () => {})
  }

  #receive(reply: StarterReply): void {
    if (reply.type === 'listening') {
      this.#isListening = true
      this.#settle()
      return
    }
    this.#started.get(reply.id)?.receive(reply)
    if (reply.type !== 'started') this.#started.delete(reply.id)
  }

  #end(): void {
    this.#settle()
    rmSync(this.#folder, { recursive: true, force: true })
    for (const started of this.#started.values()) started.lose()
    this.#started.clear()
  }
}

class RemoteProcess extends EventEmitter implements StartedProcess {
  readonly stdio: Socket[]
  pid: number | undefined
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  readonly #send: (signal: NodeJS.Signals) => boolean
  #open: number

  constructor(sockets: Socket[], send: (signal: NodeJS.Signals) => boolean) {
    super()
    this.stdio = sockets
    this.#send = send
    this.#open = sockets.length
    for (const socket of sockets) socket.on('close', () => this.#closeOne())
  }

  receive(reply: Exclude<StarterReply, { type: 'listening' }>): void {
    if (reply.type === 'started') this.pid = reply.pid
    else if (reply.type === 'failed') this.#fail(reply.message)
    else this.#exit(reply.exitCode, reply.signal)
  }

  /** The starter has ended. */
  lose(): void {
    if (this.pid === undefined) this.#fail('the process that starts others has ended')
    else {
      killGroup(this.pid, 'SIGKILL')
      this.#exit(null, 'SIGKILL')
    }
  }

  kill(signal: NodeJS.Signals): boolean {
    return this.#send(signal)
  }

  #fail(message: string): void {
    this.emit('error', new Error(message))
    this.#exit(null, null)
  }

  #exit(exitCode: number | null, signal: NodeJS.Signals | null): void {
    this.exitCode = exitCode
    this.signalCode = signal
    this.#hasExited = true
    this.emit('exit', exitCode, signal)
    if (this.#open === 0) this.emit('close', exitCode, signal)
  }
  #hasExited = false

  #closeOne(): void {
    this.#open -= 1
    if (this.#open === 0 && this.#hasExited)
      this.emit('close', this.exitCode, this.signalCode)
  }
}
