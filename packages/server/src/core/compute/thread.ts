// A worker thread that runs jobs of tasks.ts. It starts with its first job and ends when idle. A job
// that exceeds its limits ends the thread; other jobs in it run again in a new one.
import { Worker } from 'node:worker_threads'
import { ApiError, type ErrorType } from '@botstead/contract'
import { limitTime } from '@botstead/lib'
import type { Input, Output, TaskName } from './tasks.ts'

export interface JobMessage {
  id: number
  tenant: string
  name: TaskName
  input: unknown
}

export type JobReply = { id: number } & (
  | { output: unknown }
  | {
      error: {
        type: ErrorType | null
        message: string
        metadata?: Record<string, unknown>
      }
    }
)

/**
 * Shared with the thread: the job that runs, 0 for none; the number of turns; and the id of the thread for
 * the system, 0 if unknown.
 */
export const progress = { job: 0, turns: 1, thread: 2 }

interface Job extends JobMessage {
  resolve: (output: never) => void
  reject: (error: Error) => void
  /** Whether it was in a thread that ended. */
  isRepeated: boolean
  cancelDeadline?: () => void
}

interface ThreadOptions {
  idleMs: number
  /** Ends the thread when a turn takes longer. */
  maxTurnMs?: number
}

/** Points to dist/ even when the server runs from its sources. */
const workerFile = new URL('../../../dist/workers/worker.js', import.meta.url)
const memoryMb = 512
const watchMs = 100

export class ComputeThread {
  readonly #options: ThreadOptions
  readonly #jobs = new Map<number, Job>()
  #worker: Worker | null = null
  #progress = new Int32Array(new SharedArrayBuffer(12))
  #lastId = 0
  #watch: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Without `deadlineMs`, the job shares the thread. Throws as Compute. */
  run<Name extends TaskName>(
    tenant: string,
    name: Name,
    input: Input<Name>,
    deadlineMs?: number,
  ): Promise<Output<Name>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      const job: Job = { id, tenant, name, input, resolve, reject, isRepeated: false }
      if (deadlineMs !== undefined) job.cancelDeadline = this.#limit(id, deadlineMs)
      this.#jobs.set(id, job)
      this.#post(job)
    })
  }

  /** Waits for a CPU do not count, up to the same time. */
  #limit(id: number, deadlineMs: number): () => void {
    const thread = () => this.#progress[progress.thread]!
    return limitTime(thread, deadlineMs, () => this.#end(id), 2 * deadlineMs)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimers()
    await this.#worker?.terminate()
    for (const job of this.#jobs.values()) this.#settle(job).reject(unavailable())
  }

  #post({ id, tenant, name, input }: Job) {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage({ id, tenant, name, input } satisfies JobMessage)
    if (this.#options.maxTurnMs !== undefined) this.#watchTurns(this.#options.maxTurnMs)
  }

  #start(): Worker {
    this.#progress = new Int32Array(new SharedArrayBuffer(12))
    const worker = new Worker(workerFile, {
      workerData: this.#progress,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
      // Options of this process, such as conditions of imports, are not for the built file.
      execArgv: [],
    })
    worker.on('message', (reply: JobReply) => this.#receive(reply))
    worker.on('error', () => {})
    worker.on(
      'exit',
      () => worker === this.#worker && this.#end(this.#progress[progress.job]!),
    )
    return worker
  }

  #receive(reply: JobReply) {
    const job = this.#jobs.get(reply.id)
    if (!job) return
    this.#settle(job)
    if ('output' in reply) return job.resolve(reply.output as never)
    const { type, message, metadata } = reply.error
    job.reject(
      type === null
        ? new Error(message)
        : new ApiError(type, message, metadata && { metadata }),
    )
  }

  /** Removes the job. The thread does not keep the process alive without jobs. */
  #settle(job: Job): Job {
    job.cancelDeadline?.()
    this.#jobs.delete(job.id)
    if (this.#jobs.size > 0) return job
    clearInterval(this.#watch)
    this.#watch = undefined
    this.#worker?.unref()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#stop(), this.#options.idleMs).unref()
    return job
  }

  /** Ends the thread and the job at fault, and repeats the others once. */
  #end(faulty: number) {
    this.#stop()
    if (this.#isClosed) return
    for (const job of [...this.#jobs.values()]) {
      if (job.id === faulty) this.#settle(job).reject(exceeded())
      else if (job.isRepeated) this.#settle(job).reject(unavailable())
      else {
        job.isRepeated = true
        this.#post(job)
      }
    }
  }

  #stop() {
    const worker = this.#worker
    this.#worker = null
    void worker?.terminate()
  }

  #stopTimers() {
    clearInterval(this.#watch)
    clearTimeout(this.#idle)
  }

  /** Counts only time in which this process runs, too. */
  #watchTurns(maxTurnMs: number) {
    if (this.#watch) return
    let [job, turns, ms] = [0, 0, 0]
    this.#watch = setInterval(() => {
      const now = [
        this.#progress[progress.job]!,
        this.#progress[progress.turns]!,
      ] as const
      ms = now[0] !== 0 && now[0] === job && now[1] === turns ? ms + watchMs : 0
      job = now[0]
      turns = now[1]
      if (ms >= maxTurnMs) this.#end(job)
    }, watchMs)
  }
}

const exceeded = () =>
  new ApiError('OperationTimeout', 'The computation exceeds its limit of time or memory')
const unavailable = () =>
  new ApiError('Unavailable', 'The server cannot compute this now: retry in some seconds')
