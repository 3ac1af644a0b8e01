// Runs scripts in the Vector Remap Language, which integrations provide. Scripts are untrusted:
// they run in worker threads with limits on time and memory. Tenants take turns, one script each at
// a time. Scripts have no access to the network, files or the environment.
import { Worker } from 'node:worker_threads'
import type { CheckResult } from '@bpinternal/verel'

export interface ScriptRequest {
  script: string
  /** The initial value of `.`, as JSON; null only checks the script. */
  input: string | null
}
export type ScriptReply =
  | { output: string }
  | { failed: 'compile' | 'ended' | 'broken'; message: string }

interface VrlResult {
  /** The final value of `.`. */
  data: unknown
  /** The value of the last expression. */
  result: unknown
}

/**
 * - compile: the script is not valid VRL
 * - ended: the script aborted, or one of its operations failed
 * - broken: the script exceeded its memory
 * - timeout: the script exceeded its time
 * - busy: too many scripts are waiting; the script did not run
 */
type VrlFailure = 'compile' | 'ended' | 'broken' | 'timeout' | 'busy'

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
  run(tenant: string, script: string, data: object): Promise<VrlResult>
  /** Compiles the script and does not run it. Throws VrlFailed. */
  check(tenant: string, script: string): Promise<CheckResult>
  close(): Promise<void>
}

interface VrlOptions {
  threads?: number
  /** Time limit of one script, from its start. Default: 5,000. */
  timeoutMs?: number
  /** Memory limit of the interpreter. Default: 256. */
  memoryMb?: number
  /** When an idle thread ends. Default: 60,000. */
  idleMs?: number
}

interface Job extends ScriptRequest {
  resolve: (outcome: unknown) => void
  reject: (error: Error) => void
}

/** Maximum characters of the input, and of the output. */
const maxInput = 32 * 1_048_576
const maxScript = 65_536
const maxWaiting = 200
const maxWaitingPerTenant = 40
/** Loading takes half a second on an idle machine. */
const loadMs = 30_000
const pagesOfMegabyte = 16

export function openVrl({
  threads = 2,
  timeoutMs = 5_000,
  memoryMb = 256,
  idleMs = 60_000,
}: VrlOptions = {}): Vrl {
  /** By tenant; a tenant moves to the end after its turn. */
  const waiting = new Map<string, Job[]>()
  const busy = new Set<string>()
  const slots = Array.from({ length: threads }, () =>
    openSlot({ timeoutMs, memoryMb, idleMs }),
  )
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

  const enqueue = (tenant: string, script: string, input: string | null) =>
    new Promise<unknown>((resolve, reject) => {
      if (script.length > maxScript)
        throw new VrlFailed(
          'compile',
          `The script exceeds ${maxScript} characters: shorten it`,
        )
      if (input && input.length > maxInput)
        throw new VrlFailed(
          'broken',
          `The input of the script exceeds ${maxInput} characters`,
        )
      const own = waiting.get(tenant) ?? []
      if (closed || count >= maxWaiting || own.length >= maxWaitingPerTenant)
        throw new VrlFailed('busy', 'Too many scripts are waiting; try again later')
      waiting.set(tenant, [...own, { script, input, resolve, reject }])
      count += 1
      next()
    })

  return {
    run: (tenant, script, data) =>
      enqueue(tenant, script, JSON.stringify(data)) as Promise<VrlResult>,
    check: (tenant, script) => enqueue(tenant, script, null) as Promise<CheckResult>,
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
  perform(job: ScriptRequest): Promise<unknown>
  close(): Promise<unknown>
}

/** Points to dist/ even when the server runs from its sources. */
const workerFile = new URL('../../../../dist/workers/verel-worker.js', import.meta.url)

function openSlot({
  timeoutMs,
  memoryMb,
  idleMs,
}: Required<Omit<VrlOptions, 'threads'>>): Slot {
  let worker: Worker | null = null
  let taken = false
  let idle: NodeJS.Timeout | undefined

  async function ready(): Promise<Worker> {
    if (worker) return worker
    const started = new Worker(workerFile, {
      workerData: { memoryPages: memoryMb * pagesOfMegabyte, outputBytes: maxInput },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      env: {},
      // Discards the interpreter's crash reports.
      stdout: true,
      stderr: true,
    })
    started.unref()
    worker = started
    started.on('exit', () => worker === started && end())
    await awaitReply(started, loadMs)
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
          throw new VrlFailed('busy', 'Scripts cannot run at the moment; try again later')
        })
        thread.postMessage({ script, input } satisfies ScriptRequest)
        const answered = await awaitReply(thread, timeoutMs)
        if ('output' in answered) return JSON.parse(answered.output)
        if (answered.failed === 'broken') void end()
        throw new VrlFailed(answered.failed, answered.message)
      } catch (error) {
        if (
          !(error instanceof VrlFailed) ||
          error.reason === 'timeout' ||
          error.reason === 'busy'
        )
          void end()
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

function awaitReply(worker: Worker, ms: number): Promise<ScriptReply> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(new VrlFailed('timeout', `The script took longer than ${ms} ms`)),
        ),
      ms,
    )
    const settle = (how: () => void) => {
      clearTimeout(timer)
      worker.off('message', answered).off('error', broken).off('exit', broken)
      how()
    }
    const answered = (message: ScriptReply) => settle(() => resolve(message))
    const broken = () =>
      settle(() => reject(new VrlFailed('broken', 'The script exceeds the memory limit')))
    worker.on('message', answered).on('error', broken).on('exit', broken)
  })
}
