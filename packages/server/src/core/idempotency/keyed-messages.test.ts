// createMessage with an Idempotency-Key: one statement writes the message and its key, together with
// other messages. A repetition gets the first response, which the server does not store.

import { sha256 } from '@botstead/lib'
import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { type App, openApp } from '../../app/app.ts'
import { newId } from '../lib/ids.ts'
import { createMessageWriter } from '../messaging/messages/message-writer.ts'
import { KeyTaken } from './message-keys.ts'

type Headers = Record<string, string>
interface Target {
  conversationId: string
  userId: string
}

let scene: RuntimeScene
/** Another server on the same database. */
let twin: App
/**
 * Connections that hold locks and that observe. The observer is separate, because a transaction
 * does not see later statistics.
 */
let other: pg.Client
let outside: pg.Client
let count = 0
let key: string
let target: Target
let chat: { id: string; headers: Headers; conversationId: string }

beforeAll(async () => {
  scene = await openRuntimeScene()
  const { services } = scene.app
  twin = await openApp({
    config: services.config,
    log: services.log,
    connection: scene.connection,
    masterKey: scene.masterKey,
    chatKey: scene.chatKey,
  })
  ;[other, outside] = [new pg.Client(scene.connection), new pg.Client(scene.connection)]
  await Promise.all([other.connect(), outside.connect()])
}, 60_000)
afterEach(() => other.query('rollback'))
afterAll(async () => {
  await Promise.all([other?.end(), outside?.end()])
  await twin?.close()
  await scene?.close()
})
beforeEach(async () => {
  key = `key-${++count}`
  target = await openTarget()
  const user = await scene.chatUser()
  const path = inChat('/conversations')
  const { body } = await scene.call('POST', path, { headers: user.headers, body: {} })
  chat = { ...user, conversationId: body.conversation.id }
})

const inChat = (path: string) => `/chat/${scene.webhookId}${path}`

async function openTarget(): Promise<Target> {
  const { body: made } = await scene.call('POST', '/v1/chat/users', {
    headers: scene.asTg,
    body: { tags: {} },
  })
  const { body: opened } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'dm', tags: {} },
  })
  return { conversationId: opened.conversation.id, userId: made.user.id }
}

async function post(
  body: object,
  {
    app = scene.app,
    headers = scene.asTg,
    url = '/v1/chat/messages',
    with: used = key,
  } = {},
) {
  const reply = await app.server.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'idempotency-key': used },
    payload: body,
  })
  return {
    status: reply.statusCode,
    text: reply.body,
    body: reply.json(),
    replayed: reply.headers['idempotency-replayed'],
  }
}
const toMessage = (text: string) => ({
  ...target,
  type: 'text',
  tags: {},
  payload: { text },
})
const inTheChat = () => ({ headers: chat.headers, url: inChat('/messages') })
const toChatMessage = (text: string) => ({
  conversationId: chat.conversationId,
  payload: { type: 'text', text },
})

async function textsIn(conversationId: string): Promise<string[]> {
  const { rows } = await outside.query(
    `select payload ->> 'text' as text from message where conversation_id = $1 order by number`,
    [conversationId],
  )
  return rows.map(({ text }) => text)
}
const keyRows = async () => {
  const { rows } = await outside.query(
    'select * from idempotency_key order by created_at desc',
  )
  return rows
}
const waiting = async () =>
  (
    await outside.query(
      `select query from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rows.length

/** Sends requests while the rows of these conversations are locked, so that they overlap. */
async function sendTogether<T>(
  conversationIds: string[],
  send: () => Promise<T>[],
): Promise<T[]> {
  await other.query('begin')
  await other.query('select 1 from conversation where id = any($1) for update', [
    conversationIds,
  ])
  const replies = send()
  await expect.poll(waiting, { interval: 5 }).toBe(replies.length)
  await other.query('commit')
  return Promise.all(replies)
}

const differentOrder = {
  zebra: 1,
  a: { long: 1, z: [2, { y: 1e21, x: -0.5 }] },
  text: 'ä\u2028\u{1F600} "\\" \u0007',
  empty: {},
  none: null,
}

describe('a repetition gets the first response', () => {
  test('with the same bytes', async () => {
    const body = { ...toMessage(''), payload: differentOrder, tags: { id: '7' } }
    const first = await post(body)
    expect(first).toMatchObject({ status: 201, replayed: undefined })
    expect(await post(body)).toEqual({ ...first, replayed: 'true' })
    expect(await post(body, { app: twin })).toEqual({ ...first, replayed: 'true' })
  })

  test('with the same bytes in a chat, with metadata and a chosen id', async () => {
    const id = `chosen-${key}`
    const path = inChat('/conversations')
    await scene.call('POST', path, { headers: chat.headers, body: { id } })
    const payload = { type: 'bloc', items: [{ type: 'text', text: 'a' }] }
    const body = { conversationId: id, payload, metadata: { z: 1, a: 2 } }
    const first = await post(body, inTheChat())
    expect(first).toMatchObject({
      status: 201,
      body: { message: { conversationId: id, userId: chat.id, metadata: { z: 1 } } },
    })
    expect(await post(body, inTheChat())).toEqual({ ...first, replayed: 'true' })
  })

  test('of a synthetic message of the bot', async () => {
    const body = { ...toMessage('s'), userId: scene.botId, origin: 'synthetic' }
    const first = await post(body, { headers: scene.asBot })
    expect(first.body.message).toMatchObject({
      direction: 'outgoing',
      origin: 'synthetic',
    })
    expect(await post(body, { headers: scene.asBot })).toEqual({
      ...first,
      replayed: 'true',
    })
  })

  test('after the message was changed', async () => {
    const body = { ...toMessage('first'), tags: { id: '1' } }
    const first = await post(body)
    const url = `/v1/chat/messages/${first.body.message.id}`
    const change = { payload: { text: 'changed' }, tags: { id: '2' } }
    expect(
      (await scene.call('PUT', url, { headers: scene.asTg, body: change })).status,
    ).toBe(200)
    expect(await post(body)).toEqual({ ...first, replayed: 'true' })
    expect(await textsIn(target.conversationId)).toEqual(['changed'])
  })

  test('after the message was deleted, without writing it again', async () => {
    const first = await post(toMessage('a'))
    await scene.call('DELETE', `/v1/chat/messages/${first.body.message.id}`, {
      headers: scene.asTg,
    })
    expect(await post(toMessage('a'))).toEqual({ ...first, replayed: 'true' })
    const inChats = await post(toChatMessage('a'), inTheChat())
    await scene.call('DELETE', inChat(`/messages/${inChats.body.message.id}`), {
      headers: chat.headers,
    })
    expect(await post(toChatMessage('a'), inTheChat())).toEqual({
      ...inChats,
      replayed: 'true',
    })
    expect(await textsIn(target.conversationId)).toEqual([])
    expect(await textsIn(chat.conversationId)).toEqual([])
  })

  test('after the conversation was deleted, also when other checks would fail now', async () => {
    const first = await post(toMessage('a'))
    await scene.call('DELETE', `/v1/chat/conversations/${target.conversationId}`, {
      headers: scene.asTg,
    })
    expect(await post(toMessage('a'))).toEqual({ ...first, replayed: 'true' })
    expect((await post(toMessage('b'))).body.type).toBe('RelationConflict')
    const inChats = await post(toChatMessage('a'), inTheChat())
    await scene.call('DELETE', inChat(`/conversations/${chat.conversationId}`), {
      headers: chat.headers,
    })
    expect(await post(toChatMessage('a'), inTheChat())).toEqual({
      ...inChats,
      replayed: 'true',
    })
    expect((await post(toChatMessage('b'), inTheChat())).body.type).toBe(
      'RelationConflict',
    )
  })

  test('but not the deleted chat user', async () => {
    await post(toChatMessage('a'), inTheChat())
    await scene.call('DELETE', inChat('/users/me'), { headers: chat.headers })
    expect(await post(toChatMessage('a'), inTheChat())).toMatchObject({
      status: 401,
      replayed: undefined,
    })
  })

  test('while it runs again after a crash', async () => {
    const body = { ...toMessage('a'), userId: scene.botId }
    const cause = newId('event')
    const asRun = (run: string) => ({
      ...scene.asBot,
      'x-botstead-cause': `${cause}${run}`,
    })
    const first = await post(body, { headers: asRun('') })
    expect(first.status).toBe(201)
    const again = { headers: asRun(`;${newId('delivery')}`) }
    expect(await post(body, again)).toEqual({ ...first, replayed: 'true' })
    expect((await post({ ...body, type: 'other' }, again)).body.type).toBe(
      'RelationConflict',
    )
    expect(
      await post({ ...body, type: 'other' }, { ...again, with: `${key}-b` }),
    ).toMatchObject({
      status: 201,
      replayed: undefined,
    })
    expect(await textsIn(target.conversationId)).toEqual(['a', 'a'])
  })
})

describe('the row of the key', () => {
  test('contains ids and the time, but no content', async () => {
    const { body } = await post(toMessage('a secret word'))
    const [row] = await keyRows()
    expect(row).toMatchObject({
      bot_id: scene.botId,
      status: 201,
      answer: null,
      owner: null,
      message_id: body.message.id,
      message_created_at: new Date(body.message.createdAt),
    })
    expect(JSON.stringify(row)).not.toContain('secret')
  })

  test('is replaced after a day', async () => {
    const first = await post(toMessage('a'))
    await outside.query(
      `update idempotency_key set created_at = now() - interval '25 hours'`,
    )
    const second = await post(toMessage('b'))
    expect(second).toMatchObject({ status: 201, replayed: undefined })
    expect(second.body.message.id).not.toBe(first.body.message.id)
    expect(await post(toMessage('b'))).toEqual({ ...second, replayed: 'true' })
    expect((await post(toMessage('a'))).status).toBe(409)
    expect(await textsIn(target.conversationId)).toEqual(['a', 'b'])
  })

  test('is not written for a rejected message', async () => {
    const before = (await keyRows()).length
    const missing = {
      ...toMessage('a'),
      userId: scene.botId,
      conversationId: newId('conversation'),
    }
    for (const caller of ['asBot', 'asTg'] as const)
      expect((await post(missing, { headers: scene[caller] })).status, caller).toBe(404)
    expect(await keyRows()).toHaveLength(before)
  })
})

describe('the scope of a key', () => {
  test('separates operations, callers and scheduled messages', async () => {
    const scheduled = { ...toMessage('a'), schedule: { delay: 1e9 } }
    expect((await post(toMessage('a'))).status).toBe(201)
    expect(await post(scheduled)).toMatchObject({
      status: 409,
      body: { type: 'RelationConflict' },
    })
    const elsewhere = [
      await post(toChatMessage('a'), inTheChat()),
      await post({ tags: {} }, { url: '/v1/chat/users' }),
      await post(
        { type: 'added', payload: { content: 'a' } },
        { url: '/v1/chat/events' },
      ),
      await post(toMessage('a'), { url: '/v1/chat/messages/get-or-create' }),
      await post(toMessage('a'), { headers: scene.asBot }),
    ]
    for (const one of elsewhere)
      expect([one.status < 300, one.replayed], one.text).toEqual([true, undefined])
    expect((await post(toMessage('a'), { headers: scene.asStranger })).status).toBe(404)
    expect(await textsIn(target.conversationId)).toEqual(['a', 'a', 'a'])
  })

  test('of a scheduled message rejects one that is sent now', async () => {
    const scheduled = { ...toMessage('a'), schedule: { delay: 1e9 } }
    const first = await post(scheduled)
    expect(first.status).toBe(201)
    expect(await post(scheduled)).toEqual({ ...first, replayed: 'true' })
    expect((await post(toMessage('a'))).body.type).toBe('RelationConflict')
    expect(await textsIn(target.conversationId)).toEqual([])
  })
})

describe('messages of one statement', () => {
  const keyed = (text: string, name?: string) => ({
    botId: scene.botId,
    ...target,
    direction: 'outgoing' as const,
    type: 'text',
    payload: { text },
    ...(name && {
      key: { id: sha256(`${key} ${name}`), request: sha256('r'), status: 201 },
    }),
  })

  /** A writer that records the names of its statements. */
  function openWriter() {
    const { database, deliveries, signals } = scene.app.services
    const statements: string[] = []
    const run: typeof database.run = (name, ...rest) => {
      statements.push(name)
      return database.run(name, ...rest)
    }
    return {
      statements,
      writer: createMessageWriter({ ...database, run }, deliveries, signals),
    }
  }

  test('may have a key or none', async () => {
    const { statements, writer } = openWriter()
    const posts = [keyed('a', '1'), keyed('b'), keyed('c', '2'), keyed('d')].map(
      writer.post,
    )
    const written = await Promise.all(posts)
    expect(written.map(({ number }) => number)).toEqual(['1', '2', '3', '4'])
    expect(statements).toEqual(['write-keyed-messages'])
    const ids = written.map(({ id }) => id)
    const known = (await keyRows()).map(({ message_id }) => message_id)
    expect(ids.map((id) => known.includes(id))).toEqual([true, false, true, false])
  })

  test('leave out a message with a used key', async () => {
    const { statements, writer } = openWriter()
    await writer.post(keyed('a', '1'))
    const posts = [keyed('b', '1'), keyed('c'), keyed('d', '2')].map(writer.post)
    const [taken, ...others] = await Promise.allSettled(posts)
    expect(taken).toMatchObject({ status: 'rejected', reason: expect.any(KeyTaken) })
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(statements.slice(0, 2)).toEqual([
      'write-one-keyed-message-from-bot',
      'write-keyed-messages',
    ])
    expect(await textsIn(target.conversationId)).toEqual(['a', 'c', 'd'])
  })

  test('with the same key are written once', async () => {
    const { writer } = openWriter()
    const posts = [keyed('a', '1'), keyed('b', '1'), keyed('c'), keyed('d', '2')].map(
      writer.post,
    )
    const results = await Promise.allSettled(posts)
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(results[1]).toMatchObject({ reason: expect.any(KeyTaken) })
    expect(await textsIn(target.conversationId)).toEqual(['a', 'c', 'd'])
    const { rows } = await outside.query(
      'select message_count, last_number from conversation where id = $1',
      [target.conversationId],
    )
    expect(rows).toEqual([{ message_count: 3, last_number: '3' }])
  })

  test('are written without the copy of a message that another server writes', async () => {
    const [one, two] = [openWriter(), openWriter()]
    await other.query('begin')
    await other.query('select 1 from conversation where id = $1 for update', [
      target.conversationId,
    ])
    const first = one.writer.post(keyed('a', '1'))
    await expect.poll(waiting, { interval: 5 }).toBe(1)
    const posts = [keyed('b', '1'), keyed('c'), keyed('d', '2')].map(two.writer.post)
    const results = Promise.allSettled(posts)
    await expect.poll(waiting, { interval: 5 }).toBe(2)
    await other.query('commit')
    await first
    const [copy, ...others] = await results
    expect(copy).toMatchObject({ status: 'rejected', reason: expect.any(KeyTaken) })
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await textsIn(target.conversationId)).toEqual(['a', 'c', 'd'])
  })
})

describe('two servers', () => {
  test('write one message for copies that overlap', async () => {
    const { conversationId } = target
    const copies = () => [post(toMessage('a')), post(toMessage('a'), { app: twin })]
    const replies = await sendTogether([conversationId], copies)
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies.map(({ replayed }) => replayed).sort()).toEqual(['true', undefined])
    expect(await textsIn(conversationId)).toEqual(['a'])
  })

  test('reject other content that overlaps', async () => {
    const elsewhere = await openTarget()
    const ids = [target.conversationId, elsewhere.conversationId]
    const replies = await sendTogether(ids, () => [
      post(toMessage('a')),
      post({ ...toMessage('b'), ...elsewhere }, { app: twin }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    const texts = [...(await textsIn(ids[0]!)), ...(await textsIn(ids[1]!))]
    expect(texts).toHaveLength(1)
    expect(replies.find(({ status }) => status === 201)!.body.message.payload.text).toBe(
      texts[0],
    )
  })
})

describe('failures', () => {
  test('a connection that breaks after the commit loses neither message nor response', async () => {
    const { services } = scene.app
    const { database } = services
    const run: typeof database.run = async (name, ...rest) => {
      const rows = await database.run(name, ...rest)
      if (!name.startsWith('write-')) return rows as never
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    }
    const { deliveries, signals, messages } = services
    services.messages = createMessageWriter({ ...database, run }, deliveries, signals)
    const first = await post(toMessage('a')).finally(() => {
      services.messages = messages
    })
    expect(first.status).toBe(201)
    expect(await post(toMessage('a'))).toEqual({ ...first, replayed: 'true' })
    expect(await textsIn(target.conversationId)).toEqual(['a'])
  })

  test('a deadlock repeats the request', async () => {
    const { services } = scene.app
    const { database, deliveries, signals, messages } = services
    let failures = 0
    const run: typeof database.run = async (name, ...rest) => {
      if (name.startsWith('write-') && ++failures <= 2)
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      return database.run(name, ...rest)
    }
    services.messages = createMessageWriter({ ...database, run }, deliveries, signals)
    const reply = await post(toMessage('a')).finally(() => {
      services.messages = messages
    })
    expect([reply.status, reply.replayed, failures]).toEqual([201, undefined, 3])
    expect(await textsIn(target.conversationId)).toEqual(['a'])
  })

  test('a lost lease gets no response of an earlier request', async () => {
    const fence = newId('worker')
    const insert =
      "insert into worker (id, host, pid, alive_until) values ($1, 'h', 1, 'infinity')"
    await outside.query(insert, [fence])
    const headers = { ...scene.asBot, 'x-botstead-fence': fence }
    const body = { ...toMessage('a'), userId: scene.botId }
    expect((await post(body, { headers })).status).toBe(201)
    expect(await post(body, { headers })).toMatchObject({ status: 201, replayed: 'true' })
    await outside.query('delete from worker where id = $1', [fence])
    expect(await post(body, { headers })).toMatchObject({
      status: 503,
      replayed: undefined,
    })
    expect((await post(body, { headers, with: `${key}-b` })).status).toBe(503)
    expect(await textsIn(target.conversationId)).toEqual(['a'])
  })
})
