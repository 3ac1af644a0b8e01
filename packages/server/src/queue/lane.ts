// What memory knows of one lane. Invariant: every delivery up to `highest` that is not over waits here, in order of number; what lies past it
// is known to exist when `more` is set, and is read from the database when its turn comes.

import type { Enqueued } from './deliveries.ts'
import type { Held } from './held.ts'

/** Read at a time. */
const pageSize = 50
/** Deliveries of one lane kept in memory. */
const mostWaiting = 100

export type Load = (after: string, limit: number) => Promise<Enqueued[]>

export class Lane {
  readonly botId: string
  readonly key: string
  /** Came from the backlog, and not from somebody who talks to this process. */
  isClaimed = false
  state: 'idle' | 'queued' | 'running' | 'pausing' = 'idle'
  /** Outcomes that are not recorded yet. */
  unsettled = 0
  readonly #held: Held
  #waiting: Enqueued[] = []
  #highest = 0n
  #more = false
  /** The rows say that there are deliveries up to here. */
  #expected = 0n
  /** Counts how often it was lost: what was being read then is another process's. */
  #losses = 0

  constructor(botId: string, key: string, held: Held) {
    this.botId = botId
    this.key = key
    this.#held = held
  }

  get name() {
    return nameOf(this.botId, this.key)
  }

  /** Next to be done, or being done. */
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

  /** The rows know of more than memory was told, or will read by itself. */
  get isBehind() {
    return !this.#more && this.#highest < this.#expected
  }

  /** Nothing is lost when it is forgotten. */
  get isOver() {
    return this.state === 'idle' && !this.hasWork && this.unsettled === 0 && !this.isBehind
  }

  /** Told after a commit, perhaps twice or in another order. Where memory is full, it is left in the database. */
  add(delivery: Enqueued) {
    const number = BigInt(delivery.number)
    if (number <= this.#highest) return
    const follows = this.#highest === 0n ? delivery.ahead === 0 : number === this.#highest + 1n
    const fits = this.#waiting.length < mostWaiting && this.#held.hasRoom(this.botId)
    if (follows && fits && !this.#more) this.#push(delivery, number)
    else this.#more = true
  }

  /** There may be deliveries that memory was not told of. */
  doubt() {
    this.#more = true
  }

  /** So many are there past those that memory was told of; numbers have no gaps. */
  expect(more: number) {
    this.#expected = this.#highest + BigInt(more)
  }

  /** Fills an empty memory. What is told meanwhile may lie in what is read, or past it: numbers say which. */
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

  /** The head is over. */
  shift() {
    this.#letGo(this.#waiting.splice(0, 1))
  }

  /** It belongs to another process now: what waits is that one's. What is being done is ended all the same. */
  lose() {
    const kept = this.state === 'running' ? this.#waiting.slice(0, 1) : []
    const firstLost = this.#waiting[kept.length]
    if (firstLost) this.#highest = BigInt(firstLost.number) - 1n
    this.#letGo(this.#waiting.slice(kept.length))
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

  #letGo(deliveries: Enqueued[]) {
    for (const { bytes } of deliveries) this.#held.letGo(this.botId, bytes)
  }
}

export const nameOf = (botId: string, key: string) => `${botId} ${key}`
