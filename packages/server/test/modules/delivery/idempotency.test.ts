// POSTs with an Idempotency-Key: what is done once, what is said again, whose keys they are, and what leaves nothing behind.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../../src/infra/lib/secrets.ts'
import { keyedAnswers } from '../../../src/modules/delivery/idempotency/keyed-answers.ts'
import { keepAnswer, lookUpKey, removeOldKeys } from '../../../src/modules/delivery/idempotency/keys.ts'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'

type Headers = Record<string, string>

let scene: RuntimeScene
let place: { userId: string; conversationId: string }
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
  place = { userId: made.user.id, conversationId: opened.conversation.id }
  const user = await scene.chatUser()
  const { body } = await scene.call('POST', inChat('/conversations'), { headers: user.headers, body: {} })
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
const rowsOf = async (table: string) =>
  Number((await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db())).rows[0]!.n)
const keptKeys = () => rowsOf('idempotency_key')

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
    () => ({ url: '/v1/chat/messages', headers: scene.asTg, body: said('a'), other: said('b') }),
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
    () => ({ url: inChat('/messages'), headers: chat.headers, body: chatted('a'), other: chatted('b') }),
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
    () => ({ url: '/v1/admin/bots', headers: scene.admin, body: { name: 'a' }, other: { name: 'b' } }),
  ],
  [
    'admin.createWorkspace',
    'workspace',
    () => ({ url: '/v1/admin/workspaces', headers: scene.admin, body: { name: 'a' }, other: { name: 'b' } }),
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
const said = (text: string) => ({ ...place, type: 'text', tags: {}, payload: { text } })
const chatted = (text: string) => ({ conversationId: chat.conversationId, payload: { type: 'text', text } })

describe.each(scenarios)('%s', (_, table, request) => {
  test('is done once, and answered as at first', async () => {
    const { url, headers, body } = request()
    const before = await rowsOf(table)
    const first = await post(url, headers, body)
    expect([first.status < 300, first.replayed]).toEqual([true, undefined])
    const added = (await rowsOf(table)) - before
    expect(added).toBeGreaterThan(0)
    for (let i = 0; i < 3; i++)
      expect(await post(url, headers, body)).toMatchObject({
        status: first.status,
        text: first.text,
        replayed: 'true',
      })
    expect((await rowsOf(table)) - before).toBe(added)
  })

  test('ten at a time are one', async () => {
    const { url, headers, body } = request()
    const before = await rowsOf(table)
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(url, headers, body)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === undefined)).toHaveLength(1)
    expect((await rowsOf(table)) - before).toBe(1)
  })

  test('refuses the key for another content, and does nothing then', async () => {
    const { url, headers, body, other } = request()
    const first = await post(url, headers, body)
    const before = await rowsOf(table)
    expect(await post(url, headers, other)).toMatchObject({ status: 409, body: { type: 'RelationConflict' } })
    expect(await rowsOf(table)).toBe(before)
    expect((await post(url, headers, body)).text).toBe(first.text)
  })

  test('is done anew with another key, or none', async () => {
    const { url, headers, body } = request()
    const before = await rowsOf(table)
    const answers = [await post(url, headers, body), await post(url, headers, body, `${key}-b`)]
    const unkeyed = await scene.call('POST', url, { headers, body })
    expect(answers.map(({ replayed }) => replayed)).toEqual([undefined, undefined])
    expect(
      new Set([...answers.map(({ body }) => JSON.stringify(body)), JSON.stringify(unkeyed.body)]).size,
    ).toBe(3)
    expect((await rowsOf(table)) - before).toBe(3)
  })
})

describe('whose key it is', () => {
  const newUser = (headers: Headers, with_ = key) => post('/v1/chat/users', headers, { tags: {} }, with_)

  test('each integration, bot and account has its own', async () => {
    const { body } = await scene.call('POST', '/v1/admin/bots/baks', {
      headers: scene.admin,
      body: { botId: scene.botId },
    })
    const asKey = { ...scene.asBot, authorization: `Bearer ${body.value}` }
    const callers = [scene.asTg, scene.asOther, scene.asStranger, scene.asBot, asKey]
    const answers = []
    for (const headers of callers) answers.push(await newUser(headers))
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(
      callers.map(() => [201, undefined]),
    )
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(callers.length)
    for (const [i, headers] of callers.entries()) expect((await newUser(headers)).text).toBe(answers[i]!.text)
  })

  test('another token of the same caller is the same caller', async () => {
    const first = await newUser(scene.asTg)
    const { body } = await scene.call('POST', '/v1/admin/account/pats', {
      headers: scene.admin,
      body: { note: 'new' },
    })
    expect(await newUser({ ...scene.asTg, authorization: `Bearer ${body.pat.value}` })).toMatchObject({
      text: first.text,
      replayed: 'true',
    })
  })

  test('each user of a chat has their own', async () => {
    const other = await scene.chatUser()
    const own = await post(inChat('/conversations'), chat.headers, {})
    expect(await post(inChat('/conversations'), other.headers, {})).toMatchObject({
      status: 201,
      replayed: undefined,
    })
    expect((await post(inChat('/conversations'), chat.headers, {})).text).toBe(own.text)
  })

  test('who has no name yet is told apart by address', async () => {
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

  test('each operation has its own', async () => {
    const one = await newUser(scene.asTg)
    const other = await post('/v1/chat/users/get-or-create', scene.asTg, { tags: {} })
    expect([other.status, other.replayed]).toEqual([200, undefined])
    expect(one.body.user.id).not.toBe(other.body.user.id)
  })

  test('a replay asks again who calls', async () => {
    await newUser(scene.asTg)
    expect((await newUser({ ...scene.asTg, authorization: 'Bearer nonsense' })).status).toBe(401)
  })
})

describe('what the same request is', () => {
  test('the same object in another order', async () => {
    const first = await post('/v1/chat/users', scene.asTg, { name: 'Ann', tags: { id: `${key}-1` } })
    const { body } = { body: { tags: { id: `${key}-1` }, name: 'Ann' } }
    expect((await post('/v1/chat/users/', scene.asTg, body)).text).toBe(first.text)
  })

  test.each<[string, unknown, unknown]>([
    ['a list in another order', { payload: { list: [1, 2] } }, { payload: { list: [2, 1] } }],
    ['an object and the list of its pairs', { payload: { a: { b: 1 } } }, { payload: { a: [['b', 1]] } }],
    ['a number and its text', { payload: { a: 1 } }, { payload: { a: '1' } }],
    ['absent and null', { payload: {} }, { payload: { a: null } }],
  ])('not %s', async (_, one, other) => {
    const body = { conversationId: chat.conversationId }
    expect((await post(inChat('/events'), chat.headers, { ...body, ...(one as object) })).status).toBe(201)
    expect((await post(inChat('/events'), chat.headers, { ...body, ...(other as object) })).status).toBe(409)
  })

  test('not that of another thing in the address', async () => {
    const invite = (id: string) =>
      post(`/v1/chat/conversations/${id}/participants`, scene.asTg, { userId: place.userId })
    const { body } = await scene.call('POST', '/v1/chat/conversations', {
      headers: scene.asTg,
      body: { channel: 'dm', tags: {} },
    })
    expect((await invite(place.conversationId)).status).toBe(200)
    expect((await invite(body.conversation.id)).status).toBe(409)
  })
})

describe('what is refused leaves nothing', () => {
  test.each<[string, number, () => Promise<{ status: number }>]>([
    ['an invalid body', 400, () => post('/v1/chat/users', scene.asTg, { tags: 1 })],
    ['nobody', 401, () => post('/v1/chat/users', { 'x-bot-id': scene.botId }, { tags: {} })],
    [
      'no such conversation',
      404,
      () =>
        post('/v1/chat/messages', scene.asBot, {
          ...said('a'),
          userId: scene.botId,
          conversationId: 'conv_01J0000000000000000000000X',
        }),
    ],
    [
      'somebody else',
      403,
      () => post(inChat('/messages'), chat.headers, { ...chatted('a'), conversationId: 'nothing' }),
    ],
    ['a name that is taken', 409, () => post(inChat('/conversations'), chat.headers, { id: 'taken' })],
    ['too much', 413, () => post('/v1/chat/users', scene.asTg, { tags: { id: 'a'.repeat(1_100_000) } })],
  ])('%s', async (_, status, ask) => {
    await scene.call('POST', inChat('/conversations'), { headers: chat.headers, body: { id: 'taken' } })
    const before = await keptKeys()
    expect((await ask()).status).toBe(status)
    expect((await ask()).status).toBe(status)
    expect(await keptKeys()).toBe(before)
  })

  test('and the same key does it when nothing is in the way any more', async () => {
    const ask = () => post('/v1/chat/messages', scene.asTg, { ...said('a'), conversationId: later })
    let later = 'conv_01J0000000000000000000000X'
    expect((await ask()).status).toBe(404)
    later = place.conversationId
    expect(await ask()).toMatchObject({ status: 201, replayed: undefined })
  })

  test('twins of a refused request are refused each for itself', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        post('/v1/chat/messages', scene.asTg, {
          ...said('a'),
          conversationId: 'conv_01J0000000000000000000000X',
        }),
      ),
    )
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(
      answers.map(() => [404, undefined]),
    )
  })

  test.each(['', ' ', 'a b', 'a\tb', 'ä', 'a'.repeat(256), 'one, two'])('the key %j', async (bad) => {
    expect(await post('/v1/chat/users', scene.asTg, { tags: {} }, bad)).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    })
  })

  test.each(['a', 'a'.repeat(255), '"quoted"', '__proto__', '!~'])('but not the key %j', async (good) => {
    expect((await post('/v1/chat/users', scene.asTg, { tags: {} }, good)).status).toBe(201)
  })
})

describe('a day later', () => {
  const pass = (hours: string) =>
    sql`update idempotency_key set created_at = created_at - ${hours}::interval`.execute(db())
  const ask = () => post('/v1/chat/users', scene.asTg, { tags: {} })

  test('an answer is given for 24 hours and no longer', async () => {
    const first = await ask()
    await pass('23 hours 59 minutes')
    expect((await ask()).text).toBe(first.text)
    await pass('2 minutes')
    const second = await ask()
    expect([second.replayed, second.body.user.id === first.body.user.id]).toEqual([undefined, false])
    expect((await ask()).text).toBe(second.text)
  })

  test('and its row goes', async () => {
    await ask()
    await pass('25 hours')
    const fresh = await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)
    await removeOldKeys(db())
    expect(await keptKeys()).toBe(1)
    expect((await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)).text).toBe(fresh.text)
  })

  test('which an index finds', async () => {
    const rows = await db()
      .transaction()
      .execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx)
        return (
          await sql<{
            'QUERY PLAN': string
          }>`explain select ctid from idempotency_key k where k.created_at <= now() - interval '24 hours' order by k.created_at limit 5000`.execute(
            trx,
          )
        ).rows
      })
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('idempotency_key_created_at_idx')
  })
})

describe('what is kept', () => {
  test('cannot be read in the database', async () => {
    const { body } = await post('/v1/admin/bots', scene.admin, { name: 'sealed' })
    const { body: bak } = await post('/v1/admin/bots/baks', scene.admin, { botId: scene.botId })
    const { rows } = await sql<{
      all: string
    }>`select string_agg(encode(answer, 'escape') || row(k.*)::text, ' ') as all from idempotency_key k`.execute(
      db(),
    )
    for (const secret of [body.bot.signingSecret, bak.value, body.bot.id, key, 'sealed'])
      expect(rows[0]!.all).not.toContain(secret)
  })

  test('does not open in another place', async () => {
    await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-a`)
    await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)
    await sql`update idempotency_key set answer = (select answer from idempotency_key order by created_at limit 1)`.execute(
      db(),
    )
    expect([
      (await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-a`)).status,
      (await post('/v1/chat/users', scene.asTg, { tags: {} }, `${key}-b`)).status,
    ]).toContain(500)
    await sql`delete from idempotency_key`.execute(db())
  })

  test('goes with its bot', async () => {
    const { body } = await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: {} })
    const inside = { ...scene.asBot, 'x-bot-id': body.bot.id }
    expect((await post('/v1/chat/users', inside, { tags: {} })).status).toBe(201)
    const kept = () => sql`select 1 from idempotency_key where bot_id = ${body.bot.id}`.execute(db())
    expect((await kept()).rows).toHaveLength(1)
    await scene.call('DELETE', `/v1/admin/bots/${body.bot.id}`, { headers: scene.admin })
    expect((await kept()).rows).toHaveLength(0)
  })
})

describe('what others hear', () => {
  test('once: listeners, the bot, and who waits for the commit', async () => {
    const published: string[] = []
    scene.app.services.signals.onPublished = (_bot, conversation, signal) =>
      void published.push(`${conversation} ${signal().type}`)
    const before = scene.invoked.length
    for (let i = 0; i < 3; i++) await post('/v1/chat/messages', scene.asTg, said('heard'))
    scene.app.services.signals.onPublished = null
    expect(published).toEqual([`${place.conversationId} message_created`])
    await expect.poll(() => scene.invoked.slice(before).length).toBe(1)
  })

  test('nothing, when it is undone', async () => {
    const published: string[] = []
    scene.app.services.signals.onPublished = (_bot, conversation) => void published.push(conversation)
    await unkept(async () => {
      const before = scene.invoked.length
      expect((await post('/v1/chat/messages', scene.asTg, said('lost'))).status).toBe(500)
      expect([published, scene.invoked.slice(before)]).toEqual([[], []])
    })
    scene.app.services.signals.onPublished = null
    expect((await post('/v1/chat/messages', scene.asTg, said('lost'))).status).toBe(201)
  })
})

/** While no answer can be kept. */
async function unkept(work: () => Promise<void>) {
  await sql`alter table idempotency_key add constraint full_up check (status is null) not valid`.execute(db())
  await work().finally(() => sql`alter table idempotency_key drop constraint full_up`.execute(db()))
}

describe('actions, whose code calls back', () => {
  const act = (x = 1, with_ = key) =>
    post('/v1/chat/actions', scene.asBot, { type: 'tg:add', input: { x } }, with_)
  const calls = () =>
    scene.invoked.filter(({ headers }) => headers['x-bp-operation'] === 'action_triggered').length
  const row = async () =>
    (await db().selectFrom('idempotency_key').selectAll().orderBy('created_at', 'desc').executeTakeFirst())!
  beforeEach(async () => {
    await db().deleteFrom('idempotency_key').execute()
    scene.answerWith(({ body }) =>
      body.input ? { body: { output: { y: body.input.x + 1 } }, afterMs: 100 } : {},
    )
  })

  test('are performed once', async () => {
    const before = calls()
    const answers = [...(await Promise.all(Array.from({ length: 10 }, () => act()))), await act()]
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"output":{"y":2},"meta":{"cached":false}}']),
    )
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(calls() - before).toBe(1)
    expect((await act(2)).status).toBe(409)
  })

  test('hold no transaction while the code runs', async () => {
    const before = calls()
    const done = act()
    await expect.poll(calls).toBe(before + 1)
    const { rows } =
      await sql`select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
        db(),
      )
    expect(rows).toEqual([])
    expect((await done).status).toBe(200)
  })

  test('leave nothing when they fail', async () => {
    scene.answerWith(() => ({
      status: 500,
      body: { code: 500, type: 'Internal', id: 'err_1', message: 'no' },
    }))
    expect((await act()).status).toBe(400)
    expect(await keptKeys()).toBe(0)
    scene.answerWith(() => ({ body: { output: { y: 5 } } }))
    expect(await act()).toMatchObject({ status: 200, replayed: undefined })
  })

  test('are done again when the worker that was at it is dead, and by nobody else while it lives', async () => {
    await act()
    await sql`update idempotency_key set owner = 'worker_other', status = null, answer = null`.execute(db())
    await sql`insert into worker (id, host, pid, alive_until) values ('worker_other', 'elsewhere', 1, now() + interval '1 minute')`.execute(
      db(),
    )
    const before = calls()
    const waiting = act()
    expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 500, 'waits'))])).toBe(
      'waits',
    )
    expect(calls()).toBe(before)
    await sql`update worker set alive_until = now() - interval '1 second' where id = 'worker_other'`.execute(
      db(),
    )
    expect(await waiting).toMatchObject({ status: 200, replayed: undefined })
    expect(calls()).toBe(before + 1)
    expect(await row()).toMatchObject({ owner: null, status: 200 })
    expect((await act()).replayed).toBe('true')
  })

  test('of a dead worker with another content stay refused', async () => {
    await act()
    await sql`update idempotency_key set owner = 'worker_gone', status = null, answer = null`.execute(db())
    expect((await act(2)).status).toBe(409)
  })
})

describe('while another is at it', () => {
  const asked = () => ({ botId: '', id: sha256(key), request: sha256('a') })
  const answering = (patienceMs: number) =>
    keyedAnswers({ services: () => scene.app.services, workerId: () => 'worker_here', patienceMs })
  const impatient = () => answering(300)
  const never = () => Promise.reject(new Error('nobody may do this'))

  test('in another process, a twin is told to come back', async () => {
    const { id } = asked()
    await scene.app.services.database.inOneTransaction(async (inside) => {
      await lookUpKey(inside, scene.app.services.secrets, asked())
      await expect(impatient().answer('runtime.createUser', asked(), never)).rejects.toMatchObject({
        type: 'ResourceLockedConflict',
      })
    })
    expect(
      await answering(15_000).answer('runtime.createUser', asked(), async () => ({
        status: 201,
        body: '{}',
      })),
    ).toMatchObject({ replayed: false })
    expect(id).toHaveLength(32)
  })

  test('in this process, a twin that waits too long is told to come back', async () => {
    const answers = impatient()
    let end = (_answer: { status: number; body: string }) => {}
    const first = answers.answer(
      'runtime.callAction',
      asked(),
      () => new Promise((resolve) => (end = resolve)),
    )
    await expect(answers.answer('runtime.callAction', asked(), never)).rejects.toMatchObject({
      type: 'ResourceLockedConflict',
    })
    end({ status: 200, body: '{"a":1}' })
    expect(await first).toEqual({ status: 200, body: '{"a":1}', replayed: false })
  })

  test('and says so in a header', async () => {
    const { keyedAnswers } = scene.app.services
    scene.app.services.keyedAnswers = impatient()
    const first = post('/v1/chat/actions', scene.asBot, { type: 'tg:add', input: { x: 1 } })
    scene.answerWith(() => ({ body: { output: {} }, afterMs: 1_000 }))
    const twin = await post('/v1/chat/actions', scene.asBot, { type: 'tg:add', input: { x: 1 } })
    scene.app.services.keyedAnswers = keyedAnswers
    expect(twin).toMatchObject({
      status: 409,
      body: { type: 'ResourceLockedConflict' },
      headers: { 'retry-after': '1' },
    })
    expect((await first).status).toBe(200)
  })

  test('in another process that was quicker, its answer is the answer, and what was done here goes', async () => {
    const { database, secrets } = scene.app.services
    let tries = 0
    const given = await answering(15_000).answer('runtime.createUser', asked(), async ({ db }) => {
      tries++
      await sql`insert into workspace (id, name) values (${`late-${key}`}, '')`.execute(db)
      await keepAnswer(database, secrets, asked(), { status: 201, body: '{"first":true}' })
      return { status: 201, body: '{}' }
    })
    const { rows } = await sql`select 1 from workspace where id = ${`late-${key}`}`.execute(db())
    expect([tries, given, rows]).toEqual([1, { status: 201, body: '{"first":true}', replayed: true }, []])
  })

  test('what the database undid for a deadlock is done anew', async () => {
    let tries = 0
    const given = await answering(15_000).answer('runtime.createUser', asked(), async ({ db }) => {
      await sql`insert into workspace (id, name) values (${`deadlock-${key}-${++tries}`}, '')`.execute(db)
      if (tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' })
      return { status: 201, body: '{}' }
    })
    const { rows } = await sql<{
      id: string
    }>`select id from workspace where id like ${`deadlock-${key}-%`}`.execute(db())
    expect([given.status, rows]).toEqual([201, [{ id: `deadlock-${key}-3` }]])
  })
})

describe('browsers', () => {
  test('may send the header, and read the one that answers', async () => {
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
