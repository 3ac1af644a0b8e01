// The deliveries of one lane in memory. Invariant: every pending delivery with a number up to
// `highest` is in `waiting`, in order of number. Later deliveries exist if `more` is set; they are
// read from the database at their turn.

import type { Enqueued } from '../deliveries.ts'
import type { HeldDeliveries } from './held-deliveries.ts'

/** Deliveries per read. */
const pageSize = 50
/** Maximum deliveries of one lane in memory. */
const maxWaiting = 100

type Load = (after: string, limit: number) => Promise<Enqueued[]>

export class Lane {
  readonly botId: string
  readonly key: string
  /**
   * Whether the lane was claimed from the backlog, as opposed to created by a delivery of this
   * process.
   */
  isClaimed = false
  state: 'idle' | 'queued' | 'running' | 'pausing' = 'idle'
  /** Number of outcomes that are not recorded yet. */
  unsettled = 0
  readonly #held: HeldDeliveries
  #waiting: Enqueued[] = []
  #highest = 0n
  #more = false
  /** According to the rows, deliveries exist up to this number. */
  #expected = 0n
  /** Counts how often the lane was lost. A read that began before the last loss is discarded. */
  #losses = 0

  constructor(botId: string, key: string, held: HeldDeliveries) {
    this.botId = botId
    this.key = key
    this.#held = held
  }

  get name() {
    return toLaneName(this.botId, this.key)
  }

  /** The next delivery, or the one in progress. */
  get head(): Enqueued | undefined {
    return this.#waiting[0]
  }

  get length() {
    return this.#waiting.length
  }

  get mustRead() {
    return this.#more && this.#waiting.length === 0
  }

  get hasWork() {
    return this.#more || this.#waiting.length > 0
  }

  /** Whether the rows count deliveries that memory lacks and will not read by itself. */
  get isBehind() {
    return !this.#more && this.#highest < this.#expected
  }

  /** Whether the lane can be removed from memory. */
  get isOver() {
    return (
      this.state === 'idle' && !this.hasWork && this.unsettled === 0 && !this.isBehind
    )
  }

  /**
   * Adds a delivery after its commit; repeated calls, in any order, are harmless. If memory is
   * full, the delivery stays in the database only.
   */
  add(delivery: Enqueued) {
    const number = BigInt(delivery.number)
    if (number <= this.#highest) return
    const follows =
      this.#highest === 0n ? delivery.ahead === 0 : number === this.#highest + 1n
    const fits = this.#waiting.length < maxWaiting && this.#held.hasCapacity(this.botId)
    if (follows && fits && !this.#more) this.#push(delivery, number)
    else this.#more = true
  }

  /** Invalidates memory: the database may hold deliveries that memory lacks. */
  invalidate() {
    this.#more = true
  }

  /** Notes that this many deliveries follow those in memory. Numbers have no gaps. */
  expect(more: number) {
    this.#expected = this.#highest + BigInt(more)
  }

  /**
   * Reads the next page into empty memory. Deliveries added meanwhile may overlap with the page or
   * follow it: the numbers decide.
   */
  async read(load: Load) {
    this.#more = false
    this.#expected = 0n
    const losses = this.#losses
    const rows = await load(String(this.#highest), pageSize).catch((error) => {
      if (losses === this.#losses) this.#more = true
      throw error
    })
    if (losses !== this.#losses) return
    for (const row of rows) {
      const number = BigInt(row.number)
      if (number > this.#highest) this.#push(row, number)
    }
    if (rows.length === pageSize) this.#more = true
  }

  /** Removes the head, which has ended. */
  shift() {
    this.#release(this.#waiting.splice(0, 1))
  }

  /**
   * Drops all deliveries because another worker owns the lane now. A delivery in progress stays
   * until it ends.
   */
  lose() {
    const kept = this.state === 'running' ? this.#waiting.slice(0, 1) : []
    const firstLost = this.#waiting[kept.length]
    if (firstLost) this.#highest = BigInt(firstLost.number) - 1n
    this.#release(this.#waiting.slice(kept.length))
    this.#waiting = kept
    this.#more = false
    this.#expected = 0n
    this.#losses++
  }

  #push(delivery: Enqueued, number: bigint) {
    this.#waiting.push(delivery)
    this.#held.take(this.botId, delivery.bytes)
    this.#highest = number
  }

  #release(deliveries: Enqueued[]) {
    for (const { bytes } of deliveries) this.#held.release(this.botId, bytes)
  }
}

export const toLaneName = (botId: string, key: string) => `${botId} ${key}`
