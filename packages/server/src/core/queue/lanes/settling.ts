// Writes outcomes to the database. A crash repeats the deliveries with outcomes that are not
// recorded, so each outcome is recorded at once, together with those that arrived during the
// previous write. Only at a high rate do outcomes wait for each other, which saves statements. No
// outcome is dropped: the queue retries failed writes. Outcomes that the database rejected are
// retried one by one, so that one does not block the others.

import { Pace, wasRejected } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Settled } from '../deliveries.ts'

const maxBatch = 200
/** Above this many outcomes per second, outcomes are gathered. */
const busyPerSecond = 400
const gatherMs = 20

// Not from `node:timers/promises`, which tests that control the clock cannot replace.
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

export class Settling {
  readonly #record: (batch: Settled[]) => Promise<void>
  readonly #log: Logger
  readonly #retryMs: number
  #waiting: Settled[] = []
  /** Rejected outcomes, which are retried one by one. */
  #rejected: Settled[] = []
  #recording: Promise<void> | null = null
  readonly #pace = new Pace(busyPerSecond)

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

  /** Resolves when all outcomes are recorded. */
  async quiet() {
    while (this.#recording) await this.#recording
  }

  async #recordAll() {
    do {
      if (this.#pace.isBusy) await pause(gatherMs)
      else await nextTurn()
      const batch = this.#waiting.splice(0, maxBatch)
      if (batch.length > 0) await this.#try(batch)
      const alone = this.#rejected.shift()
      if (alone) await this.#try([alone])
    } while (this.#waiting.length + this.#rejected.length > 0)
    // No await since the last check, so a later `add` starts a new loop.
    this.#recording = null
  }

  async #try(batch: Settled[]) {
    try {
      await this.#record(batch)
    } catch (error) {
      this.#log.warn(
        { err: error, outcomes: batch.length },
        'cannot record outcomes; retrying',
      )
      if (wasRejected(error)) this.#rejected.push(...batch)
      else this.#waiting.unshift(...batch)
      if (batch.length === 1 || !wasRejected(error)) await pause(this.#retryMs)
    }
  }
}
