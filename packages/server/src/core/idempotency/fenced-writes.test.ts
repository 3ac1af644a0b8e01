// Writes of hosted code that run at the same time as a take-over: each write is committed before
// the new owner begins, or rejected.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { newId } from '../lib/ids.ts'
import { recordOutcomes } from '../messaging/events/outcomes.ts'
import type { DeliveryOutcome, Settled } from '../queue/deliveries.ts'
import { createLaneStore } from '../queue/store.ts'
import { startWorker } from '../queue/workers.ts'

let scene: Scene
let conversationId: string
/** The lease under which the bot's code was called. */
let fence: string
/**
 * Connections of another server and of an observer. The observer is separate, because a transaction
 * does not see later statistics.
 */
let other: pg.Client
let outside: pg.Client

beforeAll(async () => {
  scene = await openScene()
  const { headers } = await scene.chatUser()
  const path = `/chat/${scene.webhookId}/conversations`
  conversationId = (await scene.call('POST', path, { headers, body: {} })).body
    .conversation.id
  await call('POST', '/v1/tables', {
    name: 'MadeTable',
    schema: { type: 'object', properties: { by: { type: 'string' } } },
  })
  ;[other, outside] = [new pg.Client(scene.connection), new pg.Client(scene.connection)]
  await Promise.all([other.connect(), outside.connect()])
})
afterEach(() => other.query('rollback'))
afterAll(async () => {
  await Promise.all([other?.end(), outside?.end()])
  await scene?.close()
})
beforeEach(async () => {
  fence = newId('worker')
  await other.query(
    "insert into worker (id, host, pid, alive_until) values ($1, 'h', 1, 'infinity')",
    [fence],
  )
})

const call = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown,
  headers = {},
) => scene.call(method, path, { headers: { ...scene.asBot, ...headers }, body })
const message = (text: string) => ({
  conversationId,
  userId: scene.botId,
  type: 'text',
  tags: {},
  payload: { text },
})
const takeOver = () => other.query('delete from worker where id = $1', [fence])
const count = async (text: string) => Number((await outside.query(text)).rows[0].count)

/** One request of each kind, with this text in what it writes. */
const writes: Record<string, (text: string) => Parameters<typeof call>> = {
  'a message': (text) => ['POST', '/v1/chat/messages', message(text)],
  'a message with a key': (text) => [
    'POST',
    '/v1/chat/messages',
    message(text),
    { 'idempotency-key': text },
  ],
  'a scheduled message': (text) => [
    ...([
      'POST',
      '/v1/chat/messages',
      { ...message(text), schedule: { delay: 1e9 } },
    ] as const),
  ],
  'a message by its tags': (text) => [
    ...([
      'POST',
      '/v1/chat/messages/get-or-create',
      { ...message(text), tags: { text } },
    ] as const),
  ],
  'an event': (text) => ['POST', '/v1/chat/events', { type: 'made', payload: { text } }],
  'a scheduled event': (text) => [
    ...([
      'POST',
      '/v1/chat/events',
      { type: 'made', payload: { text }, schedule: { delay: 1e9 } },
    ] as const),
  ],
  'a state': (text) => [
    'POST',
    `/v1/chat/states/bot/${scene.botId}/${text}`,
    { payload: { text } },
  ],
  'a part of a state': (text) => [
    'PATCH',
    `/v1/chat/states/bot/${scene.botId}/${text}`,
    { payload: { text } },
  ],
  'a state, if there is none': (text) => [
    ...([
      'POST',
      `/v1/chat/states/bot/${scene.botId}/${text}/get-or-set`,
      { payload: { text } },
    ] as const),
  ],
  'a file': (text) => ['PUT', '/v1/files', { key: text, size: 2 }],
  'a row': (text) => ['POST', '/v1/tables/MadeTable/rows', { rows: [{ by: text }] }],
  'a user': (text) => ['POST', '/v1/chat/users', { tags: { text } }],
}
const countWritten = (text: string) =>
  count(`select (select count(*) from message where payload ->> 'text' = '${text}')
    + (select count(*) from scheduled_message where payload ->> 'text' = '${text}')
    + (select count(*) from event where payload ->> 'text' = '${text}')
    + (select count(*) from state where name = '${text}')
    + (select count(*) from file where key = '${text}')
    + (select count(*) from table_row where data::text like '%"${text}"%')
    + (select count(*) from "user" where tags ->> 'text' = '${text}') as count`)
const waiting = () =>
  count(`select count(*) from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%require_workers%'`)

/** Sends the request during a take-over, and returns the answer after the take-over has ended. */
async function sendDuringTakeOver(
  end: 'commit' | 'rollback',
  [method, path, body, headers]: Parameters<typeof call>,
) {
  await other.query('begin')
  await takeOver()
  const answer = call(method, path, body, { ...headers, 'x-botstead-fence': fence })
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  await other.query(end)
  return answer
}

test.each(Object.entries(writes))(
  'rejects %s when the take-over is committed meanwhile',
  async (_, write) => {
    const text = newId('observation')
    expect(await sendDuringTakeOver('commit', write(text))).toMatchObject({
      status: 503,
      body: { type: 'Unavailable' },
    })
    expect(await countWritten(text)).toBe(0)
  },
)

test.each(
  Object.entries(writes).filter(([kind]) =>
    ['a message', 'a state', 'a row'].includes(kind),
  ),
)('writes %s when the take-over is undone', async (_, write) => {
  const text = newId('observation')
  expect((await sendDuringTakeOver('rollback', write(text))).status).toBeLessThan(300)
  expect(await countWritten(text)).toBe(1)
})

test('rejects changes and deletions as well', async () => {
  const { id } = (await call('POST', '/v1/chat/messages', message('first'))).body.message
  await call('POST', `/v1/chat/states/bot/${scene.botId}/kept`, { payload: { a: 1 } })
  await takeOver()
  const headers = { 'x-botstead-fence': fence }
  for (const [method, path, body] of [
    ['PUT', `/v1/chat/messages/${id}`, { tags: {}, payload: { text: 'second' } }],
    ['DELETE', `/v1/chat/messages/${id}`, undefined],
    ['POST', `/v1/chat/states/bot/${scene.botId}/kept`, { payload: null }],
    ['POST', `/v1/chat/states/bot/${scene.botId}/kept/expiry`, { expiry: 1000 }],
    ['DELETE', '/v1/tables/MadeTable', undefined],
  ] as const)
    expect(await call(method, path, body, headers), `${method} ${path}`).toMatchObject({
      status: 503,
    })
  expect(
    await count(
      `select count(*) from message where id = '${id}' and payload ->> 'text' = 'first'`,
    ),
  ).toBe(1)
  expect(
    await count(`select count(*) from state where name = 'kept' and expires_at is null`),
  ).toBe(1)
})

test('rejects only messages of the lost lease among messages that are written together', async () => {
  const lost = newId('worker')
  const texts = Array.from({ length: 30 }, () => newId('observation'))
  const fences = texts.map(
    (_, i) => [{ 'x-botstead-fence': fence }, { 'x-botstead-fence': lost }, {}][i % 3],
  )
  const answers = await Promise.all(
    texts.map((text, i) => call('POST', '/v1/chat/messages', message(text), fences[i])),
  )
  expect(answers.map(({ status }) => status)).toEqual(
    texts.map((_, i) => (i % 3 === 1 ? 503 : 201)),
  )
  for (const [i, text] of texts.entries())
    expect(await countWritten(text), `message ${i}`).toBe(i % 3 === 1 ? 0 : 1)
})

test('a take-over waits for a write that has passed the check, but renewing the lease does not', async () => {
  const { database } = scene.app.services
  const beat = async () => {
    const silent = {
      log: pino({ level: 'silent' }),
      leaseSeconds: 60,
      onLeaseLost() {},
      onLeaseReleased() {},
    }
    await (await startWorker(database, silent)).stop()
  }
  const isThere = () => count(`select count(*) from worker where id = '${fence}'`)
  await other.query('begin')
  await other.query('select require_workers(array[$1])', [fence])
  await database.run(
    'expire-one',
    "update worker set alive_until = '-infinity' where id = $1",
    [fence],
  )
  await beat()
  expect(await isThere()).toBe(1)
  await other.query('commit')
  await beat()
  expect(await isThere()).toBe(0)
})

test('ignores an outcome under a lost lease', async () => {
  await takeOver()
  // In one transaction, so that this server does not claim the lane.
  await scene.app.services.database.inTransaction(async (database) => {
    const lane = newId('conversation')
    const run = (text: string, values: unknown[]) =>
      database.run(randomUUID(), text, values)
    await run(
      `with lane as (insert into lane (bot_id, key, owner, pending, last_number) values ($1, $2, $3, 1, 1))
       insert into delivery (bot_id, lane, number, id, kind, subject_id)
       values ($1, $2, 1, $4, 'event', 'evt_1')`,
      [scene.botId, lane, fence, newId('delivery')],
    )
    const store = createLaneStore(database)
    const [delivery] = await store.load(fence, { botId: scene.botId, lane }, '0', 1)
    const settled = (outcome: DeliveryOutcome) =>
      ({ delivery, outcome, attempts: 1, startedAt: new Date(), ms: 1 }) as Settled
    const remaining = () =>
      run('select attempts, dead_at from delivery where lane = $1', [lane])
    const owner = (id: string | null) =>
      run('update lane set owner = $2::text where key = $1', [lane, id])
    const failures: DeliveryOutcome[] = [
      { result: 'retry', reason: 'x' },
      { result: 'failed', reason: 'x' },
    ]
    // Until a new owner has claimed the lane, a success counts. A failure does not, because the
    // take-over may have caused it.
    for (const [now, outcomes] of [
      [fence, failures],
      [null, failures],
      ['another', [...failures, { result: 'done' } as DeliveryOutcome]],
    ] as const) {
      await owner(now)
      for (const outcome of outcomes)
        await recordOutcomes(database, fence, [settled(outcome)])
      await store.recordAttempt(settled({ result: 'retry', reason: 'x' }))
      expect(await remaining(), String(now)).toEqual([{ attempts: 0, dead_at: null }])
    }
    await owner(null)
    await recordOutcomes(database, fence, [settled({ result: 'done' })])
    expect(await remaining()).toEqual([])
  })
})

test('revokes the lease of a server that stops before its bots have ended', async () => {
  await createLaneStore(scene.app.services.database).release(fence, [], true)
  const answer = await call('POST', '/v1/chat/messages', message('late'), {
    'x-botstead-fence': fence,
  })
  expect(answer.status).toBe(503)
})
