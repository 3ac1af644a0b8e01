// States against a model of them: whatever is done in whatever order, with time going by and several at once. SEED=… repeats what a run printed.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limitsOf } from '../../../src/infra/config/limits.ts'
import { expireStates } from '../../../src/modules/workflows/state/expiry.ts'
import type { Place } from '../../../src/modules/workflows/state/places.ts'
import {
  deleteState,
  findState,
  getOrSetState,
  patchState,
  type StateDeps,
  setExpiry,
  setState,
} from '../../../src/modules/workflows/state/states.ts'
import { seed } from '../../support/chance.ts'
import { type Messaging, openMessaging, ours, refusal, theirs } from '../../support/messaging-rows.ts'

let messaging: Messaging
let deps: StateDeps
let conversation: string
beforeAll(async () => {
  messaging = await openMessaging()
  const { db, database } = messaging
  deps = { db, database, deliveries: messaging.deliveries, limits: limitsOf('strict') }
  conversation = (await messaging.newConversation()).id
  await sql`update bot set definition = ${JSON.stringify({ states: { declared: { type: 'bot', schema: {}, expiry: 3.5 * unit } } })}::jsonb where id = ${ours}`.execute(
    db,
  )
})
afterAll(() => messaging.close())

/** Milliseconds. Time goes by in whole ones and ends in halves, so that what the test itself takes decides nothing. */
const unit = 10_000_000
const cause = null

type Json = Record<string, unknown>
interface Remembered {
  payload: Json
  expiry: number | null
  isGiven: boolean
  usedAt: number
}

/** Whose, of what, under which name; and whether its end is told. */
const places = (): (Place & { isTold: boolean; declared: number | null })[] => [
  {
    botId: ours,
    alias: null,
    type: 'conversation',
    subjectId: conversation,
    name: 'a#1',
    isTold: true,
    declared: null,
  },
  {
    botId: ours,
    alias: 'tg',
    type: 'conversation',
    subjectId: conversation,
    name: 'memory',
    isTold: false,
    declared: null,
  },
  {
    botId: ours,
    alias: null,
    type: 'bot',
    subjectId: 'any',
    name: 'declared',
    isTold: true,
    declared: 3.5 * unit,
  },
  {
    botId: theirs,
    alias: null,
    type: 'bot',
    subjectId: 'any',
    name: 'declared',
    isTold: true,
    declared: null,
  },
]

class Model {
  now = 0
  readonly #kept = new Map<number, Remembered>()
  /** Payloads in the order in which their time was over, as text. */
  readonly told: string[] = []

  /** A use; null when it is not there. */
  use(at: number): Remembered | null {
    this.#expire(at)
    const found = this.#kept.get(at)
    if (found) found.usedAt = this.now
    return found ?? null
  }

  write(at: number, payload: Json, expiry: number | null | undefined) {
    const before = this.use(at)
    const keeps = expiry === undefined && before?.isGiven
    const isGiven = expiry !== undefined || (before?.isGiven ?? false)
    this.#kept.set(at, {
      payload,
      expiry: keeps ? before!.expiry : expiry === undefined ? places()[at]!.declared : expiry,
      isGiven,
      usedAt: this.now,
    })
  }

  remove(at: number) {
    this.use(at)
    this.#kept.delete(at)
  }

  expireAll() {
    for (const at of [...this.#kept.keys()]) this.#expire(at)
  }

  #expire(at: number) {
    const found = this.#kept.get(at)
    if (!found || found.expiry === null || found.usedAt + found.expiry > this.now) return
    this.#kept.delete(at)
    if (places()[at]!.isTold) this.told.push(JSON.stringify(found.payload))
  }
}

interface Step {
  toString(): string
  run(model: Model): Promise<void>
}

/** Every value is another one, so that each event says which it is about. */
let values = 0
const newPayload = (key: string): Json => ({ [key]: ++values })
const sorted = (payload: Json) => Object.fromEntries(Object.entries(payload).sort())

const at = fc.nat(3)
const key = fc.constantFrom('a', 'b', 'toString')
const expiry = fc.constantFrom(undefined, null, 1.5 * unit, 1.5 * unit, 4.5 * unit)
const named = (name: string, args: unknown, run: Step['run']): Step => ({
  toString: () => `${name}(${JSON.stringify(args)})`,
  run,
})

/** Time goes by often: most of what could be wrong has to do with it. */
const often = (arbitrary: fc.Arbitrary<Step>) => ({ weight: 4, arbitrary })
const steps: fc.Arbitrary<Step> = fc.oneof(
  often(
    fc.tuple(at, key, expiry).map(([at, key, expiry]) =>
      named('set', [at, key, expiry], async (model) => {
        const payload = newPayload(key)
        expect((await setState(deps, places()[at]!, { payload, expiry, cause })).payload).toEqual(payload)
        model.write(at, payload, expiry)
      }),
    ),
  ),
  fc.tuple(at, key, expiry).map(([at, key, expiry]) =>
    named('patch', [at, key, expiry], async (model) => {
      const patch = newPayload(key)
      const payload = { ...model.use(at)?.payload, ...patch }
      expect((await patchState(deps, places()[at]!, { payload: patch, expiry, cause })).payload).toEqual(
        payload,
      )
      model.write(at, payload, expiry)
    }),
  ),
  fc.tuple(at, key, expiry, fc.integer({ min: 1, max: 8 })).map(([at, key, expiry, racers]) =>
    named('getOrSet', [at, key, expiry, racers], async (model) => {
      const offered = Array.from({ length: racers }, () => newPayload(key))
      const rows = await Promise.all(
        offered.map((payload) => getOrSetState(deps, places()[at]!, { payload, expiry, cause })),
      )
      expect(new Set(rows.map(({ id, payload }) => JSON.stringify([id, payload]))).size).toBe(1)
      const there = model.use(at)
      if (there) expect(rows[0]!.payload).toEqual(there.payload)
      else {
        expect(offered).toContainEqual(rows[0]!.payload)
        model.write(at, rows[0]!.payload, expiry)
      }
    }),
  ),
  fc.tuple(at, fc.integer({ min: 2, max: 6 })).map(([at, racers]) =>
    named('patchTogether', [at, racers], async (model) => {
      const patches = Array.from({ length: racers }, (_, i) => newPayload(`p${i}`))
      const payload = Object.assign({}, model.use(at)?.payload, ...patches)
      await Promise.all(patches.map((payload) => patchState(deps, places()[at]!, { payload, cause })))
      expect((await findState(deps, places()[at]!)).payload).toEqual(payload)
      model.write(at, payload, undefined)
    }),
  ),
  at.map((at) =>
    named('get', [at], async (model) => {
      const there = model.use(at)
      if (there) expect((await findState(deps, places()[at]!)).payload).toEqual(there.payload)
      else expect(await refusal(findState(deps, places()[at]!))).toBe('ResourceNotFound')
    }),
  ),
  at.map((at) =>
    named('delete', [at], async (model) => {
      expect((await deleteState(deps, places()[at]!)).payload).toEqual({})
      model.remove(at)
    }),
  ),
  fc.tuple(at, fc.constantFrom(null, 1.5 * unit)).map(([at, expiry]) =>
    named('setExpiry', [at, expiry], async (model) => {
      const there = model.use(at)
      expect(await refusal(setExpiry(deps, places()[at]!, expiry))).toBe(
        there ? 'nothing' : 'ResourceNotFound',
      )
      if (there) Object.assign(there, { expiry, isGiven: true })
    }),
  ),
  often(
    fc.integer({ min: 1, max: 4 }).map((units) =>
      named('pass', [units], async (model) => {
        await sql`update state set expires_at = expires_at - ${units * unit} * interval '1 millisecond'`.execute(
          deps.db,
        )
        model.now += units * unit
      }),
    ),
  ),
  fc.integer({ min: 1, max: 3 }).map((sweepers) =>
    named('sweep', [sweepers], async (model) => {
      await Promise.all(Array.from({ length: sweepers }, () => expireStates(deps)))
      model.expireAll()
    }),
  ),
)

test('as the model says', { timeout: 120_000 }, async () => {
  console.log(JSON.stringify({ seed }))
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 30, maxLength: 60 }), async (steps) => {
      await sql`delete from state`.execute(deps.db)
      await sql`delete from event`.execute(deps.db)
      messaging.dispatched.length = 0
      const model = new Model()
      for (const step of steps) await step.run(model)
      await expireStates(deps)
      model.expireAll()
      const events = await deps.db.selectFrom('event').select(['id', 'type', 'payload']).execute()
      const payloads = events.map(({ payload }) =>
        JSON.stringify(sorted((payload as { state: { payload: Json } }).state.payload)),
      )
      expect(payloads.sort()).toEqual(
        model.told.map((text) => JSON.stringify(sorted(JSON.parse(text)))).sort(),
      )
      expect(messaging.dispatched.map(({ subjectId }) => subjectId).sort()).toEqual(
        events.map(({ id }) => id).sort(),
      )
    }),
    { numRuns: 30, seed },
  )
})
