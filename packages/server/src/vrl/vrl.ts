// Runs scripts in the Vector Remap Language, which integrations bring along. A script is nobody we trust: it runs in a thread, for so long and with
// so much memory, and tenants take turns, one script each at a time. Nothing in it reaches the network, files or the environment.
import { Worker } from 'node:worker_threads'

export interface Asked {
  script: string
  /** JSON of what `.` is. */
  input: string
}
export type Answered = { output: string } | { failed: 'compile' | 'ended' | 'broken'; message: string }

export interface Outcome {
  /** What `.` has become. */
  data: unknown
  /** The value of the last expression. */
  result: unknown
}

/**
 * - compile: it is not VRL
 * - ended: it aborted, or what it did failed
 * - broken: it took more memory than it may
 * - timeout: it took longer than it may
 * - busy: too many are waiting; nothing was done
 */
export type VrlFailure = 'compile' | 'ended' | 'broken' | 'timeout' | 'busy'

export class VrlFailed extends Error {
  readonly reason: VrlFailure
  constructor(reason: VrlFailure, message: string) {
    super(message)
    this.name = 'VrlFailed'
    this.reason = reason
  }
}

export interface Vrl {
  /** Throws VrlFailed. */
  run(tenant: string, script: string, data: object): Promise<Outcome>
  close(): Promise<void>
}

export interface VrlOptions {
  threads?: number
  /** For one script, from when it begins: 5,000. */
  timeoutMs?: number
  /** Of the interpreter: 256. */
  memoryMb?: number
  /** After which an unused thread ends: 60,000. */
  idleMs?: number
}

interface Job extends Asked {
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}

/** Characters of what goes in, and of what comes out. */
const mostInput = 32 * 1_048_576
const mostScript = 65_536
const mostWaiting = 200
const mostWaitingOfOne = 40
/** Loading takes half a second, on a machine that has nothing else to do. */
const loadMs = 30_000
const pagesOfMegabyte = 16

export function openVrl({
  threads = 2,
  timeoutMs = 5_000,
  memoryMb = 256,
  idleMs = 60_000,
}: VrlOptions = {}): Vrl {
  /** By tenant; who was served goes to the end. */
  const waiting = new Map<string, Job[]>()
  const busy = new Set<string>()
  const slots = Array.from({ length: threads }, () => openSlot({ timeoutMs, memoryMb, idleMs }))
  let count = 0
  let closed = false

  function next() {
    const slot = slots.find((one) => !one.taken)
    const tenant = slot && [...waiting.keys()].find((one) => !busy.has(one))
    if (!slot || tenant === undefined) return
    const [job, ...others] = waiting.get(tenant) as [Job, ...Job[]]
    waiting.delete(tenant)
    if (others.length) waiting.set(tenant, others)
    count -= 1
    busy.add(tenant)
    void slot
      .perform(job)
      .then(job.resolve, job.reject)
      .finally(() => {
        busy.delete(tenant)
        next()
      })
    next()
  }

  return {
    run: (tenant, script, data) =>
      new Promise((resolve, reject) => {
        if (script.length > mostScript)
          throw new VrlFailed('compile', `A script has ${mostScript} characters at most`)
        const input = JSON.stringify(data)
        if (input.length > mostInput)
          throw new VrlFailed('broken', `What a script works on has ${mostInput} characters at most`)
        const own = waiting.get(tenant) ?? []
        if (closed || count >= mostWaiting || own.length >= mostWaitingOfOne)
          throw new VrlFailed('busy', 'Too many scripts are waiting')
        waiting.set(tenant, [...own, { script, input, resolve, reject }])
        count += 1
        next()
      }),
    async close() {
      closed = true
      for (const { reject } of [...waiting.values()].flat())
        reject(new VrlFailed('busy', 'The server is stopping'))
      waiting.clear()
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

interface Slot {
  readonly taken: boolean
  perform(job: Asked): Promise<Outcome>
  close(): Promise<unknown>
}

/** Compiled, also when the server itself runs from its sources. */
const workerFile = new URL('../../dist/vrl/verel-worker.js', import.meta.url)

function openSlot({ timeoutMs, memoryMb, idleMs }: Required<Omit<VrlOptions, 'threads'>>): Slot {
  let worker: Worker | null = null
  let taken = false
  let idle: NodeJS.Timeout | undefined

  async function ready(): Promise<Worker> {
    if (worker) return worker
    const started = new Worker(workerFile, {
      workerData: { memoryPages: memoryMb * pagesOfMegabyte, outputBytes: mostInput },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      env: {},
      // What the interpreter says of its own end is for nobody.
      stdout: true,
      stderr: true,
    })
    started.unref()
    worker = started
    started.on('exit', () => worker === started && end())
    await answerOf(started, loadMs)
    return started
  }
  function end() {
    const ended = worker
    worker = null
    return ended?.terminate()
  }

  return {
    get taken() {
      return taken
    },
    async perform({ script, input }) {
      taken = true
      clearTimeout(idle)
      try {
        const thread = await ready().catch(() => {
          throw new VrlFailed('busy', 'Scripts cannot run at the moment')
        })
        thread.postMessage({ script, input } satisfies Asked)
        const answered = await answerOf(thread, timeoutMs)
        if ('output' in answered) return JSON.parse(answered.output)
        if (answered.failed === 'broken') void end()
        throw new VrlFailed(answered.failed, answered.message)
      } catch (error) {
        if (!(error instanceof VrlFailed) || error.reason === 'timeout' || error.reason === 'busy') void end()
        throw error
      } finally {
        taken = false
        idle = setTimeout(end, idleMs).unref()
      }
    },
    close: async () => {
      clearTimeout(idle)
      await end()
    },
  }
}

function answerOf(worker: Worker, ms: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => settle(() => reject(new VrlFailed('timeout', `The script took longer than ${ms} ms`))),
      ms,
    )
    const settle = (how: () => void) => {
      clearTimeout(timer)
      worker.off('message', answered).off('error', broken).off('exit', broken)
      how()
    }
    const answered = (message: Answered) => settle(() => resolve(message))
    const broken = () =>
      settle(() => reject(new VrlFailed('broken', 'The script needs more memory than scripts may')))
    worker.on('message', answered).on('error', broken).on('exit', broken)
  })
}
