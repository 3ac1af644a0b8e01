// Compares states with a model: random operations in random order, with passing time and concurrent
// calls. SEED=… repeats a run.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Messaging,
  openMessaging,
  ours,
  theirs,
  toRejection,
} from '../../../../test/support/messaging-rows.ts'
import { seed } from '../../../../test/support/random.ts'
import { toLimits } from '../../config/limits.ts'
import { expireStates } from './expiry.ts'
import type { StateLocation } from './location.ts'
import {
  deleteState,
  findState,
  getOrSetState,
  patchState,
  type StateDeps,
  setExpiry,
  setState,
} from './states.ts'

let messaging: Messaging
let deps: StateDeps
let conversation: string
beforeAll(async () => {
  messaging = await openMessaging()
  const { db, database } = messaging
  deps = { db, database, deliveries: messaging.deliveries, limits: toLimits('strict') }
  conversation = (await messaging.newConversation()).id
  const states = { declared: { type: 'bot', schema: {}, expiry: 3.5 * unit } }
  await sql`update bot set definition = ${JSON.stringify({ states })}::jsonb where id = ${ours}`.execute(
    db,
  )
})
afterAll(() => messaging.close())

/**
 * In milliseconds. Time passes in whole units and states expire at half units, so the test's own
 * duration does not matter.
 */
const unit = 10_000_000
const cause = null

type Json = Record<string, unknown>
interface StoredState {
  payload: Json
  expiry: number | null
  hasExpiry: boolean
  usedAt: number
}

/** States by owner, subject and name, and whether their expiry sends an event. */
const locations = (): (StateLocation & {
  sendsEvent: boolean
  declared: number | null
})[] => [
  {
    botId: ours,
    alias: null,
    type: 'conversation',
    subjectId: conversation,
    name: 'a#1',
    sendsEvent: true,
    declared: null,
  },
  {
    botId: ours,
    alias: 'tg',
    type: 'conversation',
    subjectId: conversation,
    name: 'memory',
    sendsEvent: false,
    declared: null,
  },
  {
    botId: ours,
    alias: null,
    type: 'bot',
    subjectId: 'any',
    name: 'declared',
    sendsEvent: true,
    declared: 3.5 * unit,
  },
  {
    botId: theirs,
    alias: null,
    type: 'bot',
    subjectId: 'any',
    name: 'declared',
    sendsEvent: true,
    declared: null,
  },
]

class Model {
  now = 0
  readonly #stored = new Map<number, StoredState>()
  /** Payloads of expired states as JSON, in the order of expiry. */
  readonly expired: string[] = []

  /** Renews and returns a state; null when it does not exist. */
  use(at: number): StoredState | null {
    this.#expire(at)
    const found = this.#stored.get(at)
    if (found) found.usedAt = this.now
    return found ?? null
  }

  write(at: number, payload: Json, expiry: number | null | undefined) {
    const before = this.use(at)
    const keeps = expiry === undefined && before?.hasExpiry
    const hasExpiry = expiry !== undefined || (before?.hasExpiry ?? false)
    const renewed = expiry === undefined ? locations()[at]!.declared : expiry
    this.#stored.set(at, {
      payload,
      expiry: keeps ? before!.expiry : renewed,
      hasExpiry,
      usedAt: this.now,
    })
  }

  remove(at: number) {
    this.use(at)
    this.#stored.delete(at)
  }

  expireAll() {
    for (const at of [...this.#stored.keys()]) this.#expire(at)
  }

  #expire(at: number) {
    const found = this.#stored.get(at)
    if (!found || found.expiry === null || found.usedAt + found.expiry > this.now) return
    this.#stored.delete(at)
    if (locations()[at]!.sendsEvent) this.expired.push(JSON.stringify(found.payload))
  }
}

interface Step {
  toString(): string
  run(model: Model): Promise<void>
}

/** Every value is unique, so each event identifies its state. */
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

/** Time passes often, because most possible errors depend on it. */
const often = (arbitrary: fc.Arbitrary<Step>) => ({ weight: 4, arbitrary })
const steps: fc.Arbitrary<Step> = fc.oneof(
  often(
    fc.tuple(at, key, expiry).map(([at, key, expiry]) =>
      named('set', [at, key, expiry], async (model) => {
        const payload = newPayload(key)
        expect(
          (await setState(deps, locations()[at]!, { payload, expiry, cause })).payload,
        ).toEqual(payload)
        model.write(at, payload, expiry)
      }),
    ),
  ),
  fc.tuple(at, key, expiry).map(([at, key, expiry]) =>
    named('patch', [at, key, expiry], async (model) => {
      const patch = newPayload(key)
      const payload = { ...model.use(at)?.payload, ...patch }
      expect(
        (await patchState(deps, locations()[at]!, { payload: patch, expiry, cause }))
          .payload,
      ).toEqual(payload)
      model.write(at, payload, expiry)
    }),
  ),
  fc
    .tuple(at, key, expiry, fc.integer({ min: 1, max: 8 }))
    .map(([at, key, expiry, racers]) =>
      named('getOrSet', [at, key, expiry, racers], async (model) => {
        const offered = Array.from({ length: racers }, () => newPayload(key))
        const rows = await Promise.all(
          offered.map((payload) =>
            getOrSetState(deps, locations()[at]!, { payload, expiry, cause }),
          ),
        )
        expect(
          new Set(rows.map(({ id, payload }) => JSON.stringify([id, payload]))).size,
        ).toBe(1)
        const existing = model.use(at)
        if (existing) expect(rows[0]!.payload).toEqual(existing.payload)
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
      await Promise.all(
        patches.map((payload) => patchState(deps, locations()[at]!, { payload, cause })),
      )
      expect((await findState(deps, locations()[at]!)).payload).toEqual(payload)
      model.write(at, payload, undefined)
    }),
  ),
  at.map((at) =>
    named('get', [at], async (model) => {
      const existing = model.use(at)
      if (existing)
        expect((await findState(deps, locations()[at]!)).payload).toEqual(
          existing.payload,
        )
      else
        expect(await toRejection(findState(deps, locations()[at]!))).toBe(
          'ResourceNotFound',
        )
    }),
  ),
  at.map((at) =>
    named('delete', [at], async (model) => {
      expect((await deleteState(deps, locations()[at]!)).payload).toEqual({})
      model.remove(at)
    }),
  ),
  fc.tuple(at, fc.constantFrom(null, 1.5 * unit)).map(([at, expiry]) =>
    named('setExpiry', [at, expiry], async (model) => {
      const existing = model.use(at)
      expect(await toRejection(setExpiry(deps, locations()[at]!, expiry))).toBe(
        existing ? 'nothing' : 'ResourceNotFound',
      )
      if (existing) Object.assign(existing, { expiry, hasExpiry: true })
    }),
  ),
  often(
    fc.integer({ min: 1, max: 4 }).map((units) =>
      named('pass', [units], async (model) => {
        await sql`
          update state set expires_at = expires_at - ${units * unit} * interval '1 millisecond'`.execute(
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

test('random operations have the same results as in the model', {
  timeout: 120_000,
}, async () => {
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
      const events = await deps.db
        .selectFrom('event')
        .select(['id', 'type', 'payload'])
        .execute()
      const payloads = events.map(({ payload }) =>
        JSON.stringify(sorted((payload as { state: { payload: Json } }).state.payload)),
      )
      expect(payloads.sort()).toEqual(
        model.expired.map((text) => JSON.stringify(sorted(JSON.parse(text)))).sort(),
      )
      expect(messaging.dispatched.map(({ subjectId }) => subjectId).sort()).toEqual(
        events.map(({ id }) => id).sort(),
      )
    }),
    { numRuns: 30, seed },
  )
})
