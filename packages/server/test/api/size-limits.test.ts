// Limits on the size of payloads, exact to the byte, and on the number of tags, states and other
// definitions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/core/config/config.ts'
import { expectTyped } from '../support/raw-http.ts'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'

const maxBytes = 2_000
let scene: RuntimeScene
let conversationId: string
let userId: string
let messageId: string
let chat: { headers: Record<string, string>; conversationId: string }

beforeAll(async () => {
  const { limits } = readConfig({
    BOTSTEAD_LIMIT_MESSAGE_BYTES: String(maxBytes),
    BOTSTEAD_LIMIT_EVENT_BYTES: String(maxBytes),
    BOTSTEAD_LIMIT_TAGS_PER_OBJECT: '3',
    BOTSTEAD_LIMIT_TAG_NAME_LENGTH: '10',
    BOTSTEAD_LIMIT_STATES_PER_BOT: '2',
    BOTSTEAD_LIMIT_EVENTS_PER_BOT: '2',
    BOTSTEAD_LIMIT_RECURRING_EVENTS_PER_BOT: '2',
    BOTSTEAD_LIMIT_TAG_DEFINITIONS: '2',
    BOTSTEAD_LIMIT_STATES_PER_INTEGRATION: '2',
    BOTSTEAD_LIMIT_EVENTS_PER_INTEGRATION: '2',
    BOTSTEAD_LIMIT_CHANNELS_PER_INTEGRATION: '2',
    BOTSTEAD_LIMIT_MESSAGE_TYPES_PER_CHANNEL: '2',
    BOTSTEAD_LIMIT_SECRETS_PER_INTEGRATION: '2',
    BOTSTEAD_LIMIT_VERSIONS_PER_PACKAGE: '2',
  })
  scene = await openRuntimeScene({ config: { limits } })
  const user = await scene.chatUser()
  const made = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers: user.headers,
    body: {},
  })
  chat = { headers: user.headers, conversationId: made.body.conversation.id }
  userId = (
    await scene.call('POST', '/v1/chat/users', {
      headers: scene.asTg,
      body: { tags: {} },
    })
  ).body.user.id
  conversationId = (
    await scene.call('POST', '/v1/chat/conversations', {
      headers: scene.asTg,
      body: { channel: 'group', tags: {} },
    })
  ).body.conversation.id
  messageId = (
    await scene.call('POST', '/v1/chat/messages', {
      headers: scene.asTg,
      body: message({}),
    })
  ).body.message.id
})
afterAll(() => scene.close())

const message = (payload: object, tags: object = {}) => ({
  conversationId,
  userId,
  type: 'text',
  payload,
  tags,
})
/** Returns a payload with exactly this many bytes as JSON, filled with one character. */
const createPayload = (bytes: number, rest: object, filler: string) => {
  const empty = Buffer.byteLength(JSON.stringify({ ...rest, text: '' }))
  const each = Buffer.byteLength(JSON.stringify(filler)) - 2
  const count = Math.floor((bytes - empty) / each)
  return {
    ...rest,
    text: filler.repeat(count) + 'x'.repeat(bytes - empty - count * each),
  }
}

type Send = (payload: object) => ReturnType<RuntimeScene['call']>
const runtime =
  (
    url: string,
    body: (payload: object) => object,
    method: 'POST' | 'PUT' = 'POST',
  ): Send =>
  (payload) =>
    scene.call(method, url, { headers: scene.asTg, body: body(payload) })
const operations: [string, Send, number, object][] = [
  ['createMessage', runtime('/v1/chat/messages', (payload) => message(payload)), 201, {}],
  [
    'getOrCreateMessage',
    runtime('/v1/chat/messages/get-or-create', (payload) => message(payload)),
    200,
    {},
  ],
  [
    'a scheduled message',
    runtime('/v1/chat/messages', (payload) => ({
      ...message(payload),
      schedule: { delay: 60_000 },
    })),
    201,
    {},
  ],
  [
    'updateMessage',
    (payload) =>
      scene.call('PUT', `/v1/chat/messages/${messageId}`, {
        headers: scene.asTg,
        body: { payload },
      }),
    200,
    {},
  ],
  [
    'createEvent',
    (payload) =>
      scene.call('POST', '/v1/chat/events', {
        headers: scene.asBot,
        body: { type: 'custom', payload },
      }),
    201,
    {},
  ],
  [
    'initializeIncomingMessage',
    runtime('/v1/chat/initialize-incoming-message', (payload) => ({
      userId,
      conversationId,
      message: { type: 'text', payload, tags: {}, discriminateByTags: [] },
    })),
    200,
    {},
  ],
  [
    'one of several imported messages',
    runtime('/v1/chat/messages/import-messages', (payload) => ({
      messages: [{}, payload].map((one) => ({
        ...message(one, { id: 'x' }),
        createdAt: '2026-01-01T00:00:00.000Z',
        discriminateByTags: [],
      })),
    })),
    200,
    {},
  ],
  [
    "a chat user's message",
    (payload) =>
      scene.call('POST', `/chat/${scene.webhookId}/messages`, {
        headers: chat.headers,
        body: { conversationId: chat.conversationId, payload },
      }),
    201,
    { type: 'text' },
  ],
  [
    "a chat user's event",
    (payload) =>
      scene.call('POST', `/chat/${scene.webhookId}/events`, {
        headers: chat.headers,
        body: { conversationId: chat.conversationId, payload },
      }),
    201,
    {},
  ],
]

describe.each(operations)('%s', (_, send, status, rest) => {
  test.each(['x', 'é', '"', '\u0001'])(
    'rejects a payload of %j one byte over the limit',
    async (filler) => {
      expect((await send(createPayload(maxBytes, rest, filler))).status).toBe(status)
      const { status: tooLarge, body } = await send(
        createPayload(maxBytes + 1, rest, filler),
      )
      expect(tooLarge).toBe(413)
      expectTyped(413, body, 'LimitExceeded')
    },
  )
})

test('counts numbers as the server writes them', async () => {
  const send = (numbers: string) =>
    scene.app.server.inject({
      method: 'POST',
      url: '/v1/chat/messages',
      headers: { ...scene.asTg, 'content-type': 'application/json' },
      payload: JSON.stringify(message({})).replace(
        '"payload":{}',
        `"payload":{"n":[${numbers}]}`,
      ),
    })
  expect((await send(Array(50).fill('1e20').join())).statusCode).toBe(201)
  expect((await send(Array(95).fill('1e20').join())).statusCode).toBe(413)
})

describe('tags', () => {
  const tags = (count: number, name = 't') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, 'x']))
  const user = (tags: object) =>
    scene.call('POST', '/v1/chat/users', { headers: scene.asBot, body: { tags } })

  test('rejects one more than the maximum', async () => {
    expect((await user(tags(3))).status).toBe(201)
    const { status, body } = await user(tags(4))
    expect(status).toBe(413)
    expectTyped(413, body, 'LimitExceeded')
  })

  test('rejects names over the maximum length', async () => {
    expect((await user(tags(1, 'n'.repeat(9)))).status).toBe(201)
    expectTyped(413, (await user(tags(1, 'n'.repeat(10)))).body, 'LimitExceeded')
  })

  test('rejects too many on a message', async () => {
    expectTyped(
      413,
      (
        await scene.call('POST', '/v1/chat/messages', {
          headers: scene.asTg,
          body: message({}, tags(4)),
        })
      ).body,
      'LimitExceeded',
    )
  })
})

describe('definitions of a bot', () => {
  const three = (value: object) => ({ a: value, b: value, c: value })
  const kinds: [string, (keys: Record<string, object | null>) => object, object][] = [
    ['states', (states) => ({ states }), { type: 'bot', schema: {} }],
    ['events', (events) => ({ events }), { schema: {} }],
    [
      'recurring events',
      (recurringEvents) => ({ recurringEvents }),
      { type: 'tick', payload: {}, schedule: { cron: '0 0 1 1 *' } },
    ],
    ['tags of users', (tags) => ({ user: { tags } }), {}],
    ['tags of conversations', (tags) => ({ conversation: { tags } }), {}],
    ['tags of messages', (tags) => ({ message: { tags } }), {}],
  ]
  test.each(kinds)(
    '%s: counts the resulting definitions, and changes nothing on an error',
    async (_, body, value) => {
      const create = (keys: Record<string, object | null>) =>
        scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: body(keys) })
      expectTyped(413, (await create(three(value))).body, 'LimitExceeded')
      const { body: made } = await create({ a: value, b: value })
      const update = (keys: Record<string, object | null>) =>
        scene.call('PUT', `/v1/admin/bots/${made.bot.id}`, {
          headers: scene.admin,
          body: { ...body(keys), name: 'renamed' },
        })
      expectTyped(413, (await update({ c: value })).body, 'LimitExceeded')
      expect(
        (
          await scene.call('GET', `/v1/admin/bots/${made.bot.id}`, {
            headers: scene.admin,
          })
        ).body.bot.name,
      ).not.toBe('renamed')
      expect((await update({ a: null, c: value })).status).toBe(200)
    },
  )
})

describe('definitions of an integration', () => {
  const three = (value: unknown) => ({ aa: value, bb: value, cc: value })
  const inChannel = (part: object) => ({ channels: { dm: { messages: {}, ...part } } })
  const kinds: [string, (keys: Record<string, unknown>) => object, unknown][] = [
    ['states', (states) => ({ states }), { type: 'user', schema: {} }],
    ['events', (events) => ({ events }), { schema: {} }],
    ['channels', (channels) => ({ channels }), { messages: {} }],
    ['types of messages', (messages) => inChannel({ messages }), { schema: {} }],
    ['tags of users', (tags) => ({ user: { tags } }), {}],
    ['tags of conversations', (tags) => inChannel({ conversation: { tags } }), {}],
    ['tags of messages', (tags) => inChannel({ message: { tags } }), {}],
    ['secrets', (secrets) => ({ secrets }), 'hidden'],
  ]
  const register = (body: object) =>
    scene.call('POST', '/v1/admin/integrations', {
      headers: scene.admin,
      body: { version: '1.0.0', dev: true, ...body },
    })

  test.each(kinds)(
    '%s: counts the resulting definitions, and changes nothing on an error',
    async (_, body, value) => {
      expectTyped(
        413,
        (await register({ name: 'heavy', ...body(three(value)) })).body,
        'LimitExceeded',
      )
      const made = await register({ name: 'heavy', ...body({ aa: value, bb: value }) })
      expect(made.status).toBe(200)
      const path = `/v1/admin/integrations/${made.body.integration.id}`
      const change = (keys: Record<string, unknown>) =>
        scene.call('PUT', path, { headers: scene.admin, body: body(keys) })
      const before = (await scene.call('GET', path, { headers: scene.admin })).body
      expectTyped(413, (await change({ cc: value })).body, 'LimitExceeded')
      expect((await scene.call('GET', path, { headers: scene.admin })).body).toEqual(
        before,
      )
      expect((await change({ aa: null, cc: value })).status).toBe(200)
    },
  )

  test('limits the versions of one name, without those under development', async () => {
    const version = (number: string, more: object = {}) =>
      register({ name: 'often', version: number, dev: false, ...more })
    for (const number of ['1.0.0', '1.1.0'])
      expect((await version(number)).status).toBe(200)
    expectTyped(413, (await version('1.2.0')).body, 'LimitExceeded')
    expect([
      (await version('1.2.0', { dev: true })).status,
      (await version('1.2.0', { name: 'seldom' })).status,
    ]).toEqual([200, 200])
  })
})
