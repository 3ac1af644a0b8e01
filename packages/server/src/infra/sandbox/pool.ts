// The life cycle of runner processes: started on demand, kept warm, replaced when the version changes,
// stopped when idle. Invariant: at most one process per key accepts work; others of that key only finish
// their running invocations.
import { totalmem } from 'node:os'
import { createCompiled } from './compiled.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { InvocationFailed } from './invocation/invocation.ts'
import { type Found, findLauncher, type LaunchOptions } from './launch.ts'
import { residentBytes } from './memory.ts'
import { createRestarts } from './restarts.ts'
import type { Runner, RunnerEnd } from './runner.ts'
import { createRunners } from './runners.ts'
import type { CodeUnit, KillCause, LogLine, Sandbox } from './sandbox.ts'
import { bytesInTemporaryFolder } from './temporary-folder.ts'
import { createTrials } from './trials.ts'
import type { Tier } from './way.ts'

export interface SandboxOptions {
  /** Receives each line that code writes; `key` as in its CodeUnit. */
  onLog: (key: string, line: LogLine) => void
  /** Called when a process ends unexpectedly. */
  onTrouble?: (key: string, how: Exclude<RunnerEnd, 'ended'>, message: string) => void
  /** Default: 600,000 (ten minutes). */
  idleMs?: number
  /**
   * How many idle processes stay warm. Default: as many as fit into half of the machine's memory, at least
   * eight.
   */
  warmMost?: number
  /** Default: 10,000. */
  loadTimeoutMs?: number
  /** Maximum size of a response body. Default: 1,048,576. */
  responseBytes?: number
  /** When no launcher reaches this tier, every invocation fails with the reason. */
  minTier?: Tier
  /** How code reaches our API and, without direct network access, other hosts. Default: no access. */
  egress?: EgressOptions
  /** Finds the launcher. Default: the strongest that works here. */
  find?: (options: LaunchOptions) => Promise<Found>
}

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
  retired: boolean
}

const watchMs = 250
/** Idle processes are inspected only once per this many rounds. */
const restingRounds = 8
const stopGraceMs = 5000
// A shorter pause before a restart is waited out; a longer one fails at once, so that the queue reschedules
// the event.
const maxPauseMs = 1000
// The reason persists until the operator fixes it and restarts the server.
const refusalMs = 60_000

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { idleMs = 600_000, loadTimeoutMs = 10_000, responseBytes = 1_048_576, onLog } = options
  const warmMost = options.warmMost ?? Math.max(8, Math.floor(totalmem() / 2 / 67_108_864))
  const egress = options.egress ? createEgress(options.egress) : null
  const { launcher, missed } = await (options.find ?? findLauncher)({
    ...(options.minTier && { minTier: options.minTier }),
    egress,
  })
  const runners = launcher && createRunners(launcher, responseBytes, onLog)
  const compiled = runners && createCompiled(runners)
  const trials = runners && compiled && createTrials(runners, compiled)
  const refusal = launcher ? null : `This server does not run hosted code: ${missed.join('; ')}`
  const restarts = createRestarts()
  const serving = new Map<string, Slot>()
  const slots = new Set<Slot>()
  const counts = {
    coldStarts: 0,
    crashes: 0,
    kills: { timeout: 0, memory: 0, frame: 0, load: 0 } as Record<KillCause, number>,
  }
  let closed = false
  let round = 0
  const watch = setInterval(() => void inspect(), watchMs).unref()

  async function start(slot: Slot, unit: CodeUnit): Promise<Runner> {
    if (!runners || !compiled) throw new InvocationFailed('crash', refusal!, refusalMs)
    await pauseBeforeRestart(slot.key)
    const [code, environment] = await Promise.all([unit.load(), unit.environment()])
    if (!code) throw new InvocationFailed('no-code', 'No code has been deployed')
    if (closed || !slots.has(slot))
      throw new InvocationFailed('crash', 'The process was stopped before the code ran')
    restarts.started(slot.key)
    counts.coldStarts += 1
    const runner = runners.take(slot.key, slot.memoryMb)
    slot.process = runner
    void runner.ended.then(({ how, message }) => {
      depart(slot, how)
      if (how !== 'ended') options.onTrouble?.(slot.key, how, message)
    })
    await runner.load(code, { compiled: compiled.of(code), environment, timeoutMs: loadTimeoutMs })
    if (closed || unit.once) return runner
    compiled.ahead(code, slot.memoryMb)
    runners.prepare(slot.memoryMb)
    return runner
  }
  async function pauseBeforeRestart(key: string): Promise<void> {
    const pause = restarts.pauseMs(key)
    const words = restarts.lastWords(key)
    if (pause > maxPauseMs)
      throw new InvocationFailed(
        'crash',
        `The code crashed repeatedly; it restarts in ${Math.ceil(pause / 1000)} s${words && `. Last error: ${words}`}`,
        pause,
      )
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
  }
  function open(unit: CodeUnit): Slot {
    makeRoom()
    const { key, version, memoryMb } = unit
    const slot: Slot = {
      key,
      version,
      memoryMb,
      runner: null!,
      process: null,
      running: 0,
      usedAt: performance.now(),
      retired: false,
    }
    slot.runner = start(slot, unit)
    slot.runner.catch((error) => {
      if (error instanceof InvocationFailed && error.retryAfterMs === null) restarts.heard(key, error.message)
      discard(slot)
    })
    slots.add(slot)
    serving.set(unit.key, slot)
    return slot
  }
  function find(unit: CodeUnit): Slot {
    const slot = serving.get(unit.key)
    if (slot?.version === unit.version) return slot
    if (slot) {
      restarts.forget(unit.key)
      retire(slot)
    }
    return open(unit)
  }
  function retire(slot: Slot): void {
    slot.retired = true
    if (serving.get(slot.key) === slot) serving.delete(slot.key)
    if (slot.running === 0) discard(slot)
  }
  function discard(slot: Slot): void {
    slot.retired = true
    if (serving.get(slot.key) === slot) serving.delete(slot.key)
    slots.delete(slot)
    slot.process?.end()
  }
  function depart(slot: Slot, how: RunnerEnd): void {
    const successor = serving.get(slot.key)
    discard(slot)
    if (how === 'ended') return
    // A crash of an old version must not delay the new one.
    if (!successor || successor === slot) restarts.crashed(slot.key)
    if (how === 'crashed') counts.crashes += 1
    else counts.kills[how] += 1
  }

  function stop(key: string): void {
    restarts.forget(key)
    const slot = serving.get(key)
    if (!slot) return
    retire(slot)
    setTimeout(() => discard(slot), stopGraceMs).unref()
  }

  const idle = () => [...slots].filter((slot) => slot.running === 0).sort((a, b) => a.usedAt - b.usedAt)
  function trim(max: number): void {
    if (slots.size > max) for (const slot of idle().slice(0, slots.size - max)) retire(slot)
  }
  /**
   * Allows twice as many busy processes as warm ones, so that an invocation waiting for a nested one does not
   * block it.
   */
  function makeRoom(): void {
    trim(warmMost - 1)
    if (slots.size >= 2 * warmMost)
      throw new InvocationFailed('crash', 'The server has reached its limit of runner processes', 1000)
  }
  async function inspect(): Promise<void> {
    if (!launcher) return
    round += 1
    const held = [...slots].filter(
      (slot) => slot.process && (slot.running > 0 || round % restingRounds === 0),
    )
    const tried = [...(trials?.running() ?? [])]
    const resident = await residentBytes([
      ...held.map((slot) => slot.process!.pid),
      ...tried.map(([runner]) => runner.pid),
    ])
    const isOver = ({ pid }: Runner, memoryMb: number) =>
      (resident.get(pid) ?? 0) + (launcher.tier === 2 ? bytesInTemporaryFolder(pid) : 0) >
      launcher.residentLimit(memoryMb)
    for (const [runner, memoryMb] of tried) if (isOver(runner, memoryMb)) runner.starve()
    for (const slot of held) {
      if (isOver(slot.process!, slot.memoryMb)) slot.process!.starve()
      else if (slot.running === 0 && performance.now() - slot.usedAt > idleMs) retire(slot)
    }
  }

  return {
    async invoke(unit, request, { timeoutMs, ...options }) {
      if (closed) throw new InvocationFailed('crash', 'The server is stopping')
      const deadline = performance.now() + timeoutMs
      const slot = find(unit)
      slot.running += 1
      try {
        const runner = await within(timeoutMs, slot.runner)
        const response = await runner.invoke(request, {
          timeoutMs: Math.max(1, deadline - performance.now()),
          ...options,
        })
        restarts.forgive(unit.key)
        return response
      } finally {
        slot.running -= 1
        slot.usedAt = performance.now()
        if (unit.once) retire(slot)
        if (slot.retired && slot.running === 0) discard(slot)
        else trim(warmMost)
      }
    },
    async tryOut(trial) {
      await trials?.run(trial)
    },
    async stop(key) {
      stop(key)
    },
    async stopAll(matches) {
      for (const key of [...serving.keys(), ...restarts.keys()].filter(matches)) stop(key)
    },
    stats() {
      const running = [...slots].reduce((sum, slot) => sum + slot.running, 0)
      const { tier = null, protections = [], stopped = [] } = launcher ?? {}
      return {
        tier,
        protections,
        stopped,
        missed,
        refusal,
        processes: slots.size,
        running,
        ...counts,
        kills: { ...counts.kills },
      }
    },
    async close(deadlineMs) {
      closed = true
      compiled?.close()
      clearInterval(watch)
      const all = [...slots]
      for (const slot of all) retire(slot)
      const until = performance.now() + deadlineMs
      while (slots.size > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20))
      for (const slot of all) discard(slot)
      await runners?.close()
      egress?.close()
    },
  }
}

function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new InvocationFailed('timeout', `The code was not ready within ${timeoutMs} ms`)),
      timeoutMs,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
