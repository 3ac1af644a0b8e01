// The life cycle of runner processes: started on demand, kept warm, replaced when the version
// changes, stopped when idle. Invariant: at most one process per key accepts work; others of that
// key only finish their running invocations.
import { availableParallelism } from 'node:os'
import { FairTurns } from '@botstead/lib'
import { createEgress, type Egress } from '../egress.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import { type FoundLauncher, findLauncher } from '../launch.ts'
import type {
  CodeUnit,
  HandlerRequest,
  InvokeOptions,
  KillCause,
  RunnerEnd,
  Sandbox,
  SandboxStats,
  Trial,
} from '../sandbox.ts'
import { bytesInTemporaryFolder } from '../temporary-folder.ts'
import { loadMs } from '../trials.ts'
import { residentBytes } from './memory.ts'
import { createReplacement } from './replacement.ts'
import { createRestarts } from './restarts.ts'
import type { Runner } from './runner.ts'
import type { Runners } from './runners.ts'
import { createStarting, type SandboxOptions, type Starting } from './starting.ts'
import { createWarmLimit } from './warm-limit.ts'

/** A process with the code that it runs. */
interface Slot {
  key: string
  version: string
  memoryMb: number
  /** Rejects when the code does not load. */
  runner: Promise<Runner>
  process: Runner | null
  running: number
  usedAt: number
  /** At the last inspection; null before the first one. */
  residentBytes: number | null
  retired: boolean
}

const watchMs = 250
/** Idle processes are inspected in turn: all of them in at least this many rounds. */
const restingRounds = 8
/** Idle processes per round. An inspection takes 0.1 ms. */
const maxRestingPerRound = 8
const stopGraceMs = 5000
// A shorter pause before a restart is waited out; a longer one fails at once, so that the queue
// reschedules the event.
const maxPauseMs = 1000
/** A start that takes longer no longer delays others. */
const slowStartMs = 1_000

// The reason persists until the operator fixes it and restarts the server.
const refusalMs = 60_000

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const egress = options.egress ? createEgress(options.egress) : null
  const { launcher, missed } = await (options.find ?? findLauncher)({
    ...(options.minTier && { minTier: options.minTier }),
    egress,
  })
  return new Pool(options, { launcher, missed, egress })
}

class Pool implements Sandbox {
  readonly #options: SandboxOptions
  readonly #warmLimit: ReturnType<typeof createWarmLimit>
  readonly #replacement = createReplacement()
  readonly #egress: Egress | null
  readonly #launcher: FoundLauncher['launcher']
  readonly #missed: string[]
  /** Null when no launcher reaches the required tier. */
  readonly #starting: Starting | null
  readonly #refusal: string | null
  readonly #restarts = createRestarts()
  /**
   * Many bots may get an event at once. A start needs much CPU, so starts wait for each other, and
   * the first bots respond before the last ones start.
   */
  readonly #starts = new FairTurns({
    capacity: 2 * availableParallelism(),
    maxMs: slowStartMs,
  })
  /** The slot of each key that accepts work. */
  readonly #serving = new Map<string, Slot>()
  readonly #slots = new Set<Slot>()
  readonly #counts = {
    coldStarts: 0,
    crashes: 0,
    kills: { timeout: 0, memory: 0, frame: 0, load: 0 } as Record<KillCause, number>,
  }
  readonly #watch: NodeJS.Timeout
  #closed = false
  #round = 0
  /** The processes that the rounds inspect next. */
  #resting: Slot[] = []
  #restingPerRound = 0

  constructor(
    options: SandboxOptions,
    { launcher, missed, egress }: FoundLauncher & { egress: Egress | null },
  ) {
    this.#options = options
    this.#warmLimit = createWarmLimit(options.maxWarm)
    this.#egress = egress
    this.#launcher = launcher
    this.#missed = missed
    this.#starting = launcher && createStarting(launcher, options)
    this.#refusal = launcher
      ? null
      : `This server does not run hosted code: ${missed.join('; ')}`
    this.#watch = setInterval(() => void this.#inspect(), watchMs).unref()
  }

  async invoke(
    unit: CodeUnit,
    request: HandlerRequest,
    { timeoutMs, ...options }: InvokeOptions,
  ) {
    if (this.#closed) throw new InvocationFailed('crash', 'The server is stopping')
    const deadline = performance.now() + timeoutMs
    const slot = this.#find(unit)
    if (!unit.once) this.#replacement.noteUse(unit.key)
    slot.running += 1
    try {
      const runner = await within(timeoutMs, slot.runner)
      const response = await runner.invoke(request, {
        timeoutMs: Math.max(1, deadline - performance.now()),
        ...options,
      })
      this.#restarts.forgive(unit.key)
      return response
    } finally {
      slot.running -= 1
      slot.usedAt = performance.now()
      if (unit.once) this.#retire(slot)
      if (slot.retired && slot.running === 0) this.#discard(slot)
      else this.#trim(this.#warmLimit.max)
    }
  }

  async tryOut(trial: Trial): Promise<void> {
    await this.#starting?.trials.run(trial)
  }

  async stop(key: string, graceMs?: number): Promise<void> {
    this.#stop(key, graceMs)
  }

  async stopAll(matches: (key: string) => boolean): Promise<void> {
    for (const key of [...this.#serving.keys(), ...this.#restarts.keys()].filter(matches))
      this.#stop(key)
  }

  #stop(key: string, graceMs = stopGraceMs): void {
    this.#restarts.forget(key)
    const slot = this.#serving.get(key)
    if (!slot) return
    this.#retire(slot)
    setTimeout(() => this.#discard(slot), graceMs).unref()
  }

  stats(): SandboxStats {
    const running = [...this.#slots].reduce((sum, slot) => sum + slot.running, 0)
    const { tier = null, protections = [], stopped = [] } = this.#launcher ?? {}
    return {
      tier,
      protections,
      stopped,
      missed: this.#missed,
      refusal: this.#refusal,
      processes: this.#slots.size,
      running,
      ...this.#counts,
      kills: { ...this.#counts.kills },
    }
  }

  async close(deadlineMs: number): Promise<void> {
    this.#closed = true
    this.#starting?.compiled.close()
    clearInterval(this.#watch)
    const all = [...this.#slots]
    for (const slot of all) this.#retire(slot)
    const until = performance.now() + deadlineMs
    while (this.#slots.size > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20))
    for (const slot of all) this.#discard(slot)
    await this.#starting?.runners.close()
    this.#egress?.close()
  }

  #find(unit: CodeUnit): Slot {
    const slot = this.#serving.get(unit.key)
    if (slot?.version === unit.version) return slot
    if (slot) {
      this.#restarts.forget(unit.key)
      this.#retire(slot)
    }
    return this.#open(unit)
  }

  #open(unit: CodeUnit): Slot {
    this.#makeRoom()
    const { key, version, memoryMb } = unit
    const slot: Slot = {
      key,
      version,
      memoryMb,
      runner: null!,
      process: null,
      running: 0,
      usedAt: performance.now(),
      residentBytes: null,
      retired: false,
    }
    slot.runner = this.#run(slot, unit)
    slot.runner.catch((error) => {
      if (error instanceof InvocationFailed && error.retryAfterMs === null)
        this.#restarts.noteLastWords(key, error.message)
      this.#discard(slot)
    })
    this.#slots.add(slot)
    this.#serving.set(unit.key, slot)
    return slot
  }

  /** Starts a process for the slot and loads the code. */
  async #run(slot: Slot, unit: CodeUnit): Promise<Runner> {
    if (!this.#starting) throw new InvocationFailed('crash', this.#refusal!, refusalMs)
    await this.#pauseBeforeRestart(slot.key)
    const turn = this.#starts.take(slot.key)
    try {
      await turn.admitted
      return await this.#load(slot, unit, this.#starting)
    } finally {
      turn.leave()
    }
  }

  async #load(
    slot: Slot,
    unit: CodeUnit,
    { runners, compiled }: Starting,
  ): Promise<Runner> {
    const [code, environment] = await Promise.all([unit.load(), unit.environment()])
    if (!code?.length) throw new InvocationFailed('no-code', 'No code has been deployed')
    const known = await compiled.of(code)
    await runners.ready()
    if (this.#closed || !this.#slots.has(slot))
      throw new InvocationFailed('crash', 'The process was stopped before the code ran')
    const runner = this.#occupy(slot, runners)
    const { loadTimeoutMs = loadMs } = this.#options
    await runner.load(code, { compiled: known, environment, timeoutMs: loadTimeoutMs })
    if (this.#closed || unit.once) return runner
    if (!known) void compiled.ahead(code, slot.memoryMb)
    // After the request was sent: starting a process blocks for some milliseconds.
    setImmediate(() => this.#closed || runners.prepare(slot.memoryMb))
    return runner
  }

  #occupy(slot: Slot, runners: Runners): Runner {
    this.#restarts.started(slot.key)
    this.#counts.coldStarts += 1
    const runner = runners.take(slot.key, slot.memoryMb)
    slot.process = runner
    void runner.ended.then(({ how, message }) => {
      this.#depart(slot, how)
      if (how !== 'ended') this.#options.onTrouble?.(slot.key, how, message)
    })
    return runner
  }

  async #pauseBeforeRestart(key: string): Promise<void> {
    const pause = this.#restarts.pauseMs(key)
    const words = this.#restarts.lastWords(key)
    if (pause > maxPauseMs)
      throw new InvocationFailed(
        'crash',
        `The code crashed repeatedly; it restarts in ${Math.ceil(pause / 1000)} s` +
          (words && `. Last error: ${words}`),
        pause,
      )
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
  }

  /** Gives the slot no more work. It ends after its running invocations. */
  #retire(slot: Slot): void {
    slot.retired = true
    if (this.#serving.get(slot.key) === slot) this.#serving.delete(slot.key)
    if (slot.running === 0) this.#discard(slot)
  }

  #discard(slot: Slot): void {
    slot.retired = true
    if (this.#serving.get(slot.key) === slot) this.#serving.delete(slot.key)
    this.#slots.delete(slot)
    slot.process?.end()
  }

  /** Removes the slot of a process that has ended. */
  #depart(slot: Slot, how: RunnerEnd): void {
    const successor = this.#serving.get(slot.key)
    this.#discard(slot)
    if (how === 'ended') return
    // A crash of an old version must not delay the new one.
    if (!successor || successor === slot) this.#restarts.crashed(slot.key)
    if (how === 'crashed') this.#counts.crashes += 1
    else this.#counts.kills[how] += 1
  }

  /** Retires idle slots until at most `max` slots remain. */
  #trim(max: number): void {
    const excess = this.#slots.size - max
    if (excess <= 0) return
    const idle = [...this.#slots].filter((slot) => slot.running === 0)
    for (const slot of this.#replacement.choose(idle, excess)) this.#retire(slot)
  }

  /**
   * Allows more busy processes than warm ones, so that an invocation waiting for a nested one does
   * not block it.
   */
  #makeRoom(): void {
    this.#trim(this.#warmLimit.max - 1)
    if (this.#slots.size >= this.#warmLimit.maxRunning)
      throw new InvocationFailed(
        'crash',
        'The server has reached its limit of runner processes',
        1000,
      )
  }

  /** Ends processes over their memory limit, and those that have been idle for too long. */
  async #inspect(): Promise<void> {
    const launcher = this.#launcher
    if (!launcher) return
    const { idleMs = 600_000 } = this.#options
    const held = [...this.#takeToInspect()]
    const tried = [...(this.#starting?.trials.running() ?? [])]
    const resident = await residentBytes([
      ...held.map((slot) => slot.process!.pid),
      ...tried.map(([runner]) => runner.pid),
    ])
    const isOver = ({ pid }: Runner, memoryMb: number) =>
      (resident.get(pid) ?? 0) + (launcher.tier === 2 ? bytesInTemporaryFolder(pid) : 0) >
      launcher.residentLimit(memoryMb)
    for (const [runner, memoryMb] of tried) if (isOver(runner, memoryMb)) runner.starve()
    for (const slot of held) {
      slot.residentBytes = resident.get(slot.process!.pid) ?? null
      if (isOver(slot.process!, slot.memoryMb)) slot.process!.starve()
      else if (slot.running === 0 && performance.now() - slot.usedAt > idleMs)
        this.#retire(slot)
    }
  }

  /** Returns the busy processes and some of the idle ones. */
  #takeToInspect(): Set<Slot> {
    this.#round += 1
    if (this.#resting.length === 0 && this.#round % restingRounds === 0) {
      this.#resting = [...this.#slots]
      const perRound = Math.ceil(this.#resting.length / restingRounds)
      this.#restingPerRound = Math.min(perRound, maxRestingPerRound)
      void this.#warmLimit.measure(this.#resting.flatMap(toMeasurable))
    }
    const some = this.#resting.splice(0, this.#restingPerRound)
    const busy = [...this.#slots].filter((slot) => slot.running > 0)
    return new Set(
      [...some, ...busy].filter((slot) => slot.process && this.#slots.has(slot)),
    )
  }
}

const toMeasurable = ({ process, usedAt, residentBytes }: Slot) =>
  process ? [{ pid: process.pid, usedAt, residentBytes }] : []

function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new InvocationFailed(
            'timeout',
            `The code was not ready within ${timeoutMs} ms`,
          ),
        ),
      timeoutMs,
    )
    void promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
