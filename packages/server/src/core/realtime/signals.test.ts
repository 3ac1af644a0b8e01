// Property-based test of signal delivery under random interleavings: commits of this and of another
// process, slow and failing reads, slow listeners, and late, short and lost notes. Every listener
// receives the numbered signals once and in order, each preceded by the signals that belong to it.
// No transient signal arrives twice.
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Signal } from './signal.ts'
import { Signals } from './signals.ts'

const runs = Number(process.env.BOTSTEAD_SIGNAL_RUNS ?? 500)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A short note contains only the number. A lost note is noticed later. */
type Fate = 'whole' | 'short' | 'lost'

type Action =
  | { do: 'send'; here: boolean; streamed: boolean; fate: Fate }
  | { do: 'sendTransient'; here: boolean }
  | { do: 'listen'; slow: boolean }
  | { do: 'wait'; steps: number }
  | { do: 'loseNotifications' }
  | { do: 'failRead' }

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      here: fc.boolean(),
      streamed: fc.boolean(),
      fate: fc.constantFrom<Fate>('whole', 'whole', 'short', 'lost'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sendTransient' as const),
      here: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('listen' as const), slow: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('wait' as const), steps: fc.nat(8) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('loseNotifications' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failRead' as const) }) },
)

const log = pino({ level: 'silent' })
const toContent =
  ({ type, data }: Signal) =>
  () => ({ type, data })

class World {
  readonly #scheduler: fc.Scheduler
  /** Committed signals by number, each after the signals that belong to it. */
  readonly log: Signal[][] = []
  readonly listeners: { from: number; received: Signal[] }[] = []
  readonly #signals: Signals
  /** Those of the other process. */
  readonly #others: Signals
  #fate: Fate = 'whole'
  #transientCount = 0
  #failing = 0
  /** Connections deliver notifications one after the other. */
  #notifications: Promise<unknown> = Promise.resolve()

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler
    this.#signals = new Signals({
      read: (_bot, _conversation, after) => this.#read(Number(after)),
      notify: () => {},
      log,
    })
    this.#others = new Signals({
      read: async () => [],
      notify: (make, options) => this.#carry(make, options?.shorter),
      log,
    })
  }

  #carry(make: () => string, shorter?: () => string) {
    if (this.#fate === 'lost') return this.#notify(() => this.#signals.catchUpAll())
    const note = this.#fate === 'short' && shorter ? shorter() : make()
    this.#notify(() => this.#signals.receive(JSON.parse(note)))
  }

  #step = (): Promise<void> => this.#scheduler.schedule(Promise.resolve())

  async #read(after: number): Promise<Signal[]> {
    await this.#step()
    if (this.#failing > 0) {
      this.#failing--
      throw new Error('the database is away')
    }
    const read = this.log.slice(after).flat()
    await this.#step()
    return read
  }

  perform(action: Action) {
    if (action.do === 'send') this.#send(action)
    if (action.do === 'sendTransient') this.#sendTransient(action.here)
    if (action.do === 'listen') this.#listen(action.slow)
    if (action.do === 'failRead') this.#failing++
    if (action.do === 'loseNotifications') this.#signals.catchUpAll()
  }

  #send({ here, streamed, fate }: Action & { do: 'send' }) {
    const number = String(this.log.length + 1)
    const before: Signal[] = streamed
      ? [{ number: null, before: number, type: 'complete', data: number }]
      : []
    const signals: Signal[] = [...before, { number, type: 'sent', data: number }]
    this.log.push(signals)
    if (here) void this.#step().then(() => this.#publish(this.#signals, signals))
    else this.#publishElsewhere(signals, fate)
  }

  #publishElsewhere(signals: Signal[], fate: Fate) {
    this.#fate = fate
    this.#publish(this.#others, signals)
  }

  #publish(process: Signals, signals: Signal[]) {
    const [signal, before] = signals.toReversed() as [Signal, Signal?]
    process.publish(
      'b',
      'c',
      signal.number,
      toContent(signal),
      before && toContent(before),
    )
  }

  #sendTransient(here: boolean) {
    const signal: Signal = {
      number: null,
      type: 'transient',
      data: ++this.#transientCount,
    }
    if (here) this.#publish(this.#signals, [signal])
    else this.#publishElsewhere([signal], 'whole')
  }

  #notify(receive: () => void) {
    this.#notifications = this.#notifications.then(this.#step).then(receive)
  }

  #listen(slow: boolean) {
    const listener = { from: this.log.length, received: [] as Signal[] }
    this.listeners.push(listener)
    this.#signals.listen('b', 'c', String(listener.from), {
      userId: 'u',
      send: (signal) => void listener.received.push(signal),
      ...(slow && { ready: this.#step }),
      end: () => {},
    })
  }

  async run(steps: number) {
    for (let step = 0; step < steps && this.#scheduler.count() > 0; step++)
      await this.#scheduler.waitOne()
  }

  async settle() {
    for (let round = 0; round < 100; round++) {
      await this.run(1_000)
      await vi.advanceTimersByTimeAsync(500)
      if (this.#scheduler.count() === 0 && round > 10) return
    }
  }
}

test('delivers every signal once and in order', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(action, { maxLength: 40, size: 'max' }),
      async (scheduler, actions) => {
        const world = new World(scheduler)
        for (const one of actions) {
          world.perform(one)
          if (one.do === 'wait') await world.run(one.steps)
        }
        await world.settle()
        for (const { from, received } of world.listeners) {
          expect(received.filter(({ type }) => type !== 'transient')).toEqual(
            world.log.slice(from).flat(),
          )
          const transient = received
            .filter(({ type }) => type === 'transient')
            .map(({ data }) => data as number)
          expect(new Set(transient).size).toBe(transient.length)
        }
      },
    ),
    { numRuns: runs, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  )
})

test('reads no signals that a note contains', async () => {
  const notes: string[] = []
  const sender = new Signals({
    read: async () => [],
    notify: (make) => notes.push(make()),
    log,
  })
  const read = vi.fn(async () => [])
  const receiver = new Signals({ read, notify: () => {}, log })
  const received: Signal[] = []
  const listener = {
    userId: 'u',
    send: (signal: Signal) => received.push(signal),
    end: () => {},
  }
  receiver.listen('b', 'c', '6', listener)
  await vi.advanceTimersByTimeAsync(0)
  const content = (type: string) => () => ({ type, data: { text: '\u2028\n' } })
  sender.publish('b', 'c', '7', content('sent'), content('complete'))
  sender.publish('b', 'c', '8', content('sent'))
  for (const note of notes) receiver.receive(JSON.parse(note))
  expect(received).toEqual([
    { number: null, before: '7', ...content('complete')() },
    { number: '7', ...content('sent')() },
    { number: '8', ...content('sent')() },
  ])
  expect(notes.join()).not.toContain('\n')
  expect(read).toHaveBeenCalledTimes(1)
})
