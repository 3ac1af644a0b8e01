// A model of the queue's database for reproducible interleavings: every statement is one step, and
// other steps can run before and after it. The model also loses responses and crashes; a crash
// discards lazy writes since the last durable commit.
import type {
  Enqueued,
  LaneName,
  LaneRemainder,
  QueueStore,
  Settled,
} from '../../src/core/queue/deliveries.ts'

interface Row {
  number: number
  id: string
  attempts: number
}
interface LaneRow extends LaneName {
  owner: string | null
  last: number
  rows: Row[]
  /** Dead letters. */
  dead: Row[]
}

export class ModelDatabase {
  readonly #step: () => Promise<void>
  #lanes = new Map<string, LaneRow>()
  /** The durable state; null when memory holds nothing newer. */
  #durable: Map<string, LaneRow> | null = null
  #crashes = 0
  #ids = 0
  /** The highest number of any lane: a lane that is created again continues above it. */
  #highest = 0
  #living: string[] | null = null
  readonly enqueued: { lane: string; id: string }[] = []

  /** `step` resolves when the scheduler chooses it. */
  constructor(step: () => Promise<void>) {
    this.#step = step
  }

  get isEmpty() {
    return [...this.#lanes.values()].every(({ rows }) => rows.length === 0)
  }

  /** The remaining state, for messages of failed tests. */
  get left() {
    return [...this.#lanes.values()]
      .filter(({ rows }) => rows.length > 0)
      .map(({ lane, owner, rows }) => ({ lane, owner, ids: rows.map(({ id }) => id) }))
  }

  crash() {
    this.#crashes++
    if (this.#durable) this.#lanes = this.#durable
    this.#durable = null
  }

  /** Frees the lanes of dead workers. */
  bury(living: string[]) {
    this.#living = living
    for (const lane of this.#lanes.values())
      if (lane.owner !== null && !living.includes(lane.owner)) lane.owner = null
  }

  /** Whether writes under this lease are accepted. */
  isLeased(owner: string | null) {
    return owner !== null && (this.#living?.includes(owner) ?? true)
  }

  #isHeldBy(lane: LaneRow, owner: string | null) {
    return lane.owner === owner && this.isLeased(owner)
  }

  enqueue(owner: string | null, lane: string, count: number): Promise<Enqueued[]> {
    return this.#statement(false, () => {
      const row = this.#laneOf(lane)
      const before = row.rows.length
      row.owner ??= owner
      return Array.from({ length: count }, (_, at) => {
        const one = { number: this.#next(row), id: `d${++this.#ids}`, attempts: 0 }
        row.rows.push(one)
        this.enqueued.push({ lane, id: one.id })
        return { ...toEnqueued(row, one), ahead: before + at, content: one.id }
      })
    })
  }

  /** Ids of dead letters. */
  get dead() {
    return [...this.#lanes.values()].flatMap(({ dead }) => dead.map(({ id }) => id))
  }

  /** Appends to the end of a lane; does nothing when another was faster. Calls `took` at once. */
  redeliver(owner: string | null, id: string, took: () => void): Promise<Enqueued[]> {
    return this.#statement(false, () => {
      const one = this.#takeDead(id)
      if (!one) return []
      took()
      const { lane, row } = one
      lane.owner ??= owner
      const revived = { id: row.id, number: this.#next(lane), attempts: 0 }
      lane.rows.push(revived)
      return [toEnqueued(lane, revived)]
    })
  }

  /** Deletes the idle lanes. */
  removeIdle(): Promise<void> {
    return this.#statement(true, () => {
      for (const [name, { owner, rows, dead }] of this.#lanes)
        if (owner === null && rows.length + dead.length === 0) this.#lanes.delete(name)
    })
  }

  discard(id: string): Promise<void> {
    return this.#statement(false, () => void this.#takeDead(id))
  }

  #takeDead(id: string) {
    for (const lane of this.#lanes.values()) {
      const at = lane.dead.findIndex((one) => one.id === id)
      if (at >= 0) return { lane, row: lane.dead.splice(at, 1)[0]! }
    }
    return null
  }

  /** The view of a process that may die; a dead process receives no more responses. */
  storeFor(isAlive: () => boolean): QueueStore {
    const statement = <T>(lazy: boolean, act: () => T) =>
      this.#statement(lazy, act, isAlive)
    return {
      claim: (workerId, capacity) =>
        statement(true, () => {
          const free = [...this.#lanes.values()]
            .filter((lane) => lane.owner === null && lane.rows.length > 0)
            .slice(0, capacity.of.get('bot') ?? capacity.ofOthers)
          for (const lane of free) lane.owner = workerId
          return free.map(({ botId, lane }) => ({ botId, lane }))
        }),
      load: (workerId, { lane }, after, limit) =>
        statement(false, () => {
          const row = this.#lanes.get(lane)
          if (row?.owner !== workerId) return []
          const rows = row.rows.filter(({ number }) => number > Number(after))
          return rows.slice(0, limit).map((one) => toEnqueued(row, one))
        }),
      settle: (workerId, settled) =>
        statement(true, () => this.#settle(workerId, settled)),
      recordAttempt: ({ delivery, attempts }) =>
        statement(true, () => {
          const row = this.#lanes.get(delivery.lane)
          if (!row || !this.#isHeldBy(row, delivery.owner)) return row?.owner ?? null
          for (const one of row.rows) if (one.id === delivery.id) one.attempts = attempts
          return row.owner
        }),
      owned: (workerId) =>
        statement(false, () =>
          [...this.#lanes.values()]
            .filter(({ owner }) => owner === workerId)
            .map(({ botId, lane }) => ({ botId, lane })),
        ),
      release: (workerId, keep) =>
        statement(true, () => {
          const kept = new Set(keep.map(({ lane }) => lane))
          for (const lane of this.#lanes.values())
            if (lane.owner === workerId && !kept.has(lane.lane)) lane.owner = null
        }),
    }
  }

  #settle(workerId: string, settled: Settled[]): LaneRemainder[] {
    const lanes = new Set<LaneRow>()
    for (const { delivery, outcome } of settled) {
      const lane = this.#lanes.get(delivery.lane)
      if (!lane) continue
      lanes.add(lane)
      const counts =
        outcome.result === 'done' || outcome.result === 'ignored'
          ? lane.owner === null ||
            lane.owner === workerId ||
            lane.owner === delivery.owner
          : this.#isHeldBy(lane, delivery.owner)
      if (!counts) continue
      // By number: a redelivered dead letter has another number and is not settled here.
      const at = lane.rows.findIndex(({ number }) => String(number) === delivery.number)
      if (at < 0) continue
      const [ended] = lane.rows.splice(at, 1)
      if (outcome.result === 'retry') lane.dead.push(ended!)
    }
    return [...lanes].map((lane) => {
      lane.owner = lane.rows.length === 0 ? null : (lane.owner ?? workerId)
      return {
        botId: lane.botId,
        lane: lane.lane,
        owner: lane.owner,
        pending: lane.rows.length,
      }
    })
  }

  async #statement<T>(
    lazy: boolean,
    act: () => T,
    isAlive: () => boolean = () => true,
  ): Promise<T> {
    const crashes = this.#crashes
    await this.#step()
    // A dead process sends no requests; a lost connection carries none.
    if (!isAlive()) return new Promise<T>(() => {})
    this.#refuseAfter(crashes)
    if (lazy) this.#durable ??= structuredClone(this.#lanes)
    const answer = act()
    if (!lazy) this.#durable = null
    await this.#step()
    if (!isAlive()) return new Promise<T>(() => {})
    this.#refuseAfter(crashes)
    return answer
  }

  #refuseAfter(crashes: number) {
    if (crashes !== this.#crashes) throw new Error('Connection terminated unexpectedly')
  }

  #next(row: LaneRow): number {
    this.#highest = Math.max(this.#highest, ++row.last)
    return row.last
  }

  #laneOf(lane: string): LaneRow {
    const known = this.#lanes.get(lane) ?? {
      botId: 'bot',
      lane,
      owner: null,
      last: this.#highest,
      rows: [],
      dead: [],
    }
    this.#lanes.set(lane, known)
    return known
  }
}

const toEnqueued = (
  { botId, lane, owner }: LaneRow,
  { number, id, attempts }: Row,
): Enqueued => ({
  botId,
  lane,
  number: String(number),
  id,
  kind: 'event',
  subjectId: id,
  owner,
  attempts,
})
