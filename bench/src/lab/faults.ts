// Injects faults one after another, in an order and with pauses that the seed determines, and
// records their outages.
import { setTimeout as pause } from 'node:timers/promises'
import { progress } from '../report.ts'
import type { Outage } from './audits/audit.ts'
import type { Random } from './random.ts'

export interface Fault {
  /** Injects the fault, and resolves when it has ended and every server is ready. */
  run(): Promise<void>
  /** Whether requests may fail meanwhile. */
  outage: boolean
}

/** A fault and its time on the monotonic clock. */
export interface Injected extends Outage {
  kind: string
}

/** A server that is ready again may still have broken connections for this long. */
const settleMs = 2_000

export class Faults {
  readonly counts: Record<string, number> = {}
  readonly outages: Outage[] = []
  readonly injected: Injected[] = []
  readonly chance: Random
  readonly #startedAt = performance.now()
  readonly #ms: number

  constructor(chance: Random, ms: number) {
    this.chance = chance
    this.#ms = ms
  }

  /** Injects faults of all kinds in turn, in a new order each time, until the time is over. */
  async inject(kinds: Record<string, Fault>, pauseMs: [number, number]) {
    for (;;) {
      for (const kind of this.chance.shuffled(Object.keys(kinds))) {
        await pause(this.chance.between(...pauseMs))
        if (performance.now() - this.#startedAt > this.#ms) return
        await this.#injectOne(kind, kinds[kind]!)
      }
    }
  }

  async #injectOne(kind: string, fault: Fault) {
    const from = performance.now()
    const outage = { from, to: Number.POSITIVE_INFINITY }
    if (fault.outage) this.outages.push(outage)
    await fault.run()
    outage.to = performance.now() + settleMs
    this.injected.push({ kind, from, to: outage.to })
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
    const seconds = ((performance.now() - from) / 1000).toFixed(1)
    progress(`${this.timeOf(from)}: ${kind}, took ${seconds} s`)
  }

  /** Formats a time of the monotonic clock as the time since the start. */
  timeOf = (at: number) => `${((at - this.#startedAt) / 1000).toFixed(1)} s`
}
