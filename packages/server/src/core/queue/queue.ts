// The durable queue, as one process runs it. The rows in the database are authoritative; memory
// only saves reading them back.
//
// A lane is the ordered queue of one conversation or workflow: one delivery at a time, by number. A
// lane with pending deliveries belongs to one worker, `lane.owner`, until its last delivery has
// ended. A process that enqueues into an unowned lane becomes its owner in the same statement and
// dispatches from memory after the commit. A process that enqueues into another worker's lane hands
// the delivery over to it. If that is lost, the owner sees the new delivery in the counts when it
// records its next outcome.
// When a process dies, the other workers claim its lanes (workers.ts).
import type { Enqueued, LaneName, LaneRemainder, Settled } from './deliveries.ts'
import { attemptDelivery } from './lanes/attempts.ts'
import { HeldDeliveries } from './lanes/held-deliveries.ts'
import { Lane, toLaneName } from './lanes/lane.ts'
import { Pauses } from './lanes/pauses.ts'
import { Settling } from './lanes/settling.ts'
import { Sweeps } from './lanes/sweeps.ts'
import { Turns } from './lanes/turns.ts'
import { defaults, type QueueOptions } from './queue-options.ts'

/**
 * Time in ms between the commit of a delivery by this process and its `dispatch`. If the process is
 * slower, the queue reads the rows, which costs one statement and does no harm.
 */
const dispatchDelayMs = 20

export class Queue {
  readonly #options: Required<Omit<QueueOptions, 'backlog'>> &
    Pick<QueueOptions, 'backlog'>
  readonly #lanes = new Map<string, Lane>()
  readonly #turns: Turns
  readonly #pauses = new Pauses()
  readonly #settling: Settling
  readonly #held: HeldDeliveries
  readonly #sweeps: Sweeps
  #mustAudit = false
  /** Bots for which this server begins no deliveries (resting.ts). */
  #resting: ReadonlySet<string> = new Set()
  #stopping = false

  constructor(options: QueueOptions) {
    this.#options = { ...defaults, ...options }
    const { log, perBot, pauseMs, maxHeld, maxHeldBytes } = this.#options
    this.#turns = new Turns({
      perBot,
      step: (lane) => this.#step(lane),
      onHungry: () => this.sweepSoon(),
    })
    this.#held = new HeldDeliveries({ count: maxHeld, bytes: maxHeldBytes })
    this.#sweeps = new Sweeps({ sweep: () => this.#sweep(), log })
    this.#settling = new Settling({
      record: (batch) => this.#record(batch),
      log,
      retryMs: pauseMs / 2,
    })
  }

  /**
   * Worker id to write as the owner when enqueueing; null when this worker is stopping or owns too
   * many lanes.
   */
  get owner(): string | null {
    return this.#stopping || this.#lanes.size >= this.#options.maxLanes
      ? null
      : this.#options.workerId()
  }

  get stats() {
    return {
      lanes: this.#lanes.size,
      running: this.#turns.running,
      held: this.#held.count,
      heldBytes: this.#held.bytes,
    }
  }

  /**
   * Starts the deliveries that this worker owns. Call it after the commit. Repeated calls, in any
   * order, are harmless.
   */
  dispatch(enqueued: Enqueued[]) {
    const workerId = this.#options.workerId()
    for (const delivery of enqueued) {
      this.#options.backlog?.entered(delivery.botId, delivery.bytes)
      if (delivery.owner === workerId) this.#add(delivery)
      else if (delivery.owner === null) this.sweepSoon()
      else this.#options.handOver(delivery)
    }
  }

  /** Starts a delivery that another worker enqueued. Does nothing if this worker does not own it. */
  accept(delivery: Enqueued) {
    if (!this.#isFormer(delivery)) this.#add(delivery)
  }

  #add(delivery: Enqueued) {
    this.#change(this.#laneOf(delivery.botId, delivery.lane), (lane) => {
      lane.add(delivery)
      if (lane.state === 'running') lane.head?.onFollowed?.()
    })
  }

  #laneOf(botId: string, key: string): Lane {
    const name = toLaneName(botId, key)
    const lane = this.#lanes.get(name) ?? new Lane(botId, key, this.#held)
    this.#lanes.set(name, lane)
    return lane
  }

  /**
   * Applies a change to a lane and then schedules or removes the lane. Every change must pass
   * through here.
   */
  #change(lane: Lane, change: (lane: Lane) => void) {
    change(lane)
    if (lane.state !== 'idle') return
    if (lane.hasWork) this.#turns.queueUp(lane)
    else if (lane.isOver) this.#lanes.delete(lane.name)
  }

  /**
   * Processes one delivery. Afterwards the lane queues up again, so that the lanes of one bot take
   * turns.
   */
  async #step(lane: Lane) {
    try {
      if (lane.mustRead) await this.#read(lane)
      if (lane.head && (this.#isFormer(lane.head) || this.#resting.has(lane.botId)))
        this.#giveUp(lane)
      else if (lane.head && !this.#stopping) await this.#deliver(lane, lane.head)
      else this.#rest(lane)
    } catch (error) {
      this.#options.log.warn(
        { err: error, lane: lane.key, botId: lane.botId },
        'cannot process a delivery; retrying',
      )
      this.#pause(lane, this.#options.pauseMs)
    }
  }

  async #read(lane: Lane) {
    const { store, workerId } = this.#options
    await lane.read((after, limit) =>
      store.load(workerId(), { botId: lane.botId, lane: lane.key }, after, limit),
    )
    // A delivery was announced, but no row exists: memory may be wrong, so compare it with the
    // rows.
    if (!lane.hasWork && lane.unsettled === 0) this.#mustAudit = true
  }

  async #deliver(lane: Lane, delivery: Enqueued) {
    const { outcome, startedAt, ms } = await attemptDelivery(
      this.#options,
      delivery,
      this,
    )
    // The lease was lost during the attempt. The failure may be a result of that, so it does not
    // count.
    if (
      this.#isFormer(delivery) &&
      outcome.result !== 'done' &&
      outcome.result !== 'ignored'
    )
      return this.#giveUp(lane)
    if (outcome.result === 'postponed')
      return this.#pause(lane, outcome.pauseMs ?? this.#options.pauseMs)
    const attempts = (delivery.attempts ?? 0) + 1
    const settled = { delivery, outcome, attempts, startedAt, ms }
    const pauseMs =
      outcome.result === 'retry' ? this.#options.retryMs[attempts - 1] : undefined
    if (pauseMs !== undefined) return this.#repeat(lane, settled, pauseMs)
    lane.unsettled++
    this.#settling.add(settled)
    lane.state = 'idle'
    this.#change(lane, () => lane.shift())
  }

  async #repeat(lane: Lane, settled: Settled, pauseMs: number) {
    const { delivery, attempts } = settled
    const owner = await this.#options.store.recordAttempt(settled)
    if (owner !== this.#options.workerId()) return this.#giveUp(lane)
    delivery.owner = owner
    // Only after the attempt is recorded: attempts during a database outage do not count.
    delivery.attempts = attempts
    // The content may have changed or been deleted; the next attempt reads it again.
    delete delivery.content
    this.#pause(lane, pauseMs * (0.8 + 0.4 * Math.random()))
  }

  /**
   * Whether the delivery was enqueued or loaded under an earlier id of this worker: another worker
   * may own it now.
   */
  #isFormer({ owner }: Enqueued) {
    return owner !== this.#options.workerId()
  }

  /** Drops the lane from memory; its next owner reads the deliveries from the rows. */
  #giveUp(lane: Lane) {
    lane.state = 'idle'
    this.#change(lane, () => this.#lose(lane))
  }

  #pause(lane: Lane, ms: number) {
    lane.state = 'pausing'
    this.#pauses.after(ms, () => this.#rest(lane))
  }

  #rest(lane: Lane) {
    lane.state = 'idle'
    this.#change(lane, () => {})
  }

  async #record(batch: Settled[]) {
    const rows = await this.#options.store.settle(this.#options.workerId(), batch)
    for (const { delivery } of batch) {
      this.#options.backlog?.ended(delivery.botId)
      const lane = this.#lanes.get(toLaneName(delivery.botId, delivery.lane))
      if (lane) lane.unsettled--
    }
    const byName = new Map(rows.map((one) => [toLaneName(one.botId, one.lane), one]))
    for (const name of new Set(
      batch.map(({ delivery }) => toLaneName(delivery.botId, delivery.lane)),
    )) {
      const lane = this.#lanes.get(name)
      if (lane) this.#change(lane, () => this.#compare(lane, byName.get(name)))
    }
  }

  /** Compares the counts in the rows with memory. A missing row means that the bot was deleted. */
  #compare(lane: Lane, counts: LaneRemainder | undefined) {
    const isOurs =
      counts && (counts.owner === this.#options.workerId() || counts.pending === 0)
    if (!isOurs) this.#lose(lane)
    else if (counts.pending > lane.length + lane.unsettled)
      this.#expect(lane, counts.pending - lane.length - lane.unsettled)
  }

  /**
   * Handles deliveries that the rows count and memory lacks. Usually this process has just written
   * them and is about to dispatch them, because a client often sends its next message as soon as it
   * receives a response. Deliveries that are not dispatched in time are read from the rows.
   */
  #expect(lane: Lane, more: number) {
    lane.expect(more)
    this.#pauses.after(dispatchDelayMs, () => {
      // If the lane was replaced by a new object of the same name, that one has its own
      // information.
      if (this.#lanes.get(lane.name) === lane)
        this.#change(lane, () => lane.isBehind && lane.invalidate())
    })
  }

  /**
   * Drops a lane that another worker owns. It may have become ours again meanwhile, so the next
   * sweep checks.
   */
  #lose(lane: Lane) {
    lane.lose()
    this.#mustAudit = true
  }

  /** Claims unowned lanes while there is capacity, and audits memory if it may be wrong. */
  sweep(): Promise<void> {
    return this.#sweeps.run()
  }

  /** Requests a sweep because there may be lanes to claim. */
  sweepSoon() {
    this.#sweeps.runSoon()
  }

  async #sweep() {
    if (this.#stopping) return
    if (this.#mustAudit) await this.audit()
    const capacity = this.#turns.capacity()
    const lanes = await this.#options.store.claim(this.#options.workerId(), capacity)
    for (const { botId, lane } of lanes) this.#adopt(botId, lane)
    this.#turns.claimed(
      lanes.map(({ botId }) => botId),
      capacity,
    )
  }

  /**
   * Invalidates memory after a response of the database was lost with its connection. The next
   * sweep compares it with the rows.
   */
  invalidate() {
    this.#mustAudit = true
    this.sweepSoon()
  }

  /**
   * Finds lanes that this worker owns but has no deliveries of in memory: their statement was
   * committed, but its response was lost with the connection.
   */
  async audit() {
    this.#mustAudit = false
    const { store, workerId, maxLanes } = this.#options
    try {
      const owned = await store.owned(workerId(), 2 * maxLanes)
      for (const { botId, lane } of owned)
        if (!this.#lanes.get(toLaneName(botId, lane))?.hasWork) this.#adopt(botId, lane)
    } catch (error) {
      this.#mustAudit = true
      throw error
    }
  }

  #adopt(botId: string, key: string) {
    if (this.#resting.has(botId)) return
    const isNew = !this.#lanes.has(toLaneName(botId, key))
    const lane = this.#laneOf(botId, key)
    if (isNew) lane.isClaimed = true
    this.#change(lane, () => lane.invalidate())
  }

  /** Replaces the set of resting bots. Their deliveries that have begun may end. */
  rest(botIds: ReadonlySet<string>) {
    const isSame = botIds.size === 0 && this.#resting.size === 0
    this.#resting = botIds
    if (isSame) return
    for (const lane of [...this.#lanes.values()])
      if (botIds.has(lane.botId) && lane.state !== 'running')
        this.#change(lane, () => lane.lose())
    this.invalidate()
  }

  /** Returns whether deliveries of one of the bots run, or have outcomes that are not recorded. */
  isBusy(botIds: ReadonlySet<string>): boolean {
    for (const lane of this.#lanes.values())
      if (botIds.has(lane.botId) && (lane.state === 'running' || lane.unsettled > 0))
        return true
    return false
  }

  /** Drops all lanes, because this worker's lease ended and other workers may claim them. */
  loseAll() {
    for (const lane of [...this.#lanes.values()]) this.#change(lane, () => lane.lose())
  }

  /**
   * Stops claiming and releases the idle lanes. Then waits for the running deliveries until the
   * deadline (in ms) and releases the rest.
   */
  async stop(deadlineMs: number) {
    this.#stopping = true
    this.#turns.stop()
    this.#pauses.clear()
    const { store, workerId, log } = this.#options
    const release = (keep: LaneName[], resign = false) =>
      store
        .release(workerId(), keep, resign)
        .catch((error) =>
          log.warn(
            { err: error },
            'cannot release the lanes; other servers can claim them when the lease expires',
          ),
        )
    const busy = [...this.#lanes.values()].filter(
      (lane) => lane.state === 'running' || lane.unsettled > 0,
    )
    await release(busy.map(({ botId, key }) => ({ botId, lane: key })))
    await Promise.race([
      this.#quiet(),
      new Promise((resolve) => setTimeout(resolve, deadlineMs).unref()),
    ])
    // Other workers repeat the deliveries that are still running, so this worker resigns and its
    // writes are rejected.
    await release([], this.#turns.running > 0)
  }

  async #quiet() {
    await this.#sweeps.quiet()
    await this.#turns.quiet()
    await this.#settling.quiet()
  }
}
