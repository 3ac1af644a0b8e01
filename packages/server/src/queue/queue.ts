// The durable queue as one process runs it. Rows are the truth; memory is a shortcut past reading them back.
//
// Work is ordered by lane (a conversation, a workflow): one delivery at a time, by number. A lane with work belongs to one process,
// `lane.owner`, until its last delivery is done; who enqueues into a free lane becomes its owner in the same statement, and dispatches
// from memory after the commit. Who enqueues into a lane of another process has nothing to tell: the owner sees what is left
// when it records its next outcome. A process that died loses its lanes to the others (workers.ts).
import type { Logger } from 'pino'
import type { Backlog } from './backlog.ts'
import type {
  Attempted,
  Enqueued,
  Handler,
  LaneLeft,
  LaneName,
  Outcome,
  QueueStore,
  Settled,
} from './deliveries.ts'
import { Held } from './held.ts'
import { Lane, nameOf } from './lane.ts'
import { Settling } from './settling.ts'
import { Turns } from './turns.ts'

export interface QueueOptions {
  workerId: () => string
  store: QueueStore
  handler: Handler
  /** Told after each attempt. */
  attempted?: (attempted: Attempted) => void
  /** Pauses before the second, third … attempt, in milliseconds; after the last one a delivery is dead. */
  retryMs: number[]
  log: Logger
  /** Hears what comes and goes. */
  backlog?: Pick<Backlog, 'entered' | 'ended'>
  /** Invocations of one bot at a time. */
  perBot?: number
  /** Lanes that may be ours at a time; past that, what is enqueued belongs to nobody until it is claimed. */
  maxLanes?: number
  /** Deliveries held in memory with what they are about; the others are read when their turn comes. */
  maxHeld?: number
  /** The same in bytes. */
  maxHeldBytes?: number
  /** Before what the database refused is tried again. */
  pauseMs?: number
}

/** Reasons to sweep that come within this time are one. */
const gatherMs = 10
/** From the commit of what this process enqueues until it has heard of it; on a loaded machine it may be late, and reads for nothing. */
const toldWithinMs = 20

export class Queue {
  readonly #options: Required<Omit<QueueOptions, 'backlog'>> & Pick<QueueOptions, 'backlog'>
  readonly #lanes = new Map<string, Lane>()
  readonly #turns: Turns
  readonly #pauses = new Set<NodeJS.Timeout>()
  readonly #settling: Settling
  readonly #held: Held
  #inDoubt = false
  #stopping = false
  #sweeping: Promise<void> | null = null
  #soon: NodeJS.Timeout | null = null

  constructor(options: QueueOptions) {
    this.#options = {
      perBot: 100,
      maxLanes: 20_000,
      maxHeld: 2_000,
      maxHeldBytes: 33_554_432,
      pauseMs: 500,
      attempted: () => {},
      ...options,
    }
    const { log, perBot, pauseMs, maxHeld, maxHeldBytes } = this.#options
    this.#turns = new Turns({ perBot, step: (lane) => this.#step(lane), onHungry: () => this.sweepSoon() })
    this.#held = new Held({ count: maxHeld, bytes: maxHeldBytes })
    this.#settling = new Settling({ record: (batch) => this.#record(batch), log, retryMs: pauseMs / 2 })
  }

  /** The owner to write when enqueueing: this process, or nobody when it has more than enough. */
  get owner(): string | null {
    return this.#stopping || this.#lanes.size >= this.#options.maxLanes ? null : this.#options.workerId()
  }

  get stats() {
    return {
      lanes: this.#lanes.size,
      running: this.#turns.running,
      held: this.#held.count,
      heldBytes: this.#held.bytes,
    }
  }

  /** After the commit: starts what is ours. Harmless when told twice, or in another order. */
  dispatch(enqueued: Enqueued[]) {
    const workerId = this.#options.workerId()
    for (const delivery of enqueued) {
      this.#options.backlog?.entered(delivery.botId, delivery.bytes)
      if (delivery.owner === workerId)
        this.#change(this.#laneOf(delivery.botId, delivery.lane), (lane) => lane.add(delivery))
      else if (delivery.owner === null) this.sweepSoon()
    }
  }

  #laneOf(botId: string, key: string): Lane {
    const name = nameOf(botId, key)
    const lane = this.#lanes.get(name) ?? new Lane(botId, key, this.#held)
    this.#lanes.set(name, lane)
    return lane
  }

  /** Every change of what a lane holds passes here: what it needs next follows. */
  #change(lane: Lane, change: (lane: Lane) => void) {
    change(lane)
    if (lane.state !== 'idle') return
    if (lane.hasWork) this.#turns.queueUp(lane)
    else if (lane.isOver) this.#lanes.delete(lane.name)
  }

  /** One delivery of a lane; then the lane queues up again, so that the lanes of a bot take turns. */
  async #step(lane: Lane) {
    try {
      if (lane.mustRead) await this.#read(lane)
      if (lane.head && this.#isFormer(lane.head)) this.#giveUp(lane)
      else if (lane.head && !this.#stopping) await this.#deliver(lane, lane.head)
      else this.#rest(lane)
    } catch (error) {
      this.#options.log.warn(
        { err: error, lane: lane.key, botId: lane.botId },
        'a delivery could not be worked on; trying again',
      )
      this.#pause(lane, this.#options.pauseMs)
    }
  }

  async #read(lane: Lane) {
    const { store, workerId } = this.#options
    await lane.read((after, limit) =>
      store.load(workerId(), { botId: lane.botId, lane: lane.key }, after, limit),
    )
    // Something was announced, and nothing is there: memory goes by the rows again.
    if (!lane.hasWork && lane.unsettled === 0) this.#inDoubt = true
  }

  async #deliver(lane: Lane, delivery: Enqueued) {
    const startedAt = new Date()
    const begun = performance.now()
    const outcome = await this.#attempt(delivery)
    const ms = performance.now() - begun
    this.#tell(delivery, outcome, ms)
    // Not under its lease any more: it may have failed of that, and counts for nothing.
    if (this.#isFormer(delivery) && outcome.result !== 'done' && outcome.result !== 'ignored')
      return this.#giveUp(lane)
    if (outcome.result === 'postponed') return this.#pause(lane, outcome.pauseMs ?? this.#options.pauseMs)
    const attempts = (delivery.attempts ?? 0) + 1
    const settled = { delivery, outcome, attempts, startedAt, ms }
    const pauseMs = outcome.result === 'retry' ? this.#options.retryMs[attempts - 1] : undefined
    if (pauseMs !== undefined) return this.#repeat(lane, settled, pauseMs)
    lane.unsettled++
    this.#settling.add(settled)
    lane.state = 'idle'
    this.#change(lane, () => lane.shift())
  }

  #tell(delivery: Enqueued, { result }: Outcome, ms: number) {
    const attempt = (delivery.attempts ?? 0) + 1
    const isDead = result === 'retry' && this.#options.retryMs[attempt - 1] === undefined
    this.#options.attempted({ delivery, result: isDead ? 'dead' : result, attempt, ms })
  }

  async #attempt(delivery: Enqueued): Promise<Outcome> {
    try {
      return await this.#options.handler(delivery)
    } catch (error) {
      this.#options.log.error({ err: error, deliveryId: delivery.id }, 'a delivery failed unexpectedly')
      return { result: 'retry', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  async #repeat(lane: Lane, settled: Settled, pauseMs: number) {
    const { delivery, attempts } = settled
    const owner = await this.#options.store.recordAttempt(settled)
    if (owner !== this.#options.workerId()) return this.#giveUp(lane)
    delivery.owner = owner
    // Not before it is recorded: what happens while the database is away counts for nothing.
    delivery.attempts = attempts
    // The content may have changed or gone meanwhile; a second attempt reads it afresh.
    delete delivery.content
    this.#pause(lane, pauseMs * (0.8 + 0.4 * Math.random()))
  }

  /** Whether it was taken under an earlier name of this process: another one may have it by now. */
  #isFormer({ owner }: Enqueued) {
    return owner !== this.#options.workerId()
  }

  /** Its deliveries are read again from the rows, by whoever owns it then. */
  #giveUp(lane: Lane) {
    lane.state = 'idle'
    this.#change(lane, () => this.#lose(lane))
  }

  #pause(lane: Lane, ms: number) {
    lane.state = 'pausing'
    this.#after(ms, () => this.#rest(lane))
  }

  #after(ms: number, then: () => void) {
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      then()
    }, ms).unref()
    this.#pauses.add(pause)
  }

  #rest(lane: Lane) {
    lane.state = 'idle'
    this.#change(lane, () => {})
  }

  async #record(batch: Settled[]) {
    const left = await this.#options.store.settle(this.#options.workerId(), batch)
    for (const { delivery } of batch) {
      this.#options.backlog?.ended(delivery.botId)
      const lane = this.#lanes.get(nameOf(delivery.botId, delivery.lane))
      if (lane) lane.unsettled--
    }
    const byName = new Map(left.map((one) => [nameOf(one.botId, one.lane), one]))
    for (const name of new Set(batch.map(({ delivery }) => nameOf(delivery.botId, delivery.lane)))) {
      const lane = this.#lanes.get(name)
      if (lane) this.#change(lane, () => this.#compare(lane, byName.get(name)))
    }
  }

  /** What the rows say of a lane against what memory holds. No row: its bot was deleted. */
  #compare(lane: Lane, left: LaneLeft | undefined) {
    const isOurs = left && (left.owner === this.#options.workerId() || left.pending === 0)
    if (!isOurs) this.#lose(lane)
    else if (left.pending > lane.length + lane.unsettled)
      this.#expect(lane, left.pending - lane.length - lane.unsettled)
  }

  /** Most often this process has just written them, and is about to be told: who hears an answer speaks at once. What nobody tells is read. */
  #expect(lane: Lane, more: number) {
    lane.expect(more)
    this.#after(toldWithinMs, () => {
      // Another lane of that name, made since, was told all that is to be known of it.
      if (this.#lanes.get(lane.name) === lane) this.#change(lane, () => lane.isBehind && lane.doubt())
    })
  }

  /** It may have become ours again while the answer was on its way: the next sweep looks. */
  #lose(lane: Lane) {
    lane.lose()
    this.#inDoubt = true
  }

  /** Takes over ownerless lanes while there is room for them, and looks after what was in doubt. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  /** There may be more to claim. */
  sweepSoon() {
    this.#soon ??= setTimeout(async () => {
      this.#soon = null
      // One that runs may have looked too early.
      await this.#sweeping?.catch(() => {})
      await this.sweep().catch((error) =>
        this.#options.log.warn({ err: error }, 'free lanes could not be taken up'),
      )
    }, gatherMs).unref()
  }

  async #sweepOnce() {
    if (this.#stopping) return
    if (this.#inDoubt) await this.audit()
    const room = this.#turns.room()
    const lanes = await this.#options.store.claim(this.#options.workerId(), room)
    for (const { botId, lane } of lanes) this.#adopt(botId, lane)
    this.#turns.claimed(
      lanes.map(({ botId }) => botId),
      room,
    )
  }

  /** Memory may have missed something: an answer was lost with a connection. It is compared with the rows. */
  doubt() {
    this.#inDoubt = true
    this.sweepSoon()
  }

  /** Finds lanes of ours of whose work memory knows nothing: their statement was committed, and its answer lost with a connection. */
  async audit() {
    this.#inDoubt = false
    const { store, workerId, maxLanes } = this.#options
    try {
      const owned = await store.owned(workerId(), 2 * maxLanes)
      for (const { botId, lane } of owned)
        if (!this.#lanes.get(nameOf(botId, lane))?.hasWork) this.#adopt(botId, lane)
    } catch (error) {
      this.#inDoubt = true
      throw error
    }
  }

  #adopt(botId: string, key: string) {
    const isNew = !this.#lanes.has(nameOf(botId, key))
    const lane = this.#laneOf(botId, key)
    if (isNew) lane.isClaimed = true
    this.#change(lane, () => lane.doubt())
  }

  /** This process was taken for dead: its lanes are whoever's claims them. */
  loseAll() {
    for (const lane of [...this.#lanes.values()]) this.#change(lane, () => lane.lose())
  }

  /** Claims nothing more and gives back what nobody works on; then lets what runs end, until the deadline, and gives back the rest. */
  async stop(deadlineMs: number) {
    this.#stopping = true
    this.#turns.stop()
    for (const pause of this.#pauses) clearTimeout(pause)
    const { store, workerId, log } = this.#options
    const release = (keep: LaneName[], resign = false) =>
      store
        .release(workerId(), keep, resign)
        .catch((error) =>
          log.warn(
            { err: error },
            'the lanes could not be given back; they are free when the lease has passed',
          ),
        )
    const busy = [...this.#lanes.values()].filter((lane) => lane.state === 'running' || lane.unsettled > 0)
    await release(busy.map(({ botId, key }) => ({ botId, lane: key })))
    await Promise.race([this.#quiet(), new Promise((resolve) => setTimeout(resolve, deadlineMs).unref())])
    // The others deliver again what runs still: from then on it must not write.
    await release([], this.#turns.running > 0)
  }

  async #quiet() {
    await this.#sweeping?.catch(() => {})
    await this.#turns.quiet()
    await this.#settling.quiet()
  }
}
