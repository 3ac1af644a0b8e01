// The queue under random interleavings: two processes, several lanes, lost answers, processes that
// die or are taken for dead, and a database that crashes. fast-check prints the seed and the
// smallest failing case; BOTSTEAD_QUEUE_RUNS sets the number of runs.
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ModelDatabase } from '../../../test/support/queue-model.ts'
import type { DeliveryOutcome, Enqueued, QueueStore } from './deliveries.ts'
import { Queue } from './queue.ts'

const runs = Number(process.env.BOTSTEAD_QUEUE_RUNS ?? 400)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Action =
  | { do: 'enqueue'; process: number; lane: number; count: number; lost: boolean }
  | { do: 'wait'; steps: number }
  | { do: 'redeliver' | 'discard'; process: number; nth: number }
  | { do: 'sweep'; process: number }
  | { do: 'kill'; process: number }
  | { do: 'takeForDead'; process: number }
  | { do: 'crash' }
  | { do: 'removeIdleLanes' }

const member = fc.nat(1)
const calm: fc.WeightedArbitrary<Action>[] = [
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      process: member,
      lane: fc.nat(2),
      count: fc.integer({ min: 1, max: 3 }),
      lost: fc.constant(false),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('wait' as const), steps: fc.nat(12) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sweep' as const), process: member }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('removeIdleLanes' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('redeliver' as const, 'redeliver' as const, 'discard' as const),
      process: member,
      nth: fc.nat(3),
    }),
  },
]
const wild: fc.WeightedArbitrary<Action>[] = [
  ...calm,
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      process: member,
      lane: fc.nat(2),
      count: fc.constant(1),
      lost: fc.constant(true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('kill' as const), process: member }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('takeForDead' as const), process: member }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
]
type Fate = 'done' | 'retry' | 'failed' | 'postponed' | 'throw'
const fates = fc.infiniteStream(
  fc.oneof<fc.MaybeWeightedArbitrary<Fate>[]>(
    { weight: 12, arbitrary: fc.constant('done') },
    // Frequent enough that some deliveries become dead letters.
    { weight: 10, arbitrary: fc.constant('retry') },
    { weight: 3, arbitrary: fc.constantFrom('retry', 'failed', 'postponed', 'throw') },
  ),
)

/** A process with its queue. Its id changes when it is taken for dead. */
interface Member {
  id: string
  alive: boolean
  queue: Queue
  answered: Promise<unknown>
}

class World {
  readonly database: ModelDatabase
  readonly #scheduler: fc.Scheduler
  readonly #fates: Iterator<Fate>
  #members: Member[] = []
  #names = 0
  /** Deliveries in the order in which they began for the first time. */
  readonly first: string[] = []
  readonly ended: string[] = []
  readonly broken: string[] = []
  readonly #running = new Map<string, string>()
  /**
   * Deliveries in handlers of living processes, and those whose ownership a crash of the database
   * may have lost.
   */
  readonly #writing = new Set<Enqueued>()
  readonly #forgotten = new Set<Enqueued>()
  /** Deliveries of one lane with two valid leases at the same time. */
  readonly doubled: string[] = []
  /** The last started number of each lane. */
  readonly #begun = new Map<string, number>()
  redelivered = 0
  #handedOver = 0

  constructor(scheduler: fc.Scheduler, fate: Iterable<Fate>) {
    this.#scheduler = scheduler
    this.#fates = fate[Symbol.iterator]()
    this.database = new ModelDatabase(() => this.#step())
    this.#members = [this.#start(), this.#start()]
  }

  #step(): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve())
  }

  #start(): Member {
    const member: Member = {
      id: `w${++this.#names}`,
      alive: true,
      queue: null as never,
      answered: Promise.resolve(),
    }
    member.queue = new Queue({
      workerId: () => member.id,
      store: this.database.storeFor(() => member.alive),
      handler: (delivery) => this.#handle(member, delivery),
      handOver: (delivery) => this.#handOver(delivery),
      retryMs: [1, 1],
      log: pino({ level: 'silent' }),
      perBot: 2,
      maxLanes: 2,
      maxHeld: 3,
      pauseMs: 2,
    })
    return member
  }

  /** Of four notes, one is lost, and one arrives twice. All processes receive them. */
  #handOver(delivery: Enqueued) {
    const copies = [0, 2, 1, 1][this.#handedOver++ % 4]!
    for (let copy = 0; copy < copies; copy++)
      void this.#step().then(() => {
        for (const { alive, queue } of this.#members)
          if (alive) queue.accept({ ...delivery })
      })
  }

  async #handle(member: Member, delivery: Enqueued): Promise<DeliveryOutcome> {
    if (!this.first.includes(delivery.id)) this.first.push(delivery.id)
    if (this.ended.includes(delivery.id))
      this.broken.push(`${delivery.id} again after its end`)
    if (delivery.content !== undefined && delivery.content !== delivery.id)
      this.broken.push(`${delivery.id} with what belongs to ${delivery.content}`)
    const runner = this.#running.get(delivery.lane)
    if (runner) this.broken.push(`${delivery.id} while ${runner} runs in its lane`)
    if (Number(delivery.number) < (this.#begun.get(delivery.lane) ?? 0))
      this.broken.push(`${delivery.id} after what came later`)
    this.#begun.set(delivery.lane, Number(delivery.number))
    this.#running.set(delivery.lane, delivery.id)
    const attempt = { ...delivery }
    this.#writing.add(attempt)
    this.#checkWriters(attempt.lane)
    await this.#step()
    this.#checkWriters(attempt.lane)
    this.#writing.delete(attempt)
    this.#running.delete(delivery.lane)
    if (!member.alive) return new Promise(() => {})
    return this.#outcome(delivery, this.#fates.next().value as Fate)
  }

  /** At most one handler of a lane holds a lease; writes of the others are rejected. */
  #checkWriters(lane: string) {
    const holders = [...this.#writing].filter(
      (one) =>
        one.lane === lane &&
        this.database.isLeased(one.owner) &&
        !this.#forgotten.has(one),
    )
    if (holders.length > 1)
      this.doubled.push(holders.map(({ id, owner }) => `${id} of ${owner}`).join())
  }

  #outcome({ id, attempts = 0 }: Enqueued, fate: Fate): DeliveryOutcome {
    if (fate === 'postponed') return { result: 'postponed', reason: 'x' }
    if ((fate === 'retry' || fate === 'throw') && attempts < 2) {
      if (fate === 'throw') throw new Error('x')
      return { result: 'retry', reason: 'x' }
    }
    this.ended.push(id)
    if (fate === 'done') return { result: 'done' }
    return fate === 'failed'
      ? { result: 'failed', reason: 'x' }
      : { result: 'retry', reason: 'x' }
  }

  async perform(action: Action) {
    const member = 'process' in action ? this.#members[action.process]! : null
    if (action.do === 'enqueue') this.#enqueue(member!, action)
    if (action.do === 'sweep') void member!.queue.sweep().catch(() => {})
    if (action.do === 'redeliver' || action.do === 'discard')
      this.#operate(member!, action.do, action.nth)
    if (action.do === 'removeIdleLanes') void this.database.removeIdle().catch(() => {})
    if (action.do === 'wait') await this.#pass(action.steps)
    if (action.do === 'kill') {
      member!.alive = false
      this.#running.clear()
      this.#members[action.process] = this.#start()
      this.database.bury(this.#members.map(({ id }) => id))
    }
    if (action.do === 'takeForDead') {
      member!.id = `w${++this.#names}`
      this.database.bury(this.#members.map(({ id }) => id))
      member!.queue.loseAll()
      member!.queue.invalidate()
    }
    if (action.do === 'crash') {
      this.database.crash()
      for (const one of this.#writing) this.#forgotten.add(one)
      for (const { queue } of this.#members) queue.invalidate()
    }
  }

  /** Answers to one process arrive in the order of the commits unless they are lost. */
  #enqueue(member: Member, { lane, count, lost }: Action & { do: 'enqueue' }) {
    const answer = this.database.enqueue(member.queue.owner, `l${lane}`, count)
    const before = member.answered
    member.answered = Promise.allSettled([before, answer])
    void Promise.all([answer, lost ? null : before]).then(
      ([enqueued]) => {
        if (!member.alive) return
        if (lost) member.queue.invalidate()
        else member.queue.dispatch(enqueued)
      },
      () => member.queue.invalidate(),
    )
  }

  /** Only one of several concurrent operations succeeds. A redelivered id may end again. */
  #operate(member: Member, what: 'redeliver' | 'discard', nth: number) {
    const { dead } = this.database
    const id = dead[nth % dead.length]
    if (id === undefined) return
    if (what === 'discard') return void this.database.discard(id).catch(() => {})
    const took = () => {
      this.redelivered++
      this.ended.splice(this.ended.indexOf(id), 1)
    }
    void this.database.redeliver(member.queue.owner, id, took).then(
      (enqueued) => member.alive && member.queue.dispatch(enqueued),
      () => member.queue.invalidate(),
    )
  }

  /** Runs steps and advances the clock, which retries and outcomes need. */
  async #pass(steps: number) {
    await this.#run(steps)
    await vi.advanceTimersByTimeAsync(steps)
    await this.#run(steps)
  }

  async #run(steps: number) {
    for (let step = 0; step < steps && this.#scheduler.count() > 0; step++)
      await this.#scheduler.waitOne()
  }

  /** Lets time pass: processes sweep regularly and complete their work. */
  async drain() {
    for (let second = 0; second < 60; second++) {
      this.database.bury(this.#members.map(({ id }) => id))
      for (const { queue } of this.#members) void queue.sweep().catch(() => {})
      for (let tick = 0; tick < 40; tick++) {
        await this.#run(50)
        await vi.advanceTimersByTimeAsync(3)
      }
      if (this.database.isEmpty) return
    }
  }
}

async function play(scheduler: fc.Scheduler, fate: Iterable<Fate>, actions: Action[]) {
  const world = new World(scheduler, fate)
  for (const action of actions) await world.perform(action)
  await world.drain()
  expect(world.database.left, 'pending deliveries').toEqual([])
  expect(world.doubled, 'two lease holders').toEqual([])
  expect(world.ended).toEqual(expect.arrayContaining(world.database.dead))
  const { enqueued } = world.database
  for (const lane of new Set(enqueued.map(({ lane }) => lane))) {
    const inOrder = enqueued.filter((one) => one.lane === lane).map(({ id }) => id)
    expect(world.first.filter((id) => inOrder.includes(id))).toEqual(inOrder)
  }
  return world
}

const numbered = {
  numRuns: runs,
  ...(process.env.SEED && { seed: Number(process.env.SEED) }),
}

test('delivers everything, in order per lane, with dying processes and lost answers', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fates,
      fc.array(fc.oneof(...wild), { maxLength: 40, size: 'max' }),
      async (...drawn) => {
        await play(...drawn)
      },
    ),
    numbered,
  )
})

test('without failures, delivers once, one at a time per lane, and once per redelivery', {
  timeout: 120_000,
}, async () => {
  let lived = 0
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fates,
      fc.array(fc.oneof(...calm), { maxLength: 40, size: 'max' }),
      async (...drawn) => {
        const { broken, redelivered } = await play(...drawn)
        expect(broken).toEqual([])
        lived += redelivered
      },
    ),
    numbered,
  )
  expect(lived).toBeGreaterThan(runs / 40)
})

/**
 * One lane. Its outcome is recorded when another delivery is committed but not dispatched yet.
 */
async function settleBeforeDispatch() {
  const first: Enqueued = {
    botId: 'bot',
    lane: 'lane',
    number: '1',
    id: 'first',
    kind: 'event',
    subjectId: 'first',
    owner: 'me',
    ahead: 0,
  }
  const second = { ...first, number: '2', id: 'second', subjectId: 'second', ahead: 1 }
  const handled: string[] = []
  let read = 0
  const store = {
    settle: async () => [
      { botId: 'bot', lane: 'lane', pending: 2 - handled.length, owner: 'me' },
    ],
    load: async (_worker: string, _lane: object, after: string) => {
      read++
      return Number(after) < 2 ? [second] : []
    },
  } as unknown as QueueStore
  const handler = async ({ id }: Enqueued): Promise<DeliveryOutcome> => {
    handled.push(id)
    return { result: 'done' }
  }
  const queue = new Queue({
    workerId: () => 'me',
    store,
    handler,
    retryMs: [],
    log: pino({ level: 'silent' }),
  })
  queue.dispatch([first])
  await vi.advanceTimersByTimeAsync(10)
  expect(handled).toEqual(['first'])
  return { queue, second, handled, reads: () => read }
}

test('begins a delivery that another worker enqueued, without reading it', async () => {
  const { queue, second, handled, reads } = await settleBeforeDispatch()
  queue.accept({ ...second, owner: 'another' })
  expect(handled).toEqual(['first'])
  queue.accept(second)
  queue.accept(second)
  await vi.advanceTimersByTimeAsync(1_000)
  expect({ handled, reads: reads() }).toEqual({ handled: ['first', 'second'], reads: 0 })
})

test('hands a delivery over to the worker that owns its lane', () => {
  const handedOver: string[] = []
  const queue = new Queue({
    workerId: () => 'me',
    store: {} as QueueStore,
    handler: async () => ({ result: 'done' }),
    handOver: ({ id }) => handedOver.push(id),
    retryMs: [],
    log: pino({ level: 'silent' }),
  })
  const common = { botId: 'bot', lane: 'lane', kind: 'event' as const, ahead: 1 }
  queue.dispatch([
    { ...common, number: '2', id: 'its', subjectId: 'its', owner: 'another' },
  ])
  expect({ handedOver, lanes: queue.stats.lanes }).toEqual({
    handedOver: ['its'],
    lanes: 0,
  })
})

test('does not read a delivery that is dispatched shortly after its commit', async () => {
  const { queue, second, handled, reads } = await settleBeforeDispatch()
  queue.dispatch([second])
  await vi.advanceTimersByTimeAsync(1_000)
  expect({ handled, reads: reads() }).toEqual({ handled: ['first', 'second'], reads: 0 })
})

test('reads a delivery that is never dispatched', async () => {
  const { handled, reads } = await settleBeforeDispatch()
  await vi.advanceTimersByTimeAsync(1_000)
  expect({ handled, reads: reads() }).toEqual({ handled: ['first', 'second'], reads: 1 })
})
