// The durable queue as one process runs it. Rows are the truth; memory is a shortcut past reading them back.
//
// Work is ordered by lane (a conversation, a workflow): one delivery at a time, by number. A lane with work belongs to one process,
// `lane.owner`, until its last delivery is done; who enqueues into a free lane becomes its owner in the same statement, and dispatches
// from memory after the commit. Who enqueues into a lane of another process has nothing to tell: the owner sees what is left
// when it records its next outcome. A process that died loses its lanes to the others (workers.ts).
import type { Logger } from 'pino'

/** What a statement that enqueues gives back of each delivery. */
export interface Enqueued {
  botId: string
  lane: string
  /** Position in the lane. */
  number: string
  id: string
  kind: 'event' | 'message'
  /** The event's or the message's id. */
  subjectId: string
  /** Owner of the lane after the statement; ours when it is our worker id. */
  owner: string | null
  /** How many were before it in the lane; with none, memory knows the lane whole. */
  ahead?: number
  attempts?: number
  /** What the handler would otherwise read from the database. */
  content?: unknown
}

export type Outcome =
  | { result: 'done' }
  /** Not to be tried again. `ignored` when nobody wanted it. */
  | { result: 'failed' | 'ignored'; reason: string }
  /** To be tried again, `ms` after the attempt began to wait. */
  | { result: 'retry'; reason: string; startedAt: Date; ms: number }

export type Settled = { delivery: Enqueued; outcome: Outcome; attempts: number }

export interface QueueStore {
  /** Ownerless lanes with work, made ours. */
  claim(workerId: string, limit: number): Promise<{ botId: string; lane: string }[]>
  /** The next deliveries of a lane of ours after `after`, in order. */
  load(botId: string, lane: string, after: string, limit: number): Promise<Enqueued[]>
  /** Records final outcomes, frees lanes that are empty; what is left in each lane, by `botId lane`. */
  settle(workerId: string, settled: Settled[]): Promise<Map<string, number>>
  /** Records an attempt that will be repeated. */
  recordAttempt(settled: Settled): Promise<void>
  /** Lanes that belong to the worker. */
  owned(workerId: string, limit: number): Promise<{ botId: string; lane: string }[]>
  release(workerId: string): Promise<void>
}

export type Handler = (delivery: Enqueued) => Promise<Outcome>

interface Lane {
  botId: string
  key: string
  waiting: Enqueued[]
  /** Highest number that was ever put into `waiting`; '0' before the first. */
  highest: bigint
  /** The database has deliveries that memory does not know. */
  stale: boolean
  state: 'idle' | 'queued' | 'running' | 'pausing'
}

export interface QueueOptions {
  workerId: () => string
  store: QueueStore
  handler: Handler
  /** Pauses before the second, third … attempt, in milliseconds; after the last one a delivery is dead. */
  retryMs: number[]
  log: Logger
  /** Invocations of one bot at a time. */
  perBot?: number
  /** Lanes kept in memory; past that, what is enqueued waits in the database, unowned. */
  maxLanes?: number
}

const pageSize = 50
/** Deliveries of one lane kept in memory; the rest is read when its turn comes. */
const maxWaiting = 100

export class Queue {
  readonly #options: Required<QueueOptions>
  readonly #lanes = new Map<string, Lane>()
  readonly #bots = new Map<string, { running: number; queued: Lane[] }>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  readonly #settling: Settled[] = []
  #settlers = 0
  #running = 0
  #stopping = false
  #whenQuiet: (() => void) | null = null

  constructor(options: QueueOptions) {
    this.#options = { perBot: 100, maxLanes: 10_000, ...options }
  }

  /** The owner to write when enqueueing: this process, or nobody when it has more than enough in memory. */
  get owner(): string | null {
    return this.#stopping || this.#lanes.size >= this.#options.maxLanes ? null : this.#options.workerId()
  }

  get stats() {
    return { lanes: this.#lanes.size, running: this.#running }
  }

  /** After the commit: starts what is ours. Harmless when told twice, or in another order. */
  dispatch(enqueued: Enqueued[]) {
    const workerId = this.#options.workerId()
    for (const delivery of enqueued) if (delivery.owner === workerId) this.#remember(delivery)
  }

  #remember(delivery: Enqueued) {
    const lane = this.#laneOf(delivery.botId, delivery.lane)
    const number = BigInt(delivery.number)
    if (number <= lane.highest) return
    const inSequence = lane.highest === 0n ? delivery.ahead === 0 : number === lane.highest + 1n
    if (inSequence && !lane.stale && lane.waiting.length < maxWaiting) {
      lane.waiting.push(delivery)
      lane.highest = number
    } else lane.stale = true
    this.#enqueueLane(lane)
  }

  #laneOf(botId: string, key: string): Lane {
    const name = `${botId} ${key}`
    let lane = this.#lanes.get(name)
    if (!lane) {
      lane = { botId, key, waiting: [], highest: 0n, stale: false, state: 'idle' }
      this.#lanes.set(name, lane)
    }
    return lane
  }

  #botOf(botId: string) {
    const known = this.#bots.get(botId)
    if (known) return known
    const bot = { running: 0, queued: [] as Lane[] }
    this.#bots.set(botId, bot)
    return bot
  }

  #enqueueLane(lane: Lane) {
    if (lane.state !== 'idle') return
    lane.state = 'queued'
    const bot = this.#botOf(lane.botId)
    bot.queued.push(lane)
    this.#startNext(lane.botId)
  }

  #startNext(botId: string) {
    const bot = this.#bots.get(botId)
    if (!bot || this.#stopping) return
    while (bot.running < this.#options.perBot && bot.queued.length > 0) {
      const lane = bot.queued.shift()!
      lane.state = 'running'
      bot.running++
      this.#running++
      void this.#step(lane).finally(() => this.#ended(botId, bot))
    }
    if (bot.running === 0 && bot.queued.length === 0) this.#bots.delete(botId)
  }

  #ended(botId: string, bot: { running: number }) {
    bot.running--
    this.#running--
    this.#startNext(botId)
    if (this.#running === 0) this.#whenQuiet?.()
  }

  /** One delivery of a lane; then the lane queues up again, so that the lanes of a bot take turns. */
  async #step(lane: Lane) {
    try {
      if (lane.waiting.length === 0 || lane.stale) await this.#reload(lane)
      const delivery = lane.waiting[0]
      if (!delivery) return this.#rest(lane)
      const outcome = await this.#attempt(delivery)
      if (outcome.result === 'retry') return await this.#retry(lane, delivery, outcome)
      lane.waiting.shift()
      this.#settle({ delivery, outcome, attempts: (delivery.attempts ?? 0) + 1 })
      this.#rest(lane)
    } catch (error) {
      this.#options.log.warn({ err: error, lane: lane.key, botId: lane.botId }, 'a delivery could not be worked on; trying again')
      lane.stale = true
      this.#pause(lane, 500)
    }
  }

  async #reload(lane: Lane) {
    const head = lane.waiting[0]
    const after = head ? BigInt(head.number) - 1n : lane.highest
    lane.stale = false
    const rows = await this.#options.store.load(lane.botId, lane.key, String(after), pageSize)
    const known = new Map(lane.waiting.map((delivery) => [delivery.number, delivery]))
    // What memory holds with its content is as good as the row, and saves reading the content.
    lane.waiting = rows.map((row) => known.get(row.number) ?? row)
    const last = rows.at(-1)
    if (last && BigInt(last.number) > lane.highest) lane.highest = BigInt(last.number)
    if (rows.length === pageSize) lane.stale = true
  }

  async #attempt(delivery: Enqueued): Promise<Outcome> {
    const startedAt = new Date()
    try {
      return await this.#options.handler(delivery)
    } catch (error) {
      this.#options.log.error({ err: error, deliveryId: delivery.id }, 'a delivery failed unexpectedly')
      return { result: 'retry', reason: error instanceof Error ? error.message : String(error), startedAt, ms: Date.now() - startedAt.getTime() }
    }
  }

  async #retry(lane: Lane, delivery: Enqueued, outcome: Outcome & { result: 'retry' }) {
    const attempts = (delivery.attempts ?? 0) + 1
    const pauseMs = this.#options.retryMs[attempts - 1]
    const settled: Settled = { delivery, outcome, attempts }
    if (pauseMs === undefined) {
      lane.waiting.shift()
      this.#settle(settled)
      return this.#rest(lane)
    }
    delivery.attempts = attempts
    await this.#options.store.recordAttempt(settled)
    // The content may have changed or gone meanwhile; a second attempt reads it afresh.
    delete delivery.content
    this.#pause(lane, pauseMs * (0.8 + 0.4 * Math.random()))
  }

  #pause(lane: Lane, ms: number) {
    lane.state = 'pausing'
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      lane.state = 'idle'
      this.#enqueueLane(lane)
    }, ms)
    this.#pauses.add(pause)
  }

  #rest(lane: Lane) {
    lane.state = 'idle'
    if (lane.waiting.length > 0 || lane.stale) this.#enqueueLane(lane)
  }

  /** Outcomes that come while others are being recorded go together in the next statement. */
  #settle(settled: Settled) {
    this.#settling.push(settled)
    if (this.#settlers === 0) void this.#settleAll()
  }

  async #settleAll() {
    this.#settlers++
    while (this.#settling.length > 0) {
      const batch = this.#settling.splice(0, 200)
      try {
        const left = await this.#options.store.settle(this.#options.workerId(), batch)
        for (const [name, pending] of left) this.#laneSettled(name, pending)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'outcomes could not be recorded; trying again')
        this.#settling.unshift(...batch)
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
    }
    this.#settlers--
    if (this.#running === 0) this.#whenQuiet?.()
  }

  #laneSettled(name: string, pending: number) {
    const lane = this.#lanes.get(name)
    if (!lane) return
    if (pending === 0 && lane.state === 'idle' && lane.waiting.length === 0) this.#lanes.delete(name)
    else if (pending > 0 && lane.waiting.length === 0) {
      lane.stale = true
      this.#enqueueLane(lane)
    }
  }

  /** Takes over ownerless lanes while there is room for them. Called every second, and when memory has emptied. */
  async sweep() {
    const room = Math.min(500, this.#options.maxLanes - this.#lanes.size)
    if (this.#stopping || room <= 0) return
    const lanes = await this.#options.store.claim(this.#options.workerId(), room)
    for (const { botId, lane } of lanes) this.adopt(botId, lane)
  }

  /** Finds lanes of ours that memory does not know: their statement was committed, and its answer lost with a connection. */
  async audit() {
    for (const { botId, lane } of await this.#options.store.owned(this.#options.workerId(), this.#options.maxLanes)) {
      if (!this.#lanes.has(`${botId} ${lane}`)) this.adopt(botId, lane)
    }
  }

  adopt(botId: string, key: string) {
    const lane = this.#laneOf(botId, key)
    lane.stale = true
    this.#enqueueLane(lane)
  }

  /** Claims nothing more, lets what runs end until the deadline, and gives the lanes back. */
  async stop(deadlineMs: number) {
    this.#stopping = true
    for (const pause of this.#pauses) clearTimeout(pause)
    await Promise.race([this.#quiet(), new Promise((resolve) => setTimeout(resolve, deadlineMs).unref())])
    await this.#options.store.release(this.#options.workerId())
  }

  async #quiet() {
    while (this.#running > 0 || this.#settlers > 0) await new Promise<void>((resolve) => (this.#whenQuiet = resolve))
  }
}
