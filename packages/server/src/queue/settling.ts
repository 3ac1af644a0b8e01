// Outcomes on their way into the database. A crash repeats the deliveries whose outcomes are not recorded,
// so an outcome is recorded at once, with those that came while others were being recorded. Only when there
// are many a second do they wait for each other, which saves statements. None is dropped: what cannot be
// recorded now is tried again, singly when the database refused it, so that one does not hold up the
// others.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { wasRefused } from '../lib/shared-commits.ts'
import type { Settled } from './deliveries.ts'

const mostTogether = 200
/** From this rate on outcomes are gathered: that many a second, over a tenth of a second. */
const busyPerSecond = 400
const measuredMs = 100
const gatherMs = 20

/** Counts outcomes to tell whether there are many a second. */
class Pace {
  #since = performance.now()
  #count = 0
  #perSecond = 0

  count() {
    this.#update()
    this.#count++
  }

  get isBusy() {
    this.#update()
    return this.#perSecond >= busyPerSecond
  }

  #update() {
    const ms = performance.now() - this.#since
    if (ms < measuredMs) return
    this.#perSecond = (this.#count * 1_000) / ms
    this.#count = 0
    this.#since += ms
  }
}

export class Settling {
  readonly #record: (batch: Settled[]) => Promise<void>
  readonly #log: Logger
  readonly #retryMs: number
  #waiting: Settled[] = []
  /** Were refused: each goes alone. */
  #refused: Settled[] = []
  #recording: Promise<void> | null = null
  readonly #pace = new Pace()

  constructor({
    record,
    log,
    retryMs,
  }: { record: (batch: Settled[]) => Promise<void>; log: Logger; retryMs: number }) {
    this.#record = record
    this.#log = log
    this.#retryMs = retryMs
  }

  add(settled: Settled) {
    this.#pace.count()
    this.#waiting.push(settled)
    this.#recording ??= this.#recordAll()
  }

  /** Resolves when all is recorded. */
  async quiet() {
    while (this.#recording) await this.#recording
  }

  async #recordAll() {
    do {
      if (this.#pace.isBusy) await pause(gatherMs)
      else await nextTurn()
      const batch = this.#waiting.splice(0, mostTogether)
      if (batch.length > 0) await this.#try(batch)
      const alone = this.#refused.shift()
      if (alone) await this.#try([alone])
    } while (this.#waiting.length + this.#refused.length > 0)
    // In the same breath as the last look: what is added later begins anew.
    this.#recording = null
  }

  async #try(batch: Settled[]) {
    try {
      await this.#record(batch)
    } catch (error) {
      this.#log.warn({ err: error, outcomes: batch.length }, 'outcomes could not be recorded; trying again')
      if (wasRefused(error)) this.#refused.push(...batch)
      else this.#waiting.unshift(...batch)
      if (batch.length === 1 || !wasRefused(error)) await pause(this.#retryMs)
    }
  }
}
