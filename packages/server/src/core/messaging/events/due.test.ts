// Scheduled work, tested with the modules alone: one of several processes performs each job once,
// by the clock of the database, without reading jobs of the future.

import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type Messaging,
  openMessaging,
  ours,
  theirs,
  toRejection,
} from '../../../../test/support/messaging-rows.ts'
import { seed } from '../../../../test/support/random.ts'
import type { AllServices } from '../../../app/all-services.ts'
import { openRedactions } from '../../../features/privacy/redaction-rules.ts'
import { nextTick } from '../../lib/cron.ts'
import type { Enqueued } from '../../queue/deliveries.ts'
import { createConversation } from '../conversations.ts'
import { listEvents } from '../events/events.ts'
import { keepRecurringEvents } from '../events/recurring-events.ts'
import { dueTime } from '../events/schedule.ts'
import { cancelScheduledEvent, scheduleEvent } from '../events/scheduled-events.ts'
import {
  cancelScheduledMessage,
  scheduleMessage,
} from '../messages/scheduled-messages.ts'
import { runDueJobs } from './due.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let messaging: Messaging
let conversationId: string
let userId: string

beforeAll(async () => {
  messaging = await openMessaging()
  userId = (await messaging.newUser()).id
  conversationId = (await messaging.newConversation()).id
})
afterAll(() => messaging?.close())
beforeEach(async () => {
  for (const table of [
    'event',
    'scheduled_message',
    'recurring_event',
    'message',
    'delivery',
    'lane',
  ])
    await sql`delete from ${sql.table(table)}`.execute(messaging.db)
})
afterEach(() => void vi.useRealTimers())

/** A process among several, with the deliveries that it enqueued. */
function member(name: string) {
  const enqueued: Enqueued[] = []
  const services = {
    db: messaging.db,
    database: messaging.database,
    signals: { publish: () => {} },
    getRedactors: openRedactions({
      db: messaging.db,
      config: { redact: [] },
      report: () => {},
    }).of,
    deliveries: {
      owner: name,
      dispatch: (more: Enqueued[]) => void enqueued.push(...more),
    },
  } as unknown as AllServices
  return { services, enqueued }
}
/** Runs due work until none is left. */
async function work({ services }: ReturnType<typeof member>) {
  for (let wait: number | null = 0; wait === 0; ) wait = await runDueJobs(services)
}

/** Waits, because the time of an event is rounded to milliseconds, and may be in the future. */
async function newEvent(schedule: { delay?: number; dateTime?: string }, botId = ours) {
  const event = { botId, type: 'x', payload: {} }
  const { row } = await scheduleEvent(messaging.db, event, dueTime(schedule))
  await pause(1)
  return row.id
}
const newMessage = async (schedule: { delay: number }) => {
  const message = {
    botId: ours,
    conversationId,
    userId,
    direction: 'incoming',
    type: 'text',
    payload: { text: 'x' },
  } as const
  return (
    await scheduleMessage(messaging.database, messaging.db, message, dueTime(schedule))
  ).row.id
}
const declare = (
  recurringEvents: Record<string, string>,
  { botId = ours, blocked = false } = {},
) => {
  const definition = {
    recurringEvents: Object.fromEntries(
      Object.entries(recurringEvents).map(([key, cron]) => [
        key,
        { type: key, payload: {}, schedule: { cron } },
      ]),
    ),
  }
  return keepRecurringEvents(messaging.db, { id: botId, blocked, definition })
}
/** Lets time pass by moving all schedules. */
const pass = async (seconds: number) => {
  const earlier = sql`${seconds}::float8 * interval '1 second'`
  await sql`update event set due_at = due_at - ${earlier} where due_at is not null`.execute(
    messaging.db,
  )
  await sql`update scheduled_message set due_at = due_at - ${earlier}`.execute(
    messaging.db,
  )
  await sql`update recurring_event set next_at = next_at - ${earlier}`.execute(
    messaging.db,
  )
}
const statuses = async () =>
  Object.fromEntries(
    (await messaging.db.selectFrom('event').select(['id', 'status']).execute()).map(
      (row) => [row.id, row.status],
    ),
  )
const events = () => messaging.db.selectFrom('event').selectAll().orderBy('id').execute()
const deliveries = () => messaging.db.selectFrom('delivery').selectAll().execute()

test('random schedules, cancellations and runs match the model', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('event' as const, 'message' as const),
        minutes: fc.integer({ min: 1, max: 50 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('cancel' as const), nth: fc.nat(20) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        minutes: fc.integer({ min: 1, max: 40 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('sweep' as const),
        processes: fc.integer({ min: 1, max: 3 }),
      }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      const members = ['a', 'b', 'c'].map(member)
      /**
       * `left`: minutes until each is due, half a minute off all times at which work runs, so that
       * slow machines cannot change the result.
       */
      const model: {
        kind: 'event' | 'message'
        id: string
        left: number
        state: 'scheduled' | 'canceled' | 'done'
      }[] = []
      for (const one of steps) {
        if (one.do === 'event' || one.do === 'message') {
          const delay = one.minutes * 60_000 + 30_000
          model.push({
            kind: one.do,
            id: await (one.do === 'event' ? newEvent({ delay }) : newMessage({ delay })),
            left: one.minutes + 0.5,
            state: 'scheduled',
          })
        }
        if (one.do === 'pass') {
          await pass(one.minutes * 60)
          for (const thing of model) thing.left -= one.minutes
        }
        if (one.do === 'sweep') {
          await Promise.all(members.slice(0, one.processes).map(work))
          // A single process last: it performs jobs that were locked by another process before.
          await work(members[0]!)
          for (const thing of model)
            if (thing.state === 'scheduled' && thing.left < 0) thing.state = 'done'
        }
        const chosen =
          one.do === 'cancel' ? model[one.nth % Math.max(1, model.length)] : undefined
        if (chosen) {
          const canceled =
            chosen.kind === 'event'
              ? (await toRejection(
                  cancelScheduledEvent(messaging.db, ours, chosen.id, null),
                )) === 'nothing'
              : await cancelScheduledMessage(messaging.db, ours, chosen.id, null)
          expect(canceled).toBe(chosen.state === 'scheduled')
          if (canceled) chosen.state = 'canceled'
        }
      }
      const found = await statuses()
      const messageIds = new Set(
        (await messaging.db.selectFrom('message').select('id').execute()).map(
          ({ id }) => id,
        ),
      )
      for (const { kind, id, state } of model) {
        if (kind === 'event') expect(found[id]).toBe(state === 'done' ? 'pending' : state)
        else expect(messageIds.has(id)).toBe(state === 'done')
      }
      const done = model.filter(({ state }) => state === 'done')
      expect(await deliveries()).toHaveLength(done.length)
      expect(members.flatMap(({ enqueued }) => enqueued)).toHaveLength(done.length)
      for (const table of ['event', 'scheduled_message', 'message', 'delivery', 'lane'])
        await sql`delete from ${sql.table(table)}`.execute(messaging.db)
    }),
    { numRuns: Number(process.env.BOTSTEAD_DUE_RUNS ?? 30), seed },
  )
})

test('several concurrent processes share the work, and nothing runs twice', async () => {
  await Promise.all(Array.from({ length: 300 }, () => newEvent({ delay: 1_000 })))
  await Promise.all(Array.from({ length: 100 }, () => newMessage({ delay: 1_000 })))
  await declare(
    Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, '0 0 1 1 *'])),
  )
  await pass(400 * 86_400)
  const members = ['a', 'b', 'c'].map(member)
  await Promise.all(members.map(work))
  await work(members[0]!)
  const subjectIds = members.flatMap(({ enqueued }) =>
    enqueued.map(({ subjectId }) => subjectId),
  )
  expect([subjectIds.length, new Set(subjectIds).size]).toEqual([450, 450])
  expect(await deliveries()).toHaveLength(450)
  expect((await events()).map(({ status }) => status)).toEqual(Array(450).fill('pending'))
  const ticks = (await events()).flatMap(({ recurring_key }) => recurring_key ?? [])
  expect(new Set(ticks).size).toBe(50)
})

test('thousands of jobs of one bot do not delay another bot', async () => {
  await sql`
    insert into event (bot_id, id, type, payload, status, due_at)
    select ${ours}, 'evt_' || i, 'x', '{}', 'scheduled', now() - interval '1 hour'
    from generate_series(1, 3000) i`.execute(messaging.db)
  await sql`
    insert into scheduled_message (bot_id, id, conversation_id, user_id, direction, type, payload, due_at)
    select ${ours}, 'msg_' || i, ${conversationId}, ${userId}, 'incoming', 'text', '{}',
      now() - interval '1 hour' from generate_series(1, 3000) i`.execute(messaging.db)
  const others = await newEvent({ delay: 0 }, theirs)
  await scheduleMessage(
    messaging.database,
    messaging.db,
    {
      botId: theirs,
      conversationId: await theirConversation(),
      userId: theirs,
      direction: 'incoming',
      type: 'text',
      payload: {},
    },
    dueTime({ delay: 0 }),
  )
  const one = member('a')
  await runDueJobs(one.services)
  expect((await statuses())[others]).toBe('pending')
  expect(
    await messaging.db
      .selectFrom('message')
      .select('id')
      .where('bot_id', '=', theirs)
      .execute(),
  ).toHaveLength(1)
  expect(one.enqueued.length).toBeLessThan(1_000)
  await work(one)
  expect(one.enqueued.length).toBe(6_002)
  const numbers = one.enqueued
    .filter(({ lane }) => lane === conversationId)
    .map(({ number }) => Number(number))
  // The first number of a lane comes from the time.
  expect(numbers).toEqual(Array.from(numbers, (_, i) => numbers[0]! + i))
})
const theirConversation = async () =>
  (
    await createConversation(messaging.db, theirs, 'tg', {
      integration: 'tg',
      channel: 'dm',
      tags: {},
    })
  ).id

test('skips jobs that another process has locked, without waiting', async () => {
  const held = await newEvent({ delay: 0 })
  const free = await newEvent({ delay: 0 })
  const mine = member('a')
  await messaging.db.transaction().execute(async (trx) => {
    await sql`select 1 from event where id = ${held} for update`.execute(trx)
    expect(await runDueJobs(mine.services)).toBe(0)
    const wait = await runDueJobs(mine.services)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThan(1_000)
  })
  expect(await statuses()).toEqual({ [held]: 'scheduled', [free]: 'pending' })
  await work(mine)
  expect(await statuses()).toEqual({ [held]: 'pending', [free]: 'pending' })
})

test('work of a process that is killed before it answers is done completely or not at all', async () => {
  const id = await newEvent({ delay: 0 })
  const dying = member('worker_that_dies')
  // The process never delivers them.
  await work(dying)
  expect(await statuses()).toEqual({ [id]: 'pending' })
  const [lane] = await messaging.db.selectFrom('lane').selectAll().execute()
  expect(lane).toMatchObject({ key: id, owner: 'worker_that_dies', pending: 1 })
  const [delivery] = await deliveries()
  expect(delivery).toMatchObject({ lane: id, kind: 'event', subject_id: id, attempts: 0 })
})

test('returns the delay until the next job', async () => {
  const one = member('a')
  expect(await runDueJobs(one.services)).toBeNull()
  await newMessage({ delay: 40_000 })
  expect(await runDueJobs(one.services)).toBeGreaterThan(30_000)
  await newEvent({ delay: 20_000 })
  const wait = (await runDueJobs(one.services))!
  expect(wait > 10_000 && wait <= 20_000).toBe(true)
  await declare({ a: '* * * * *' })
  expect(await runDueJobs(one.services)).toBeLessThanOrEqual(60_000)
})

test('uses the clock of the database, not of the process', async () => {
  const later = await newEvent({ delay: 60_000 })
  await declare({ yearly: '0 0 1 1 *' })
  const due = await newEvent({ delay: 0 })
  for (const year of ['1999', '2090']) {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${year}-06-01T00:00:00.000Z`) })
    const inAMinute = await newEvent({ delay: 60_000 })
    await work(member('a'))
    expect(await statuses(), year).toMatchObject({
      [later]: 'scheduled',
      [inAMinute]: 'scheduled',
      [due]: 'pending',
    })
    await sql`update recurring_event set next_at = now() - interval '1 minute'`.execute(
      messaging.db,
    )
    await work(member('a'))
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(messaging.db)
    const [{ next_at }] = (await messaging.db
      .selectFrom('recurring_event')
      .select('next_at')
      .execute()) as [{ next_at: Date }]
    expect(next_at, year).toEqual(nextTick('0 0 1 1 *', rows[0]!.now))
  }
})

test('combines all missed ticks of a year into one, and schedules the next in the future', async () => {
  await declare({ a: '* * * * *', b: '*/7 * * * *' })
  await pass(365 * 86_400)
  await work(member('a'))
  expect((await events()).map(({ type }) => type).sort()).toEqual(['a', 'b'])
  for (const { next_at } of await messaging.db
    .selectFrom('recurring_event')
    .select('next_at')
    .execute())
    expect(next_at!.getTime()).toBeGreaterThan(Date.now() - 60_000)
  await work(member('a'))
  expect(await events()).toHaveLength(2)
})

test('skips the tick of a cron that changes after it was found due', async () => {
  await declare({ a: '0 0 1 1 *' })
  await pass(400 * 86_400)
  const one = member('a')
  const { database } = one.services
  const meanwhile = {
    ...database,
    run: async (name: string, ...rest: [string, unknown[]]) => {
      if (name === 'tick') await declare({ a: '0 0 2 1 *' })
      return database.run(name, ...rest)
    },
  }
  await runDueJobs({ ...one.services, database: meanwhile as never })
  expect(await events()).toEqual([])
  expect(one.enqueued).toEqual([])
})

test('does not tick for a blocked bot, but for others', async () => {
  await declare({ a: '* * * * *' })
  await declare({ a: '* * * * *' }, { botId: theirs })
  await pass(3_600)
  await declare({ a: '* * * * *' }, { blocked: true })
  await work(member('a'))
  expect((await events()).map(({ bot_id }) => bot_id)).toEqual([theirs])
  await declare({ a: '* * * * *' })
  await work(member('a'))
  expect(await events()).toHaveLength(1)
})

test('does not read a hundred thousand jobs of the future', async () => {
  await sql`
    insert into event (bot_id, id, type, payload, status, due_at)
    select ${ours}, 'evt_' || lpad(i::text, 26, '0'), 'x', '{}', 'scheduled',
      now() + interval '1 day' + i * interval '1 s' from generate_series(1, 100000) i`.execute(
    messaging.db,
  )
  await sql`
    insert into scheduled_message (bot_id, id, conversation_id, user_id, direction, type, payload, due_at)
    select ${ours}, 'msg_' || lpad(i::text, 26, '0'), ${conversationId}, ${userId}, 'outgoing', 'text', '{}',
      now() + interval '1 day' from generate_series(1, 100000) i`.execute(messaging.db)
  await sql`
    insert into event (bot_id, id, type, payload, status)
    select ${ours}, 'evt_z' || i, 'x', '{}', 'processed' from generate_series(1, 50000) i`.execute(
    messaging.db,
  )
  // The database does this by itself some time after so many inserts.
  await sql`analyze event, scheduled_message`.execute(messaging.db)
  const due = await newEvent({ delay: 0 })
  expect(
    await rowsFetched(async (one) => expect(await runDueJobs(one)).toBe(0)),
  ).toBeLessThan(30)
  expect(
    await rowsFetched(async (one) => expect(await runDueJobs(one)).toBeGreaterThan(0)),
  ).toBeLessThan(30)
  expect(
    (await events()).filter(({ status }) => status === 'pending').map(({ id }) => id),
  ).toEqual([due])
  const listed = await rowsFetched(async ({ db }) => {
    expect(
      await listEvents(db, ours, null, {
        status: 'scheduled',
        position: null,
        limit: 21,
      }),
    ).toHaveLength(21)
  })
  expect(listed).toBeLessThan(60)
})

/**
 * Returns how many rows the database fetched from the tables of scheduled work. Runs in a
 * transaction, which has its own statistics.
 */
async function rowsFetched(
  act: (services: AllServices) => Promise<unknown>,
): Promise<number> {
  return messaging.db.transaction().execute(async (trx) => {
    const fetched = async () => {
      const { rows } = await sql<{ count: number }>`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
        from pg_stat_xact_user_tables
        where relname in ('event', 'scheduled_message', 'recurring_event')`.execute(trx)
      return rows[0]!.count
    }
    // Like the connections of the hot path, see core/db/open.ts.
    await sql`set local enable_seqscan = off`.execute(trx)
    const run = async (_: string, text: string, values: unknown[]) =>
      (await trx.executeQuery(CompiledQuery.raw(text, values))).rows
    const before = await fetched()
    await act({
      ...member('a').services,
      db: trx,
      database: { ...messaging.database, run: run as never },
    })
    return (await fetched()) - before
  })
}
