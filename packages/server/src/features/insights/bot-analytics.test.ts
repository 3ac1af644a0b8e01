// Daily analytics of a bot: computed from rows or by the clock they are equal, and a query costs no
// more than its days.
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { ours, seedMessaging, theirs } from '../../../test/support/messaging-rows.ts'
import { openScene } from '../../../test/support/scene.ts'
import { toRedactors } from '../../core/compute/text/redaction.ts'
import type { Database, Db } from '../../core/db/database.ts'
import { openDatabase } from '../../core/db/open.ts'
import { newId } from '../../core/lib/ids.ts'
import { openActionRuns } from './action-runs.ts'
import { listBotDays, storeDays } from './bot-analytics.ts'
import { quietDay } from './day-counts.ts'

let clone: TestDatabase
let database: Database
let db: Db
const bot = { id: ours, created_at: new Date('2026-03-01') }
/** Times in March 2026. */
const at = (day: number, hour = 0, minute = 0) => Date.UTC(2026, 2, day, hour, minute)
const soonAfter = at(10, 1)

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
  db = database.db
  await seedMessaging(db)
  await sql`update bot set created_at = ${bot.created_at}`.execute(db)
  await sql`delete from "user" where id <> bot_id`.execute(db)
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
})

async function user(id: string, created: number, botId = ours) {
  await db
    .insertInto('user')
    .values({
      bot_id: botId,
      id,
      created_at: new Date(created),
      fid: null,
      integration: null,
      name: null,
      picture_url: null,
      profile: null,
    })
    .execute()
}
let number = 0
async function insertMessage(
  userId: string,
  time: number,
  direction: 'incoming' | 'outgoing' = 'incoming',
  botId = ours,
) {
  number += 1
  const conversation = `conv_of_${botId}`
  await sql`
    insert into conversation (bot_id, id, integration, channel)
    values (${botId}, ${conversation}, 'tg', 'dm') on conflict do nothing`.execute(db)
  const when = new Date(time)
  await sql`
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, created_at,
      updated_at)
    values (${botId}, ${newId('message', time)}, ${conversation}, ${userId}, ${number}, ${direction}, 'text',
      '{}', ${when}, ${when})`.execute(db)
}
const insertEvent = (type: string, time: number) =>
  sql`insert into event (bot_id, id, type, payload)
    values (${ours}, ${newId('event', time)}, ${type}, '{}')`.execute(db)
const insertCount = (name: string, time: number, count: number) =>
  sql`insert into analytics_count (bot_id, name, hour, count)
    values (${ours}, ${name}, ${new Date(time)}, ${count})`.execute(db)
const insertRun = (time: number, ms: number, output: object | null) =>
  sql`
    insert into action_run (bot_id, id, action, succeeded, ms, input, input_truncated, output,
      output_truncated, started_at)
    values (${ours}, ${newId('actionRun', time)}, 'generateContent', ${output !== null}, ${ms}, '{}', false,
      ${output && JSON.stringify(output)}::jsonb, false, ${new Date(time)})`.execute(db)

const days = (from: number, until: number, now = soonAfter) =>
  listBotDays(db, bot, new Date(at(from)), new Date(at(until)), now)
const brief = async (from: number, until: number, now?: number) =>
  (await days(from, until, now)).map((day) => [
    day.startDateTimeUtc.slice(8, 10),
    day.newUsers,
    day.returningUsers,
    day.sessions,
    day.userMessages,
    day.botMessages,
  ])

test('counts failures that were not redelivered, also of finished days', async () => {
  const countFailures = async () => (await days(3, 5)).map(({ failures }) => failures)
  for (let number = 0; number < 25; number++) await insertEvent('failing', at(3, 12))
  await insertEvent('failing', at(4, 23, 59))
  await sql`update event set status = 'failed' where type = 'failing'`.execute(db)
  for (const [i, kind] of ['message', 'event'].entries())
    await sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, dead_at)
      values (${ours}, 'lane', ${i}, ${newId('delivery')}, ${kind}, 'subject', ${new Date(at(4))})`.execute(
      db,
    )
  expect(await countFailures()).toEqual([25, 2])
  await sql`update event set status = 'processed' where created_at is not null and type = 'failing'
    and id < ${newId('event', at(4))}`.execute(db)
  expect(await countFailures()).toEqual([0, 2])
  await sql`delete from event where type = 'failing'`.execute(db)
  await sql`delete from delivery`.execute(db)
})

test('counts people, sessions and messages', async () => {
  await user('ann', at(2, 23))
  await user('bea', at(3, 12))
  // A session over midnight counts on the day when it begins. Messages of the bot do not extend it.
  // It ends after half an hour without messages.
  for (const time of [
    at(2, 23, 50),
    at(3, 0, 10),
    at(3, 0, 39),
    at(3, 1, 8),
    at(3, 1, 38),
  ])
    await insertMessage('ann', time)
  await insertMessage(ours, at(3, 0, 11), 'outgoing')
  await insertMessage('bea', at(3, 12))
  await insertMessage('bea', at(3, 12, 29))
  await insertMessage('ann', at(5, 12))
  await insertMessage('another', at(3, 12), 'incoming', theirs)
  // Members who try the bot, or answer in its inbox, are no users of it.
  await user('trying', at(2, 22))
  await sql`update "user" set tags = '{"emulator":"true"}' where id = 'trying'`.execute(
    db,
  )
  await user('answering', at(2, 22))
  await sql`
    with member as (insert into account (id, email) values ('m', 'm@example.org') returning id)
    insert into handoff_agent (bot_id, user_id, account_id)
      select ${ours}, 'answering', id from member`.execute(db)
  for (const id of ['trying', 'answering']) await insertMessage(id, at(4, 12))
  expect(await brief(2, 6)).toEqual([
    ['02', 1, 0, 1, 1, 0],
    ['03', 1, 1, 2, 6, 1],
    ['04', 0, 0, 2, 2, 0],
    ['05', 0, 1, 1, 1, 0],
  ])
  await sql`delete from message where user_id in ('trying', 'answering')`.execute(db)
})

test('counts events by type, custom events, and the cost of language models', async () => {
  for (const [type, hour] of [
    ['message_created', 0],
    ['message_created', 23],
    ['slack:reaction', 12],
  ] as const)
    await insertEvent(type, at(6, hour))
  await insertEvent('tomorrow', at(7))
  await insertCount('orders', at(6, 1), 2)
  await insertCount('orders', at(6, 23), 3)
  await insertCount('orders', at(7), 9)
  await insertRun(at(6, 1), 1_000, {
    usage: { inputTokens: 10, outputTokens: 20 },
    botpress: { cost: 0.5 },
  })
  await insertRun(at(6, 2), 3_000, {
    usage: { inputTokens: 5, outputTokens: 30 },
    metadata: { cost: 0.25 },
  })
  await insertRun(at(6, 3), 0, null)
  await insertRun(at(6, 4), 500, {
    usage: { inputTokens: 'many', outputTokens: -1e300 },
    botpress: 7,
  })
  const [day] = await days(6, 7)
  expect(day).toMatchObject({
    startDateTimeUtc: '2026-03-06T00:00:00.000Z',
    endDateTimeUtc: '2026-03-07T00:00:00.000Z',
    events: 3,
    eventTypes: { message_created: 2, 'slack:reaction': 1 },
    customEvents: { orders: 5 },
    llm: {
      calls: 4,
      errors: 1,
      inputTokens: 15,
      outputTokens: 50,
      latency: { mean: 1_125, min: 0, max: 3_000 },
      tokensPerSecond: { mean: 10, min: 0, max: 20 },
      cost: { sum: 0.75, mean: 0.375, sd: 0.125, min: 0.25, max: 0.5 },
    },
  })
})

test('keeps the cost of an output that is truncated', async () => {
  const runs = openActionRuns(database, pino({ level: 'silent' }), async () =>
    toRedactors([], async () => []),
  )
  const run = {
    botId: ours,
    alias: 'ai',
    integration: 'ai',
    action: 'generateContent',
    input: {},
    error: null,
    cause: null,
    cached: false,
    startedAt: new Date(),
    ms: 10,
  }
  runs.record({
    ...run,
    output: {
      text: 'x'.repeat(20_000),
      usage: { outputTokens: 7 },
      botpress: { cost: 1 },
      metadata: { large: 'y'.repeat(2_000) },
    },
  })
  await runs.close()
  const [today] = await listBotDays(db, bot, new Date(), new Date(Date.now() + 1))
  expect(today!.llm).toMatchObject({ calls: 1, outputTokens: 7, cost: { sum: 1 } })
})

test('the daily summary is equal, and stays after the rows are deleted', async () => {
  const before = await days(1, 11)
  expect(before).toHaveLength(10)
  await storeDays(db, soonAfter)
  expect(await days(1, 11)).toEqual(before)
  const { rows } =
    await sql`select day::text from analytics_day where bot_id = ${ours} order by day`.execute(
      db,
    )
  expect(rows.map((row) => (row as { day: string }).day)).toEqual([
    '2026-03-02',
    '2026-03-03',
    '2026-03-05',
    '2026-03-06',
    '2026-03-07',
  ])
  await sql`delete from message`.execute(db)
  await storeDays(db, soonAfter)
  expect(await days(1, 11)).toEqual(before)
  // Shortly after midnight, yesterday is not summarized yet.
  await insertEvent('late', at(10, 23, 59))
  await storeDays(db, at(11, 0, 10))
  await insertEvent('later', at(10, 23, 59))
  await storeDays(db, at(11, 0, 20))
  expect((await days(10, 11, at(11, 1)))[0]).toMatchObject({ events: 2 })
})

test('returns quiet days without events, and none in the future', async () => {
  const quiet = ['2026-03-20', '2026-03-21'].map((day) => ({
    ...quietDay(day),
    failures: 0,
  }))
  expect(await days(20, 23, at(21, 12))).toEqual(quiet)
  expect(await days(23, 20)).toEqual([])
  await expect(
    listBotDays(db, bot, new Date('2020-01-01'), new Date('2026-01-01')),
  ).rejects.toMatchObject({
    type: 'InvalidQuery',
  })
})

test('does not read the rows of a long history', async () => {
  const many = 20_000
  const prefix = newId('message', at(3)).slice(0, 14)
  await sql`
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, created_at,
      updated_at)
    select ${ours}, ${prefix} || lpad(i::text, 16, '0'), ${`conv_of_${ours}`}, 'ann', 1000 + i, 'incoming',
      'text', '{}', ${new Date(at(3))}, ${new Date(at(3))}
    from generate_series(1, ${many}::int) i`.execute(db)
  await sql`analyze message`.execute(db)
  await insertMessage('ann', at(12))
  const fetchedSoFar = async (trx: Db) => {
    const { rows } = await sql<{ n: string }>`
      select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n
      from pg_stat_xact_user_tables where relname = 'message'`.execute(trx)
    return Number(rows[0]!.n)
  }
  const fetched = await db.transaction().execute(async (trx) => {
    const start = await fetchedSoFar(trx)
    const found = await listBotDays(
      trx,
      bot,
      new Date(at(1)),
      new Date(at(13)),
      at(12, 12),
    )
    expect(found.map(({ userMessages }) => userMessages)).toEqual([
      0, 1, 6, 0, 1, 0, 0, 0, 0, 0, 0, 1,
    ])
    return (await fetchedSoFar(trx)) - start
  })
  expect(fetched).toBeLessThan(20)
})

test('is returned by the API', async () => {
  const scene = await openScene()
  try {
    const { headers } = await scene.chatUser()
    const { conversation } = (
      await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
        headers,
        body: {},
      })
    ).body
    for (const text of ['a', 'b'])
      await scene.call('POST', `/chat/${scene.webhookId}/messages`, {
        headers,
        body: { conversationId: conversation.id, payload: { type: 'text', text } },
      })
    const ask = (query: string) =>
      scene.call('GET', `/v1/admin/bots/${scene.botId}/analytics?${query}`, {
        headers: scene.admin,
      })
    const today = new Date().toISOString().slice(0, 10)
    const { body } = await ask(`startDate=${today}&endDate=2999-01-01`).then((reply) =>
      reply.status === 200 ? reply : ask(`startDate=${today}&endDate=${today}`),
    )
    const sum = (of: string) =>
      body.records.reduce(
        (total: number, record: Record<string, number>) => total + record[of]!,
        0,
      )
    expect([
      sum('newUsers'),
      sum('userMessages'),
      sum('sessions'),
      sum('events'),
    ]).toEqual([1, 2, 1, 2])
    for (const query of [
      '',
      'startDate=2020-01-01',
      'startDate=a&endDate=b',
      'startDate=2020-01-01&endDate=2025-01-01',
    ])
      expect(await ask(query), query).toMatchObject({
        status: 400,
        body: { type: 'InvalidQuery' },
      })
  } finally {
    await scene.close()
  }
})
