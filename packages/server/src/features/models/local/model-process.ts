// The process that computes local models, one request after another, with limits on time and memory. The
// libraries may crash, which must not end the server: the next request starts the process again, after a
// pause if it ended repeatedly.
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import {
  type CommandOptions,
  exchange,
  ProcessFailure,
  startChild,
  toCommands,
} from './model-child-process.ts'
import type {
  Embedded,
  ModelMessage,
  ModelRequest,
  ProcessModel,
  RankRequest,
} from './model-messages.ts'
import { RequestQueue, type Turn } from './request-queue.ts'

export interface ModelProcessOptions extends CommandOptions {
  models: ProcessModel[]
  /** Of one request. */
  timeoutMs: number
  /** Ends the process after this time without requests. Null: it stays. */
  idleMs: number | null
  log: Logger
}

const loadMs = 120_000
const maxPauseMs = 60_000

const isLimit = ({ kind }: ProcessFailure) => kind === 'memory' || kind === 'time'

export class ModelProcess {
  readonly #options: ModelProcessOptions
  readonly #queue = new RequestQueue()
  /** Null until a start has shown whether namespaces work. */
  #command: string[] | null = null
  #started: Promise<ChildProcess> | null = null
  /** Unexpected ends since the last answer, without those by a limit of a request. */
  #ends = 0
  #pausedUntil = 0
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ModelProcessOptions) {
    this.#options = options
  }

  /** Starts the process and loads the models. Throws ProcessFailure. */
  async open(): Promise<void> {
    await this.#ready()
  }

  /** Throws ProcessFailure. */
  async embed(model: string, texts: string[], turn: Turn): Promise<Embedded> {
    return (await this.#run({ kind: 'embed', model, texts }, turn)) as ModelMessage &
      Embedded
  }

  /** Returns the probability of each text to answer the question. Throws ProcessFailure. */
  async rank(request: RankRequest, turn: Turn): Promise<number[]> {
    const answer = await this.#run({ kind: 'rank', ...request }, turn)
    return (answer as { scores: number[] }).scores
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#stop()
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle)
    const started = this.#started
    this.#started = null
    ;(await started?.catch(() => null))?.kill('SIGKILL')
  }

  async #run(request: ModelRequest, turn: Turn): Promise<ModelMessage> {
    const answer = await this.#queue.run(() => this.#perform(request), turn)
    if (answer.kind === 'failed') throw new ProcessFailure(answer.reason, 'text')
    return answer
  }

  async #perform(request: ModelRequest): Promise<ModelMessage> {
    clearTimeout(this.#idle)
    try {
      const child = await this.#ready()
      const answer = await exchange(child, request, this.#options).catch((error) => {
        // The next request may keep the limit.
        if (isLimit(error)) this.#resume()
        throw error
      })
      this.#resume()
      return answer
    } finally {
      const { idleMs } = this.#options
      if (idleMs !== null && !this.#closed)
        this.#idle = setTimeout(() => void this.#stop(), idleMs).unref()
    }
  }

  #ready(): Promise<ChildProcess> {
    if (this.#closed) throw new ProcessFailure('the server is stopping')
    if (this.#started) return this.#started
    const pauseMs = Math.ceil(this.#pausedUntil - performance.now())
    if (pauseMs > 0)
      throw new ProcessFailure(
        `its process ended repeatedly; it can start in ${pauseMs} ms`,
      )
    const starting = this.#start()
    this.#started = starting
    const onEnd = () => {
      if (this.#started !== starting) return false
      this.#started = null
      this.#pause()
      return true
    }
    const warn = () =>
      this.#options.log.warn(
        'the process of local models ended; the next call starts it again',
      )
    starting.then((child) => child.once('exit', () => onEnd() && warn()), onEnd)
    return starting
  }

  /** One end is followed by a start at once; each further one doubles the pause, from a second. */
  #pause(): void {
    this.#ends++
    const pauseMs = this.#ends === 1 ? 0 : 1_000 * 2 ** (this.#ends - 2)
    this.#pausedUntil = performance.now() + Math.min(pauseMs, maxPauseMs)
  }

  #resume(): void {
    this.#ends = 0
    this.#pausedUntil = 0
  }

  async #start(): Promise<ChildProcess> {
    const { models, log } = this.#options
    const commands = this.#command ? [this.#command] : toCommands(this.#options)
    for (const command of commands) {
      const child = startChild(command)
      const answer = await this.#load(child)
      const isIsolated = command[0] !== process.execPath
      if (!(answer instanceof Error)) {
        this.#command = command
        log.info(
          { models: models.map(({ name }) => name), isIsolated },
          'local models are loaded',
        )
        return child
      }
      child.kill('SIGKILL')
      if (!isIsolated || answer.kind !== 'other') throw answer
      log.info('local models run without namespaces: bubblewrap failed')
    }
    throw new ProcessFailure('the process of local models did not start')
  }

  async #load(child: ChildProcess): Promise<ModelMessage | ProcessFailure> {
    const { models, memoryMb } = this.#options
    try {
      const answer = await exchange(
        child,
        { kind: 'open', models },
        { memoryMb, timeoutMs: loadMs },
      )
      if (answer.kind !== 'broken') return answer
      const { name, reason } = answer
      return new ProcessFailure(
        `the model "${name}" cannot be loaded: ${reason}`,
        'broken',
      )
    } catch (error) {
      return error as ProcessFailure
    }
  }
}
