// Keeps the lease of this process and watches the other workers, on its own database connection. It
// runs in a thread (lease-thread.ts), so that a busy event loop delays neither. Three things end a
// worker: its process has died (neighbours on the same machine check four times a second, without a
// statement), its lease has expired, or its own event loop is blocked, in which case this thread
// releases the lease.
import type pg from 'pg'
import { type ClientSettings, DatabaseClient } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import {
  hasDied,
  isNeighbour,
  type Run,
  registerWorker,
  releaseWorkers,
  renewWorker,
  type WorkerRow,
  workerChannel,
} from './worker-rows.ts'

export interface LeaseOptions {
  settings: ClientSettings
  id: string
  leaseSeconds: number
  processStart: string
  /** A worker with an event loop blocked for longer than this counts as dead. Default: 15 s. */
  hungMs?: number
  /**
   * A server that was alone for this long renews rarely, because no other server could claim its
   * lanes. Default: 10 s.
   */
  settledMs?: number
}

export type LeaseMessage =
  /** The main thread must answer with a pong, which shows that its event loop runs. */
  | { type: 'ping' }
  | { type: 'others'; count: number }
  /** Lanes became free. */
  | { type: 'freed' }
  /** The worker has a new id; the lanes of the old one were released. */
  | { type: 'lost'; id: string; reason: 'expired' | 'hung' }
  | { type: 'unreachable'; message: string }

/** A dead neighbour is noticed within this time. */
const watchMs = 250
const reconnectMs = 300
/** After an interruption, other workers get this long to renew before they count as expired. */
const graceMs = 1_500
const alone = { beatMs: 20_000, leaseSeconds: 60 }

export class Lease {
  readonly #options: Required<LeaseOptions>
  readonly #send: (news: LeaseMessage) => void
  readonly #beatMs: number
  #id: string
  #client: pg.Client | null = null
  #others: WorkerRow[] = []
  #beating: Promise<void> | null = null
  #isDue = false
  #next: NodeJS.Timeout | undefined
  #watching: NodeJS.Timeout | undefined
  #trustedAt = 0
  #lastCompanyAt = performance.now()
  #pingedAt = Number.NEGATIVE_INFINITY
  #unanswered = 0
  #isHung = false
  #isStopped = false

  constructor(options: LeaseOptions, send: (news: LeaseMessage) => void) {
    this.#options = { hungMs: 15_000, settledMs: 10_000, ...options }
    this.#send = send
    this.#id = options.id
    this.#beatMs = options.leaseSeconds * 200
  }

  start() {
    this.beat()
  }

  /** Notes that the main thread's event loop runs. */
  pong() {
    this.#unanswered = 0
    if (this.#isHung) this.beat()
  }

  /** Renews now. If a renewal is running, renews again afterwards. */
  beat() {
    this.#isDue = true
    this.#beating ??= this.#beatWhileDue().finally(() => {
      this.#beating = null
    })
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#next)
    clearInterval(this.#watching)
    await this.#beating
    await this.#client?.end().catch(() => {})
  }

  async #beatWhileDue() {
    while (this.#isDue && !this.#isStopped) {
      this.#isDue = false
      clearTimeout(this.#next)
      const inMs = await this.#beatOnce().catch((error: Error) =>
        this.#interrupted(error),
      )
      if (!this.#isStopped) this.#next = setTimeout(() => this.beat(), inMs)
    }
  }

  /** Returns the delay until the next renewal, in ms. */
  async #beatOnce(): Promise<number> {
    await this.#connect()
    this.#ping()
    if (this.#isHung && this.#unanswered > 1) return this.#beatMs
    const isSettled = performance.now() - this.#lastCompanyAt > this.#options.settledMs
    const leaseSeconds = isSettled
      ? Math.max(alone.leaseSeconds, this.#options.leaseSeconds)
      : this.#options.leaseSeconds
    const { renewed, others } = await renewWorker(this.#run, this.#id, leaseSeconds)
    this.#meet(others)
    if (!renewed) return this.#register()
    if (this.#hangs()) return this.#releaseSelf()
    await this.#release()
    if (isSettled && others.length === 0) return Math.max(alone.beatMs, this.#beatMs)
    // Release a lease as soon as it expires.
    const expiresMs = Math.min(...this.#others.map(({ remainingMs }) => remainingMs)) + 20
    return Math.max(50, Math.min(this.#beatMs, expiresMs))
  }

  readonly #run: Run = async <Row extends object>(
    name: string,
    text: string,
    values: unknown[],
  ) => {
    if (!this.#client) throw new Error('not connected')
    return (await this.#client.query<Row>({ name, text, values })).rows
  }

  async #connect() {
    if (this.#client) return
    const timeout = Math.max(2_000, this.#options.leaseSeconds * 1_000)
    const client = new DatabaseClient({
      ...this.#options.settings,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      keepAlive: true,
    })
    client.on('error', () => this.#disconnect(client))
    client.on('end', () => this.#disconnect(client))
    client.on('notification', ({ payload = '' }) => this.#receive(payload))
    try {
      await client.connect()
      await client.query(`listen ${workerChannel}`)
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    this.#client = client
  }

  #disconnect(client: pg.Client) {
    if (this.#client !== client || this.#isStopped) return
    this.#client = null
    this.#trustedAt = performance.now() + graceMs
    this.beat()
  }

  #interrupted({ message }: Error): number {
    const client = this.#client
    this.#client = null
    void client?.end().catch(() => {})
    this.#trustedAt = performance.now() + graceMs
    this.#send({ type: 'unreachable', message })
    return reconnectMs
  }

  #receive(payload: string) {
    const [from, what] = payload.split(' ')
    if (from === this.#id) return
    if (what === 'freed') this.#send({ type: 'freed' })
    else this.beat()
  }

  #ping() {
    if (performance.now() - this.#pingedAt < this.#beatMs / 2) return
    this.#pingedAt = performance.now()
    this.#unanswered++
    this.#send({ type: 'ping' })
  }

  #hangs() {
    return (
      this.#others.length > 0 && this.#unanswered * this.#beatMs > this.#options.hungMs
    )
  }

  #meet(others: WorkerRow[]) {
    this.#others = others
    if (others.length > 0) this.#lastCompanyAt = performance.now()
    this.#send({ type: 'others', count: others.length })
    clearInterval(this.#watching)
    if (others.some(isNeighbour))
      this.#watching = setInterval(() => this.#watch(), watchMs)
  }

  /** A dead neighbour stays in the list until its row is deleted. */
  #watch() {
    if (this.#dead().length > 0) this.beat()
  }

  #dead() {
    const { processStart } = this.#options
    return this.#others
      .filter((other) => isNeighbour(other) && hasDied(other, processStart))
      .map(({ id }) => id)
  }

  async #release() {
    const expired = performance.now() > this.#trustedAt
    const freed = await releaseWorkers(this.#run, this.#id, {
      dead: this.#dead(),
      expired,
    })
    if (freed > 0) this.#send({ type: 'freed' })
  }

  async #releaseSelf() {
    await releaseWorkers(this.#run, this.#id, { dead: [this.#id], expired: false })
    this.#isHung = true
    return this.#beatMs
  }

  /** Registers under a new id. Any worker may claim the lanes of the old one. */
  async #register() {
    const reason = this.#isHung ? 'hung' : 'expired'
    const id = newId('worker')
    await registerWorker(
      this.#run,
      id,
      this.#options.leaseSeconds,
      this.#options.processStart,
    )
    this.#id = id
    this.#isHung = false
    this.#send({ type: 'lost', id, reason })
    return this.#beatMs
  }
}
