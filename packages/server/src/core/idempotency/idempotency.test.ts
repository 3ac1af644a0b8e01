// POSTs with an Idempotency-Key: a single effect, replayed answers, the scope of a key, and
// rejected requests, which leave no key.

import { sha256 } from '@botstead/lib'
import { sql } from 'kysely'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { bindings } from '../../app/all-services.ts'
import { createKeyedResponses } from './keyed-responses.ts'
import { lookUpKey, removeOldKeys, storeResponse } from './keys.ts'
import { createBind } from './request-transaction.ts'

type Headers = Record<string, string>

let scene: RuntimeScene
let target: { userId: string; conversationId: string }
let chat: { id: string; headers: Headers; conversationId: string }
let count = 0
let key: string

beforeAll(async () => {
  scene = await openRuntimeScene()
  const { body: made } = await scene.call('POST', '/v1/chat/users', {
    headers: scene.asTg,
    body: { tags: { id: '1' } },
  })
  const { body: opened } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'dm', tags: { id: '1' } },
  })
  target = { userId: made.user.id, conversationId: opened.conversation.id }
  const user = await scene.chatUser()
  const { body } = await scene.call('POST', inChat('/conversations'), {
    headers: user.headers,
    body: {},
  })
  chat = { ...user, conversationId: body.conversation.id }
})
afterAll(() => scene?.close())
beforeEach(() => {
  key = `key-${++count}`
})

const db = () => scene.app.services.db
const inChat = (path: string) => `/chat/${scene.webhookId}${path}`
const post = async (url: string, headers: Headers, body: unknown, with_ = key) => {
  const reply = await scene.app.server.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'idempotency-key': with_ },
    payload: body as never,
  })
  return {
    status: reply.statusCode,
    text: reply.body,
    body: reply.json(),
    replayed: reply.headers['idempotency-replayed'],
    headers: reply.headers,
  }
}
const countRows = async (table: string) =>
  Number(
    (
      await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(
        db(),
      )
    ).rows[0]!.n,
  )
const keptKeys = () => countRows('idempotency_key')

type Scenario = [
  name: string,
  table: string,
  request: () => { url: string; headers: Headers; body: unknown; other: unknown },
]
const scenarios: Scenario[] = [
  [
    'runtime.createUser',
    'user',
    () => ({
      url: '/v1/chat/users',
      headers: scene.asTg,
      body: { tags: {} },
      other: { tags: {}, name: 'Ann' },
    }),
  ],
  [
    'runtime.createConversation',
    'conversation',
    () => ({
      url: '/v1/chat/conversations',
      headers: scene.asTg,
      body: { channel: 'dm', tags: {} },
      other: { channel: 'dm', tags: { room: 'b' } },
    }),
  ],
  [
    'runtime.createMessage',
    'message',
    () => ({
      url: '/v1/chat/messages',
      headers: scene.asTg,
      body: toMessage('a'),
      other: toMessage('b'),
    }),
  ],
  [
    'runtime.createEvent',
    'event',
    () => ({
      url: '/v1/chat/events',
      headers: scene.asTg,
      body: { type: 'added', payload: { content: 'a' } },
      other: { type: 'added', payload: { content: 'b' } },
    }),
  ],
  [
    'chat.createUser',
    'user',
    () => ({ url: inChat('/users'), headers: {}, body: {}, other: { name: 'Ann' } }),
  ],
  [
    'chat.createConversation',
    'conversation',
    () => ({
      url: inChat('/conversations'),
      headers: chat.headers,
      body: {},
      other: { id: `mine-${count}` },
    }),
  ],
  [
    'chat.createMessage',
    'message',
    () => ({
      url: inChat('/messages'),
      headers: chat.headers,
      body: toChatMessage('a'),
      other: toChatMessage('b'),
    }),
  ],
  [
    'chat.createEvent',
    'event',
    () => ({
      url: inChat('/events'),
      headers: chat.headers,
      body: { conversationId: chat.conversationId, payload: { a: 1 } },
      other: { conversationId: chat.conversationId, payload: { a: 2 } },
    }),
  ],
  [
    'admin.createBot',
    'bot',
    () => ({
      url: '/v1/admin/bots',
      headers: scene.admin,
      body: { name: 'a' },
      other: { name: 'b' },
    }),
  ],
  [
    'admin.createWorkspace',
    'workspace',
    () => ({
      url: '/v1/admin/workspaces',
      headers: scene.admin,
      body: { name: 'a' },
      other: { name: 'b' },
    }),
  ],
  [
    'admin.createBotApiKey',
    'token',
    () => ({
      url: '/v1/admin/bots/baks',
      headers: scene.admin,
      body: { botId: scene.botId },
      other: { botId: scene.botId, note: 'b' },
    }),
  ],
  [
    'admin.createPersonalAccessToken',
    'token',
    () => ({
      url: '/v1/admin/account/pats',
      headers: scene.admin,
      body: { note: 'a' },
      other: { note: 'b' },
    }),
  ],
]
const toMessage = (text: string) => ({
  ...target,
  type: 'text',
  tags: {},
  payload: { text },
})
const toChatMessage = (text: string) => ({
  conversationId: chat.conversationId,
  payload: { type: 'text', text },
})

describe.each(scenarios)('%s', (_, table, request) => {
  test('performs the request once and replays its first answer', async () => {
    const { url, headers, body } = request()
    const before = await countRows(table)
    const first = await post(url, headers, body)
    expect([first.status < 300, first.replayed]).toEqual([true, undefined])
    const added = (await countRows(table)) - before
    expect(added).toBeGreaterThan(0)
    for (let i = 0; i < 3; i++)
      expect(await post(url, headers, body)).toMatchObject({
        status: first.status,
        text: first.text,
        replayed: 'true',
      })
    expect((await countRows(table)) - before).toBe(added)
  })

  test('performs ten concurrent copies once', async () => {
    const { url, headers, body } = request()
    const before = await countRows(table)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(url, headers, body)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === undefined)).toHaveLength(1)
    expect((await countRows(table)) - before).toBe(1)
  })

  test('rejects the key with other content, without an effect', async () => {
    const { url, headers, body, other } = request()
    const first = await post(url, headers, body)
    const before = await countRows(table)
    expect(await post(url, headers, other)).toMatchObject({
      status: 409,
      body: { type: 'RelationConflict' },
    })
    expect(await countRows(table)).toBe(before)
    expect((await post(url, headers, body)).text).toBe(first.text)
  })

  test('performs the request again with another key or none', async () => {
    const { url, headers, body } = request()
    const before = await countRows(table)
    const answers = [
      await post(url, headers, body),
      await post(url, headers, body, `${key}-b`),
    ]
    const unkeyed = await scene.call('POST', url, { headers, body })
    expect(answers.map(({ replayed }) => replayed)).toEqual([undefined, undefined])
    expect(
      new Set([
        ...answers.map(({ body }) => JSON.stringify(body)),
        JSON.stringify(unkeyed.body),
      ]).size,
    ).toBe(3)
    expect((await countRows(table)) - before).toBe(3)
  })
})

describe('scope of a key', () => {
  const newUser = (headers: Headers, with_ = key) =>
    post('/v1/chat/users', headers, { tags: {} }, with_)

  test('each integration, bot and account has its own keys', async () => {
    const { body } = await scene.call('POST', '/v1/admin/bots/baks', {
      headers: scene.admin,
      body: { botId: scene.botId },
    })
    const asKey = { ...scene.asBot, authorization: `Bearer ${body.value}` }
    const { asTg, asOther, asStranger, asBot } = scene
    const callers = Object.entries({ asTg, asOther, asStranger, asBot, asKey })
    const answers = []
    for (const [, headers] of callers) answers.push(await newUser(headers))
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(
      callers.map(() => [201, undefined]),
    )
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(callers.length)
    for (const [i, [name, headers]] of callers.entries())
      expect((await newUser(headers)).text, name).toBe(answers[i]!.text)
  })

  test('another token of the same caller shares the keys', async () => {
    const first = await newUser(scene.asTg)
    const { body } = await scene.call('POST', '/v1/admin/account/pats', {
      headers: scene.admin,
      body: { note: 'new' },
    })
    expect(
      await newUser({ ...scene.asTg, authorization: `Bearer ${body.pat.value}` }),
    ).toMatchObject({
      text: first.text,
      replayed: 'true',
    })
  })

  test('each user of a chat has their own keys', async () => {
    const other = await scene.chatUser()
    const own = await post(inChat('/conversations'), chat.headers, {})
    expect(await post(inChat('/conversations'), other.headers, {})).toMatchObject({
      status: 201,
      replayed: undefined,
    })
    expect((await post(inChat('/conversations'), chat.headers, {})).text).toBe(own.text)
  })

  test('separates callers without an identity by address', async () => {
    const from = (remoteAddress: string) =>
      scene.app.server.inject({
        method: 'POST',
        url: inChat('/users'),
        headers: { 'idempotency-key': key },
        payload: {},
        remoteAddress,
      })
    const first = await from('192.0.2.1')
    expect((await from('192.0.2.1')).body).toBe(first.body)
    expect((await from('192.0.2.2')).json().user.id).not.toBe(first.json().user.id)
  })

  test('each operation has its own keys', async () => {
    const one = await newUser(scene.asTg)
    const other = await post('/v1/chat/users/get-or-create', scene.asTg, { tags: {} })
    expect([other.status, other.replayed]).toEqual([200, undefined])
    expect(one.body.user.id).not.toBe(other.body.user.id)
  })

  test('authenticates the caller of a replay', async () => {
    await newUser(scene.asTg)
    expect(
      (await newUser({ ...scene.asTg, authorization: 'Bearer nonsense' })).status,
    ).toBe(401)
  })
})

describe('comparison of requests', () => {
  test('treats the same object in another key order as the same request', async () => {
    const first = await post('/v1/chat/users', scene.asTg, {
      name: 'Ann',
      tags: { id: `${key}-1` },
    })
    const { body } = { body: { tags: { id: `${key}-1` }, name: 'Ann' } }
    expect((await post('/v1/chat/users/', scene.asTg, body)).text).toBe(first.text)
  })

  test.each<[string, unknown, unknown]>([
    [
      'a list in another order',
      { payload: { list: [1, 2] } },
      { payload: { list: [2, 1] } },
    ],
    [
      'an object and the list of its pairs',
      { payload: { a: { b: 1 } } },
      { payload: { a: [['b', 1]] } },
    ],
    ['a number and its text', { payload: { a: 1 } }, { payload: { a: '1' } }],
    ['absent and null', { payload: {} }, { payload: { a: null } }],
  ])('treats %s as different requests', async (_, one, other) => {
    const body = { conversationId: chat.conversationId }
    expect(
      (await post(inChat('/events'), chat.headers, { ...body, ...(one as object) }))
        .status,
    ).toBe(201)
    expect(
      (await post(inChat('/events'), chat.headers, { ...body, ...(other as object) }))
        .status,
    ).toBe(409)
  })

  test('distinguishes requests by the ids in their path', async () => {
    const invite = (id: string) =>
      post(`/v1/chat/conversations/${id}/participants`, scene.asTg, {
        userId: target.userId,
      })
    const { body } = await scene.call('POST', '/v1/chat/conversations', {
      headers: scene.asTg,
      body: { channel: 'dm', tags: {} },
    })
    expect((await invite(target.conversationId)).status).toBe(200)
    expect((await invite(body.conversation.id)).status).toBe(409)
  })
})

describe('rejected requests keep no key', () => {
  test.each<[string, number, () => Promise<{ status: number }>]>([
    ['an invalid body', 400, () => post('/v1/chat/users', scene.asTg, { tags: 1 })],
    [
      'no credentials',
      401,
      () => post('/v1/chat/users', { 'x-bot-id': scene.botId }, { tags: {} }),
    ],
    [
      'a missing conversation',
      404,
      () =>
        post('/v1/chat/messages', scene.asBot, {
          ...toMessage('a'),
          userId: scene.botId,
          conversationId: 'conv_01J0000000000000000000000X',
        }),
    ],
    [
      'a conversation of other users',
      403,
      () =>
        post(inChat('/messages'), chat.headers, {
          ...toChatMessage('a'),
          conversationId: 'nothing',
        }),
    ],
    [
      'an id that is taken',
      409,
      () => post(inChat('/conversations'), chat.headers, { id: 'taken' }),
    ],
    [
      'a body over the limit',
      413,
      () => post('/v1/chat/users', scene.asTg, { tags: { id: 'a'.repeat(1_100_000) } }),
    ],
  ])('%s', async (_, status, send) => {
    await scene.call('POST', inChat('/conversations'), {
      headers: chat.headers,
      body: { id: 'taken' },
    })
    const before = await keptKeys()
    expect((await send()).status).toBe(status)
    expect((await send()).status).toBe(status)
    expect(await keptKeys()).toBe(before)
  })

  test('performs the request with the same key after the cause of the rejection is removed', async () => {
    const send = () =>
      post('/v1/chat/messages', scene.asTg, { ...toMessage('a'), conversationId: later })
    let later = 'conv_01J0000000000000000000000X'
    expect((await send()).status).toBe(404)
    later = target.conversationId
    expect(await send()).toMatchObject({ status: 201, replayed: undefined })
  })

  test('rejects each of several concurrent copies', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        post('/v1/chat/messages', scene.asTg, {
          ...toMessage('a'),
          conversationId: 'conv_01J0000000000000000000000X',
        }),
      ),
    )
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(
      answers.map(() => [404, undefined]),
    )
  })

  test.each(['', ' ', 'a b', 'a\tb', 'ä', 'a'.repeat(256), 'one, two'])(
    'rejects the key %j',
    async (bad) => {
      expect(await post('/v1/chat/users', scene.asTg, { tags: {} }, bad)).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
    },
  )

  test.each(['a', 'a'.repeat(255), '"quoted"', '__proto__', '!~'])(
    'accepts the key %j',
    async (good) => {
      expect((await post('/v1/chat/users', scene.asTg, { tags: {} }, good)).status).toBe(
        201,
      )
    },
  )
})

describe('expiry', () => {
  const pass = (hours: string) =>
    sql`update idempotency_key set created_at = created_at - ${hours}::interval`.execute(
      db(),
    )
  const send = () => post('/v1/chat/users', scene.asTg, { tags: {} })

  test('replays an answer for 24 hours and no longer', async () => {
    const first = await send()
    await pass('23 hours 59 minutes')
    expect((await send()).text).toBe(first.text)
    await pass('2 minutes')
    const second = await send()
    expect([second.replayed, second.body.user.id === first.body.user.id]).toEqual([
      undefined,
      false,
    ])
    expect((await send()).text).toBe(second.text)
  })

  test('removes the rows of expired keys', async () => {
    await send()
    await pass('25 hours')
    const fresh = await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)
    await removeOldKeys(db())
    expect(await keptKeys()).toBe(1)
    expect(
      (await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)).text,
    ).toBe(fresh.text)
  })

  test('finds expired rows by an index', async () => {
    const rows = await db()
      .transaction()
      .execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx)
        return (
          await sql<{
            'QUERY PLAN': string
          }>`explain select ctid from idempotency_key k
            where k.created_at <= now() - interval '24 hours' order by k.created_at limit 5000`.execute(
            trx,
          )
        ).rows
      })
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain(
      'idempotency_key_created_at_idx',
    )
  })
})

describe('stored answers', () => {
  test('are encrypted in the database', async () => {
    const { body } = await post('/v1/admin/bots', scene.admin, { name: 'sealed' })
    const { body: bak } = await post('/v1/admin/bots/baks', scene.admin, {
      botId: scene.botId,
    })
    const { rows } = await sql<{
      all: string
    }>`select string_agg(encode(answer, 'escape') || row(k.*)::text, ' ') as all
      from idempotency_key k`.execute(db())
    for (const [name, secret] of Object.entries({
      'signing secret': body.bot.signingSecret,
      'bot key': bak.value,
      'bot id': body.bot.id,
      'idempotency key': key,
      'bot name': 'sealed',
    }))
      expect(rows[0]!.all, name).not.toContain(secret)
  })

  test('cannot be decrypted in another row', async () => {
    await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-a`)
    await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)
    await sql`update idempotency_key
      set answer = (select answer from idempotency_key order by created_at limit 1)`.execute(
      db(),
    )
    expect([
      (await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-a`)).status,
      (await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)).status,
    ]).toContain(500)
    await sql`delete from idempotency_key`.execute(db())
  })

  test('are deleted with their bot', async () => {
    const { body } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: {},
    })
    const inside = { ...scene.asBot, 'x-bot-id': body.bot.id }
    expect((await post('/v1/chat/users', inside, { tags: {} })).status).toBe(201)
    const kept = () =>
      sql`select 1 from idempotency_key where bot_id = ${body.bot.id}`.execute(db())
    expect((await kept()).rows).toHaveLength(1)
    await scene.call('DELETE', `/v1/admin/bots/${body.bot.id}`, { headers: scene.admin })
    expect((await kept()).rows).toHaveLength(0)
  })
})

describe('notifications', () => {
  test('reach listeners and the bot once', async () => {
    const published: string[] = []
    scene.app.services.signals.onPublished = (_bot, conversation, signals) =>
      void published.push(...signals().map(({ type }) => `${conversation} ${type}`))
    const before = scene.invoked.length
    for (let i = 0; i < 3; i++)
      await post('/v1/chat/messages', scene.asTg, toMessage('heard'))
    scene.app.services.signals.onPublished = null
    expect(published).toEqual([`${target.conversationId} message_created`])
    await expect.poll(() => scene.invoked.slice(before).length).toBe(1)
  })

  test('are not sent when the request is rolled back', async () => {
    const published: string[] = []
    scene.app.services.signals.onPublished = (_bot, conversation) =>
      void published.push(conversation)
    await unkept(async () => {
      const before = scene.invoked.length
      expect(
        (await post('/v1/chat/messages', scene.asTg, toMessage('lost'))).status,
      ).toBe(500)
      expect([published, scene.invoked.slice(before)]).toEqual([[], []])
    })
    scene.app.services.signals.onPublished = null
    expect((await post('/v1/chat/messages', scene.asTg, toMessage('lost'))).status).toBe(
      201,
    )
  })
})

/** Runs work while no answer can be stored. */
async function unkept(work: () => Promise<void>) {
  await sql`alter table idempotency_key add constraint full_up check (status is null) not valid`.execute(
    db(),
  )
  await work().finally(() =>
    sql`alter table idempotency_key drop constraint full_up`.execute(db()),
  )
}

describe('actions, whose handlers call the API', () => {
  const act = (x = 1, with_ = key) =>
    post('/v1/chat/actions', scene.asBot, { type: 'tg:add', input: { x } }, with_)
  const calls = () =>
    scene.invoked.filter(
      ({ headers }) => headers['x-bp-operation'] === 'action_triggered',
    ).length
  const row = async () =>
    (await db()
      .selectFrom('idempotency_key')
      .selectAll()
      .orderBy('created_at', 'desc')
      .executeTakeFirst())!
  beforeEach(async () => {
    await db().deleteFrom('idempotency_key').execute()
    scene.answerWith(({ body }) =>
      body.input ? { body: { output: { y: body.input.x + 1 } }, afterMs: 100 } : {},
    )
  })

  test('run once', async () => {
    const before = calls()
    const answers = [
      ...(await Promise.all(Array.from({ length: 10 }, () => act()))),
      await act(),
    ]
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"output":{"y":2},"meta":{"cached":false}}']),
    )
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(calls() - before).toBe(1)
    expect((await act(2)).status).toBe(409)
  })

  test('hold no transaction while the handler runs', async () => {
    scene.answerWith(() => ({ body: { output: { y: 2 } }, afterMs: 1_000 }))
    const before = calls()
    let isRunning = true
    const done = act().finally(() => (isRunning = false))
    await expect.poll(calls).toBe(before + 1)
    // Repeats, because background jobs also open transactions, for a few milliseconds.
    const held = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(
        db(),
      )
      return isRunning ? rows : 'the handler ended'
    }
    await expect.poll(held, { interval: 10 }).toEqual([])
    expect((await done).status).toBe(200)
  })

  test('keep no key when they fail', async () => {
    scene.answerWith(() => ({
      status: 500,
      body: { code: 500, type: 'Internal', id: 'err_1', message: 'no' },
    }))
    expect((await act()).status).toBe(400)
    expect(await keptKeys()).toBe(0)
    scene.answerWith(() => ({ body: { output: { y: 5 } } }))
    expect(await act()).toMatchObject({ status: 200, replayed: undefined })
  })

  test('run again after their worker has died, but not while it is alive', async () => {
    await act()
    await sql`update idempotency_key set owner = 'worker_other', status = null, answer = null`.execute(
      db(),
    )
    await sql`insert into worker (id, host, pid, alive_until)
      values ('worker_other', 'elsewhere', 1, now() + interval '1 minute')`.execute(db())
    const before = calls()
    const waiting = act()
    expect(
      await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(resolve, 500, 'waits')),
      ]),
    ).toBe('waits')
    expect(calls()).toBe(before)
    await sql`update worker set alive_until = now() - interval '1 second' where id = 'worker_other'`.execute(
      db(),
    )
    expect(await waiting).toMatchObject({ status: 200, replayed: undefined })
    expect(calls()).toBe(before + 1)
    expect(await row()).toMatchObject({ owner: null, status: 200 })
    expect((await act()).replayed).toBe('true')
  })

  test('of a dead worker still reject other content', async () => {
    await act()
    await sql`update idempotency_key set owner = 'worker_gone', status = null, answer = null`.execute(
      db(),
    )
    expect((await act(2)).status).toBe(409)
  })
})

describe('while another request holds the key', () => {
  const keyedRequest = () => ({ botId: '', id: sha256(key), request: sha256('a') })
  const answering = (timeoutMs: number) =>
    createKeyedResponses({
      services: () => scene.app.services,
      bind: createBind(bindings),
      workerId: () => 'worker_here',
      timeoutMs,
    })
  const impatient = () => answering(300)
  const never = () => Promise.reject(new Error('this work must not run'))

  test('rejects a copy with ResourceLockedConflict while another process holds the key', async () => {
    const { id } = keyedRequest()
    await scene.app.services.database.inTransaction(async (inside) => {
      await lookUpKey(inside, scene.app.services.secrets, keyedRequest())
      await expect(
        impatient().respond('runtime.createUser', keyedRequest(), never),
      ).rejects.toMatchObject({
        type: 'ResourceLockedConflict',
      })
    })
    expect(
      await answering(15_000).respond('runtime.createUser', keyedRequest(), async () => ({
        status: 201,
        body: '{}',
      })),
    ).toMatchObject({ replayed: false })
    expect(id).toHaveLength(32)
  })

  test('rejects a copy with ResourceLockedConflict after waiting too long in the same process', async () => {
    const answers = impatient()
    let end = (_answer: { status: number; body: string }) => {}
    const first = answers.respond(
      'runtime.callAction',
      keyedRequest(),
      () => new Promise((resolve) => (end = resolve)),
    )
    await expect(
      answers.respond('runtime.callAction', keyedRequest(), never),
    ).rejects.toMatchObject({
      type: 'ResourceLockedConflict',
    })
    end({ status: 200, body: '{"a":1}' })
    expect(await first).toEqual({ status: 200, body: '{"a":1}', replayed: false })
  })

  test('sends a Retry-After header with the rejection', async () => {
    const { keyedResponses } = scene.app.services
    scene.app.services.keyedResponses = impatient()
    const first = post('/v1/chat/actions', scene.asBot, {
      type: 'tg:add',
      input: { x: 1 },
    })
    scene.answerWith(() => ({ body: { output: {} }, afterMs: 1_000 }))
    const twin = await post('/v1/chat/actions', scene.asBot, {
      type: 'tg:add',
      input: { x: 1 },
    })
    scene.app.services.keyedResponses = keyedResponses
    expect(twin).toMatchObject({
      status: 409,
      body: { type: 'ResourceLockedConflict' },
      headers: { 'retry-after': '1' },
    })
    expect((await first).status).toBe(200)
  })

  test('returns the answer of another process that was faster, and rolls back its own work', async () => {
    const { database, secrets } = scene.app.services
    let tries = 0
    const result = await answering(15_000).respond(
      'runtime.createUser',
      keyedRequest(),
      async ({ db }) => {
        tries++
        await sql`insert into workspace (id, name) values (${`late-${key}`}, '')`.execute(
          db,
        )
        await storeResponse(database, secrets, keyedRequest(), {
          status: 201,
          body: '{"first":true}',
        })
        return { status: 201, body: '{}' }
      },
    )
    const { rows } =
      await sql`select 1 from workspace where id = ${`late-${key}`}`.execute(db())
    expect([tries, result, rows]).toEqual([
      1,
      { status: 201, body: '{"first":true}', replayed: true },
      [],
    ])
  })

  test('repeats work that the database rolled back for a deadlock', async () => {
    let tries = 0
    const result = await answering(15_000).respond(
      'runtime.createUser',
      keyedRequest(),
      async ({ db }) => {
        await sql`insert into workspace (id, name) values (${`deadlock-${key}-${++tries}`}, '')`.execute(
          db,
        )
        if (tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' })
        return { status: 201, body: '{}' }
      },
    )
    const { rows } = await sql<{
      id: string
    }>`select id from workspace where id like ${`deadlock-${key}-%`}`.execute(db())
    expect([result.status, rows]).toEqual([201, [{ id: `deadlock-${key}-3` }]])
  })
})

describe('background tasks', () => {
  const taskNames = ['tableJobs', 'computing', 'indexer', 'websites'] as const

  test('look for new rows after the commit', async () => {
    const url = '/v1/platform/knowledge-sources'
    const { body } = await scene.call('POST', '/v1/files/knowledge-bases', {
      headers: scene.asBot,
      body: { name: key },
    })
    const visible: Promise<number>[] = []
    const soon = vi.spyOn(scene.app.services.websites, 'soon').mockImplementation(() => {
      visible.push(countSources())
    })
    onTestFinished(() => soon.mockRestore())
    const countSources = async () => {
      const { rows } = await sql<{
        count: string
      }>`select count(*) from knowledge_source`.execute(db())
      return Number(rows[0]!.count)
    }
    const source = {
      knowledgeBaseId: body.knowledgeBase.id,
      type: 'page',
      url: 'http://127.0.0.1:9/',
    }
    expect((await post(url, scene.asBot, source)).status).toBe(201)
    expect(await Promise.all(visible)).toEqual([1])
  })

  test('look for a file to index after the commit', async () => {
    const contentType = { 'content-type': 'text/plain' }
    const { body } = await scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: { key: `${key}.txt`, size: 4, contentType: 'text/plain', index: true },
    })
    const { pathname, search } = new URL(body.file.uploadUrl)
    const address = `${await scene.listen()}${pathname}${search}`
    await fetch(address, { method: 'PUT', headers: contentType, body: 'text' })
    const findStatus = async () =>
      (await db()
        .selectFrom('file')
        .select('status')
        .where('id', '=', body.file.id)
        .executeTakeFirst())!.status
    await expect.poll(findStatus).toBe('indexing_completed')
    const visible: Promise<string>[] = []
    const soon = vi.spyOn(scene.app.services.indexer, 'soon').mockImplementation(() => {
      visible.push(findStatus())
    })
    onTestFinished(() => soon.mockRestore())
    const path = `/v1/platform/files/${body.file.id}/index`
    expect((await post(path, scene.asBot, {})).status).toBe(200)
    expect(await Promise.all(visible)).toEqual(['indexing_pending'])
  })

  test.each(taskNames)('are not called if the request fails: %s', async (name) => {
    const soon = vi.spyOn(scene.app.services[name], 'soon')
    onTestFinished(() => soon.mockRestore())
    await expect(
      scene.app.services.inTransaction(async (inside) => {
        inside[name].soon()
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(soon).not.toHaveBeenCalled()
  })
})

describe('browsers', () => {
  test('may send the key header and read the replay header', async () => {
    const origin = 'https://elsewhere.example'
    const preflight = await scene.app.server.inject({
      method: 'OPTIONS',
      url: inChat('/users'),
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,idempotency-key',
      },
    })
    expect(preflight.headers['access-control-allow-headers']).toContain('idempotency-key')
    const { headers } = await post(inChat('/users'), { origin }, {})
    expect(headers['access-control-expose-headers']).toContain('idempotency-replayed')
  })
})
