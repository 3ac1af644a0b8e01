// Outcomes on their way into the database: those that come while others are being recorded go together in the next statement. None is
// dropped: what cannot be recorded now is tried again, singly when the database refused it, so that one does not hold up the others.
import type { Logger } from 'pino'
import { wasRefused } from '../lib/shared-commits.ts'
import type { Settled } from './deliveries.ts'

const mostTogether = 200
/** Nobody waits for an outcome: those of a few moments go together. One that a crash forgets means a delivery made again. */
const gatherMs = 20
const gather = () => new Promise((resolve) => setTimeout(resolve, gatherMs))

export class Settling {
  readonly #record: (batch: Settled[]) => Promise<void>
  readonly #log: Logger
  readonly #retryMs: number
  #waiting: Settled[] = []
  /** Were refused: each goes alone. */
  #refused: Settled[] = []
  #recording: Promise<void> | null = null

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
    this.#waiting.push(settled)
    this.#recording ??= this.#recordAll()
  }

  /** Resolves when all is recorded. */
  async quiet() {
    while (this.#recording) await this.#recording
  }

  async #recordAll() {
    do {
      await gather()
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
      if (batch.length === 1 || !wasRefused(error))
        await new Promise((resolve) => setTimeout(resolve, this.#retryMs))
    }
  }
}
