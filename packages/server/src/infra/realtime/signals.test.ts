// Listening under interleavings drawn by chance: commits here and in another process, reads that are slow and
// fail, readers without room, notes that are late. Every listener hears what is numbered once and in order,
// what is kept with a numbered signal just before it, and nothing that passes twice.
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Signal, Signals } from './signals.ts'

const runs = Number(process.env.BOTSTEAD_SIGNAL_RUNS ?? 500)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Action =
  | { do: 'say'; here: boolean; streamed: boolean }
  | { do: 'pass'; here: boolean }
  | { do: 'listen'; slow: boolean }
  | { do: 'wait'; steps: number }
  | { do: 'lose' }
  | { do: 'fail' }

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('say' as const), here: fc.boolean(), streamed: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), here: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('listen' as const), slow: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('wait' as const), steps: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const) }) },
)

class World {
  readonly #scheduler: fc.Scheduler
  /** What is committed, by number: each with what goes out before it. */
  readonly log: Signal[][] = []
  readonly ears: { from: number; heard: Signal[] }[] = []
  readonly #signals: Signals
  #passed = 0
  #failing = 0
  /** Connections carry notes one after the other. */
  #notes: Promise<unknown> = Promise.resolve()

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler
    this.#signals = new Signals({
      read: (_bot, _conversation, after) => this.#read(Number(after)),
      tell: () => {},
      log: pino({ level: 'silent' }),
    })
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
    if (action.do === 'say') this.#say(action)
    if (action.do === 'pass') this.#pass(action.here)
    if (action.do === 'listen') this.#listen(action.slow)
    if (action.do === 'fail') this.#failing++
    if (action.do === 'lose') this.#signals.catchUpAll()
  }

  #say({ here, streamed }: Action & { do: 'say' }) {
    const number = String(this.log.length + 1)
    const before: Signal[] = streamed
      ? [{ number: null, before: number, type: 'complete', data: number }]
      : []
    const signals: Signal[] = [...before, { number, type: 'said', data: number }]
    this.log.push(signals)
    if (here) void this.#step().then(() => this.#publish(signals))
    else this.#note(() => this.#signals.receive({ kind: 'signal', botId: 'b', conversationId: 'c', number }))
  }

  #publish(signals: Signal[]) {
    for (const { number, before, type, data } of signals)
      this.#signals.publish('b', 'c', number, () => ({ type, data }), before)
  }

  #pass(here: boolean) {
    const signal: Signal = { number: null, type: 'passed', data: ++this.#passed }
    if (here) this.#publish([signal])
    else
      this.#note(() =>
        this.#signals.receive({ kind: 'signal', botId: 'b', conversationId: 'c', transient: signal }),
      )
  }

  #note(hear: () => void) {
    this.#notes = this.#notes.then(this.#step).then(hear)
  }

  #listen(slow: boolean) {
    const ear = { from: this.log.length, heard: [] as Signal[] }
    this.ears.push(ear)
    this.#signals.listen('b', 'c', String(ear.from), {
      userId: 'u',
      send: (signal) => void ear.heard.push(signal),
      ...(slow && { ready: this.#step }),
      end: () => {},
    })
  }

  async run(steps: number) {
    for (let step = 0; step < steps && this.#scheduler.count() > 0; step++) await this.#scheduler.waitOne()
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
        for (const { from, heard } of world.ears) {
          expect(heard.filter(({ type }) => type !== 'passed')).toEqual(world.log.slice(from).flat())
          const passed = heard.filter(({ type }) => type === 'passed').map(({ data }) => data as number)
          expect(new Set(passed).size).toBe(passed.length)
        }
      },
    ),
    { numRuns: runs, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  )
})
