// The Webchat API at its own address and directly below the server's URL, with the built-in
// integrations `chat` and `webchat`.
import { createHmac } from 'node:crypto'
import { families, type Group, type UploadableFile } from '@botstead/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { openScene, type Scene } from '../../../../../test/support/scene.ts'
import { openSseReader } from '../../../../../test/support/sse-reader.ts'

type Json = Record<string, unknown>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

let scene: Scene
let url: string
/** Client id of the webchat integration; that of the chat is `scene.webhookId`. */
let clientId: string

const secret = 'the secret of the page'
const byAlias = () => ({ ...scene.admin, 'x-multiple-integrations': 'true' })

beforeAll(async () => {
  scene = await openScene({ config: { chatOrigins: ['https://listed.example'] } })
  url = await scene.listen()
  clientId = await install('webchat', { adminSecret: secret })
}, 60_000)
afterAll(() => scene?.close())

/** Installs the webchat under an alias and returns its client id. */
async function install(
  alias: string,
  configuration: Json,
  botId = scene.botId,
): Promise<string> {
  const { body: found } = await scene.call(
    'GET',
    '/v1/admin/hub/integrations/webchat/0.3.0',
    {
      headers: scene.admin,
    },
  )
  const { status, body } = await scene.call('PUT', `/v1/admin/bots/${botId}`, {
    headers: byAlias(),
    body: {
      integrations: {
        [alias]: { integrationId: found.integration.id, enabled: true, configuration },
      },
    },
  })
  expect([status, body.message]).toEqual([200, undefined])
  return body.bot.integrations[alias].webhookId
}

const call = (
  method: Method,
  path: string,
  key?: string,
  body?: unknown,
  headers: Json = {},
) =>
  scene.call(method, path, {
    headers: { ...(key && { 'x-user-key': key }), ...headers } as Record<string, string>,
    ...(body !== undefined && { body }),
  })

test('the settings of a bot are those of its webchat, rather than of its chat', async () => {
  const { body } = await call('GET', `/webchat/${scene.botId}/settings.json`)
  expect(body.chatUrl).toBe(`/chat/${clientId}`)
})

interface Visit {
  conversation: { id: string }
  messages: {
    id: string
    payload: Json
    userId: string
    metadata?: Json
    feedback?: Json
  }[]
  participants: { id: string; name?: string; data?: Json }[]
  user: { id: string; userKey: string; data?: Json }
  key: string
}

/** Opens the stream, which stays open, and returns the data of its first frame. */
async function visit(path: string, key = '') {
  const stream = openSseReader(() => url + path, key)
  expect(await stream.open()).toBe(200)
  await expect.poll(() => stream.frames.length).toBeGreaterThan(0)
  expect(stream.frames[0]!.type).toBe('init')
  const data: Visit = stream.frames[0]!.data
  return { stream, ...data, key: data.user.userKey }
}

const types = (stream: { frames: { type: string }[] }) =>
  stream.frames.map(({ type }) => type)

async function say(conversationId: string, type: string, payload: Json) {
  const { status, body } = await scene.call('POST', '/v1/chat/messages', {
    headers: scene.asBot,
    body: { conversationId, userId: scene.botId, type, payload, tags: {} },
  })
  expect([status, body.message?.message]).toEqual([201, undefined])
  return body.message.id as string
}

const addresses = () => ({
  'below the server': `/${clientId}`,
  'at its address': `/webchat/${clientId}`,
  'of the chat integration': `/${scene.webhookId}`,
})
const eachAddress = test.each(
  Object.keys({
    'below the server': 0,
    'at its address': 0,
    'of the chat integration': 0,
  }) as ('below the server' | 'at its address' | 'of the chat integration')[],
)

describe('initialize', () => {
  eachAddress(
    'creates user and conversation, and continues with the key: %s',
    async (where) => {
      const at = addresses()[where]
      const first = await visit(`${at}/initialize`)
      expect(first.participants).toContainEqual(
        expect.objectContaining({ id: scene.botId }),
      )
      expect(first.participants.map(({ id }) => id)).toContain(first.user.id)
      const sent = await call('POST', `${at}/messages`, first.key, {
        conversationId: first.conversation.id,
        payload: { type: 'text', text: 'hello' },
        metadata: { clientMessageId: 'mine' },
      })
      expect([sent.status, sent.body.message.metadata]).toEqual([
        201,
        { clientMessageId: 'mine' },
      ])
      await say(first.conversation.id, 'text', { text: 'welcome' })
      await expect
        .poll(() => types(first.stream))
        .toEqual(['init', 'message_status_changed', 'message_created', 'message_created'])
      expect(first.stream.frames[2]!.data).toEqual(sent.body.message)

      const again = await visit(
        `${at}/initialize?conversationId=${first.conversation.id}`,
        first.key,
      )
      expect([again.user.id, again.key, again.conversation.id]).toEqual([
        first.user.id,
        first.key,
        first.conversation.id,
      ])
      expect(again.messages.map(({ payload }) => payload.text)).toEqual([
        'welcome',
        'hello',
      ])
      const other = await visit(`${at}/initialize`, first.key)
      expect([other.user.id, other.conversation.id === first.conversation.id]).toEqual([
        first.user.id,
        false,
      ])
      for (const { stream } of [first, again, other]) stream.cut()
    },
  )

  test('replaces credentials that are not valid, and never opens conversations of others', async () => {
    const ann = await visit(`/${clientId}/initialize`)
    await call('POST', `/${clientId}/messages`, ann.key, {
      conversationId: ann.conversation.id,
      payload: { type: 'text', text: 'private' },
    })
    for (const key of ['', 'nonsense', `${ann.key}x`]) {
      const { user, conversation, messages, stream } = await visit(
        `/${clientId}/initialize?conversationId=${ann.conversation.id}`,
        key,
      )
      expect([user.id === ann.user.id, conversation.id === ann.conversation.id]).toEqual([
        false,
        false,
      ])
      expect(messages).toEqual([])
      stream.cut()
    }
    // A key of the chat of the same bot is not valid in the webchat.
    const { headers } = await scene.chatUser()
    const elsewhere = await visit(`/${clientId}/initialize`, headers['x-user-key'])
    expect(
      (await call('GET', `/${clientId}/users/me`, headers['x-user-key'])).status,
    ).toBe(401)
    await call('DELETE', `/${clientId}/users/me`, ann.key)
    const after = await visit(
      `/${clientId}/initialize?conversationId=${ann.conversation.id}`,
      ann.key,
    )
    expect(after.user.id).not.toBe(ann.user.id)
    for (const { stream } of [ann, elsewhere, after]) stream.cut()
  })

  test('sends a long history within one frame', async () => {
    const { conversation, key, stream } = await visit(`/${clientId}/initialize`)
    stream.cut()
    const text = 'x'.repeat(100_000)
    for (let count = 0; count < 12; count++) await say(conversation.id, 'text', { text })
    const again = await visit(
      `/${clientId}/initialize?conversationId=${conversation.id}`,
      key,
    )
    expect(again.messages.length).toBe(5)
    await say(conversation.id, 'text', { text: 'next' })
    await expect.poll(() => types(again.stream)).toEqual(['init', 'message_created'])
    again.stream.cut()
  })
})

describe('messages', () => {
  const options = [{ label: 'A', value: 'a' }]
  const card = {
    title: 'Card',
    actions: [{ action: 'say', label: 'Say', value: 'said' }],
  }
  const link = 'https://example.org/file'
  test.each<[string, Json, Json?]>([
    ['text', { text: 'words', value: 'v' }],
    ['markdown', { markdown: '**words**' }],
    ['image', { imageUrl: link }],
    ['audio', { audioUrl: link }],
    ['video', { videoUrl: link }],
    ['file', { fileUrl: link, title: 'A file' }],
    ['location', { latitude: 1, longitude: 2 }],
    ['card', card],
    ['choice', { text: 'Which?', options }],
    ['dropdown', { text: 'Which?', options }],
    ['carousel', { items: [card] }, { items: [{ ...card, type: 'card' }] }],
    ['bloc', { items: [{ type: 'text', payload: { text: 'a' } }] }],
    ['custom', { url: link, name: 'Widget', data: { any: 1 } }],
  ])('a webchat receives %s in its form', async (type, payload, shown = payload) => {
    const { conversation, stream, key } = await visit(`/${clientId}/initialize`)
    await say(conversation.id, type, payload)
    await expect.poll(() => stream.frames.length).toBe(2)
    expect(stream.frames[1]!.data.payload).toEqual({ type, ...shown })
    const list = await call(
      'GET',
      `/${clientId}/conversations/${conversation.id}/messages`,
      key,
    )
    expect(list.body.messages).toEqual([stream.frames[1]!.data])
    // The same form is accepted from a webchat, and the bot reads what a bot would have sent.
    const sent = await call('POST', `/${clientId}/messages`, key, {
      conversationId: conversation.id,
      payload: { type, ...payload },
    })
    expect([sent.status, sent.body.message?.payload]).toEqual([201, { type, ...shown }])
    const { body } = await scene.call(
      'GET',
      `/v1/chat/messages/${sent.body.message.id}`,
      {
        headers: scene.asBot,
      },
    )
    expect([body.message.type, body.message.payload]).toEqual([type, payload])
    stream.cut()
  })

  test.each<[string, string, Json, Json]>([
    [
      'an unknown type',
      'text',
      { text: '' },
      { text: 'This message cannot be shown (type "text").' },
    ],
    [
      'a card without actions',
      'card',
      { title: 'Only a title' },
      { text: 'Only a title' },
    ],
    [
      'an invalid action',
      'card',
      { title: 'T', actions: [{ action: 'x' }] },
      { text: 'T' },
    ],
    [
      'a carousel without items',
      'carousel',
      {},
      { text: 'This message cannot be shown (type "carousel").' },
    ],
  ])('shows %s as text', async (_, type, payload, shown) => {
    const { conversation, stream } = await visit(`/${scene.webhookId}/initialize`)
    // Imported messages are stored as they are.
    await scene.app.services.db
      .insertInto('message')
      .values({
        bot_id: scene.botId,
        id: `msg_${Math.random()}`,
        conversation_id: conversation.id,
        user_id: scene.botId,
        number: 1,
        direction: 'outgoing',
        type,
        payload: JSON.stringify(payload) as never,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute()
    const key = stream.frames[0]!.data.user.userKey
    const again = await visit(
      `/${scene.webhookId}/initialize?conversationId=${conversation.id}`,
      key,
    )
    expect(again.messages.map(({ payload }) => payload)).toEqual([
      { type: 'text', ...shown },
    ])
    for (const one of [stream, again.stream]) one.cut()
  })

  test('are rated, selected once, changed and deleted by participants only', async () => {
    const ann = await visit(`/${clientId}/initialize`)
    const bob = await visit(`/${clientId}/initialize`)
    const id = await say(ann.conversation.id, 'text', { text: 'good?' })
    const at = `/${clientId}/messages/${id}`
    const rating = { value: 'negative', comment: 'c'.repeat(2000) }
    const attempts: [Method, string, Json | undefined][] = [
      ['GET', at, undefined],
      ['PUT', `${at}/feedback`, rating],
      ['DELETE', `${at}/feedback`, undefined],
      ['PUT', `${at}/select`, {}],
      ['PUT', at, { payload: { type: 'text', text: 'changed' } }],
      ['DELETE', at, undefined],
    ]
    for (const [method, path, body] of attempts)
      expect([method, path, (await call(method, path, bob.key, body)).status]).toEqual([
        method,
        path,
        403,
      ])
    expect((await call('PUT', `${at}/feedback`, ann.key, rating)).body).toEqual({})
    expect((await call('GET', at, ann.key)).body.message.feedback).toEqual(rating)
    const { body } = await scene.call('GET', `/v1/chat/messages/${id}`, {
      headers: scene.asBot,
    })
    expect(body.message.tags).toEqual({
      'webchat:feedback': 'negative',
      'webchat:feedbackComment': rating.comment,
    })
    expect((await call('PUT', `${at}/feedback`, ann.key, { value: 'good' })).status).toBe(
      400,
    )
    await call('DELETE', `${at}/feedback`, ann.key)
    expect((await call('PUT', `${at}/select`, ann.key, {})).status).toBe(200)
    expect((await call('PUT', `${at}/select`, ann.key, {})).status).toBe(200)
    const inAnns = `/${clientId}/conversations/${ann.conversation.id}/participants`
    await call('POST', inAnns, ann.key, { userId: bob.user.id })
    expect((await call('PUT', `${at}/select`, bob.key, {})).body.type).toBe(
      'AlreadyExists',
    )
    const { message } = (await call('GET', at, ann.key)).body
    expect([message.feedback, message.selectedBy]).toEqual([undefined, ann.user.id])
    // Messages of the bot do not change.
    expect((await call('PUT', at, ann.key, { metadata: {} })).status).toBe(403)

    const own = await call('POST', `/${clientId}/messages`, ann.key, {
      conversationId: ann.conversation.id,
      payload: { type: 'text', text: 'first' },
      metadata: { a: 1 },
      replyTo: id,
    })
    expect(own.body.message.replyTo).toBe(id)
    const ownPath = `/${clientId}/messages/${own.body.message.id}`
    const changed = await call('PUT', ownPath, ann.key, {
      payload: { type: 'text', text: 'second' },
    })
    expect(changed.body.message).toEqual({
      ...own.body.message,
      payload: { type: 'text', text: 'second' },
    })
    const toImage = { payload: { type: 'image', imageUrl: 'https://example.org' } }
    expect((await call('PUT', ownPath, ann.key, toImage)).body.type).toBe(
      'InvalidPayload',
    )
    await expect
      .poll(() => types(ann.stream))
      .toEqual([
        'init',
        'message_created',
        'message_updated',
        'message_updated',
        'message_updated',
        'message_updated',
        'participant_added',
        'message_created',
        'message_updated',
      ])
    expect((await call('DELETE', ownPath, ann.key)).status).toBe(200)
    for (const { stream } of [ann, bob]) stream.cut()
  })

  test('reach open chats when the bot changes and deletes a message', async () => {
    const { conversation, key, stream } = await visit(`/${scene.webhookId}/initialize`)
    const open = async (path: string) => {
      const reader = openSseReader(() => url + path, key)
      await reader.open()
      return reader
    }
    const listen = `/conversations/${conversation.id}/listen`
    const inChat = await open(`/chat/${scene.webhookId}${listen}`)
    const live = await open(`/webchat/${scene.webhookId}${listen}?live=true`)
    const id = await say(conversation.id, 'text', { text: 'one', metadata: { a: 1 } })
    await call('PUT', `/${scene.webhookId}/messages/${id}/feedback`, key, {
      value: 'positive',
    })
    const asBot = (method: Method, body?: object) =>
      scene.call(method, `/v1/chat/messages/${id}`, { headers: scene.asBot, body })
    expect((await asBot('PUT', { payload: { text: 'two' } })).status).toBe(200)
    expect((await asBot('PUT', { tags: {} })).status).toBe(200)
    expect((await asBot('DELETE')).status).toBe(200)
    await expect
      .poll(() => types(inChat))
      .toEqual(['message_created', 'message_updated', 'message_deleted'])
    await expect
      .poll(() => types(live).slice(-2))
      .toEqual(['message_updated', 'message_deleted'])
    await expect.poll(() => types(stream).slice(-1)).toEqual(['message_updated'])
    const changed = { id, userId: scene.botId, payload: { type: 'text', text: 'two' } }
    expect(inChat.frames[1]!.data).toMatchObject({ ...changed, isBot: true })
    expect(stream.frames.at(-1)!.data).toMatchObject({
      ...changed,
      feedback: { value: 'positive' },
    })
    expect(stream.frames.at(-1)!.data).not.toHaveProperty('isBot')
    expect(types(stream)).not.toContain('message_deleted')
    for (const one of [stream, inChat, live]) one.cut()
  })

  test('of selections do not reach the Chat API, of edits by users they do', async () => {
    const { conversation, key, stream } = await visit(`/${scene.webhookId}/initialize`)
    const listen = `/chat/${scene.webhookId}/conversations/${conversation.id}/listen`
    const inChat = openSseReader(() => url + listen, key)
    await inChat.open()
    const id = await say(conversation.id, 'text', { text: 'one' })
    await call('PUT', `/${scene.webhookId}/messages/${id}/select`, key, {})
    await say(conversation.id, 'text', { text: 'two' })
    await expect.poll(() => types(inChat)).toEqual(['message_created', 'message_created'])
    expect(types(stream)).toEqual([
      'init',
      'message_created',
      'message_updated',
      'message_created',
    ])
    const own = await call('POST', `/${scene.webhookId}/messages`, key, {
      conversationId: conversation.id,
      payload: { type: 'text', text: 'helo' },
    })
    const { id: ownId } = own.body.message
    const payload = { type: 'text', text: 'hello' }
    await call('PUT', `/${scene.webhookId}/messages/${ownId}`, key, { payload })
    const edited = { id: ownId, payload, isBot: false }
    await expect
      .poll(() => inChat.frames.at(-1))
      .toMatchObject({ type: 'message_updated', data: edited })
    expect(stream.frames.at(-1)!.data).not.toHaveProperty('isBot')
    for (const one of [stream, inChat]) one.cut()
  })
})

describe('events', () => {
  const toEvents = async (conversationId: string) =>
    (
      await scene.call('GET', `/v1/chat/events?conversationId=${conversationId}`, {
        headers: scene.asBot,
      })
    ).body.events as { type: string; payload: Json; userId?: string }[]

  test.each([
    ['webchat', () => clientId, 'trigger', { origin: 'website' }],
    ['chat', () => scene.webhookId, 'custom', {}],
  ] as const)(
    'reach the bot of %s; the start only once',
    async (alias, id, name, more) => {
      const at = `/${id()}`
      const { conversation, user, key, stream } = await visit(`${at}/initialize`)
      const ids = { conversationId: conversation.id, userId: user.id }
      const start = () =>
        call('POST', `${at}/events`, key, {
          conversationId: conversation.id,
          payload: { type: 'conversation_started', data: { page: '/shop' } },
        })
      const answers = await Promise.all([start(), start(), start()])
      const initial = answers.map(({ body }) => body.event.payload.data.status.isInitial)
      expect(initial.filter(Boolean)).toEqual([true])
      expect(answers[0]!.body.event.payload.data.page).toBe('/shop')
      const custom = await call('POST', `${at}/events`, key, {
        conversationId: conversation.id,
        payload: { type: 'custom', data: { cart: 3 } },
      })
      expect([custom.status, custom.body.event]).toEqual([
        201,
        { ...custom.body.event, ...ids, payload: { type: 'custom', data: { cart: 3 } } },
      ])
      const unbound = await call('POST', `${at}/events`, key, {
        conversationId: conversation.id,
        payload: { type: 'custom', data: {} },
        bindConversation: false,
        bindUser: false,
      })
      expect(
        (await call('GET', `${at}/events/${unbound.body.event.id}`, key)).status,
      ).toBe(200)
      expect(
        (await toEvents(conversation.id)).map(({ type, payload }) => [type, payload]),
      ).toEqual([
        [`${alias}:${name}`, { ...ids, ...more, payload: { cart: 3 } }],
        [`${alias}:conversationStarted`, ids],
      ])
      const stranger = await visit(`${at}/initialize`)
      const foreign = [
        await call('GET', `${at}/events/${custom.body.event.id}`, stranger.key),
        await call('POST', `${at}/events`, stranger.key, {
          conversationId: conversation.id,
          payload: { type: 'conversation_started', data: {} },
        }),
      ]
      expect(foreign.map(({ body }) => body.type)).toEqual(['Forbidden', 'Forbidden'])
      for (const one of [stream, stranger.stream]) one.cut()
    },
  )

  test('actions of the bot reach the page', async () => {
    const { conversation, user, key, stream } = await visit(`/${clientId}/initialize`)
    const act = (action: string, input: Json) =>
      scene.call('POST', '/v1/chat/actions', {
        headers: scene.asBot,
        body: {
          type: `webchat:${action}`,
          input: { conversationId: conversation.id, ...input },
        },
      })
    await act('startTypingIndicator', {})
    await act('stopTypingIndicator', {})
    await act('toggleWebchat', {})
    await act('configWebchat', { config: '{"color":"#f00"}' })
    await act('customEvent', { event: '{"a":1}' })
    expect((await act('customEvent', { event: '[1]' })).body.type).toBe('InvalidPayload')
    await expect
      .poll(() => stream.frames.slice(1).map(({ type, data }) => [type, data]))
      .toEqual([
        ['typing_started', {}],
        ['typing_stopped', {}],
        ['webchat_visibility', { visibility: 'toggle' }],
        ['webchat_config', { config: { color: '#f00' } }],
        ['custom', { event: { a: 1 } }],
      ])
    await call('PUT', `/${clientId}/users/me`, key, { userData: { plan: 'free' } })
    const { body } = await act('getUserData', { userId: user.id })
    expect(body.output).toEqual({ userData: { plan: 'free' } })
    stream.cut()
  })
})

describe('users', () => {
  const jwt = (claims: Json, by: string) => {
    const encode = (value: Json) =>
      Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
    return `${signed}.${createHmac('sha256', by).update(signed).digest('base64url')}`
  }
  const create = (body: Json, headers: Json = {}) =>
    call('POST', `/${clientId}/users`, undefined, body, headers)

  test('have data and attributes, which only they see', async () => {
    const { status, body } = await create({
      name: 'Ann',
      userData: { deep: { a: [1] } },
      attributes: { plan: 'pro', old: 'x' },
    })
    expect([status, body.user]).toMatchObject([
      201,
      { name: 'Ann', data: { deep: { a: [1] } }, attributes: { plan: 'pro', old: 'x' } },
    ])
    const update = await call('PUT', `/${clientId}/users/me`, body.key, {
      userData: null,
      attributes: { old: null, new: 'y' },
    })
    expect([update.body.user.data, update.body.user.attributes]).toEqual([
      undefined,
      { plan: 'pro', new: 'y' },
    ])
    const visited = await visit(`/${clientId}/initialize`, body.key)
    expect(visited.participants.find(({ id }) => id === body.user.id)).toEqual({
      id: body.user.id,
      name: 'Ann',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(visited.user).toMatchObject({ attributes: { plan: 'pro', new: 'y' } })
    visited.stream.cut()
  })

  test.each<[string, Json, string]>([
    ['data signed by others', { userData: 'x.y.z' }, 'InvalidPayload'],
    ['an empty signature', { userData: '' }, 'InvalidPayload'],
    ['an attribute that is no text', { attributes: { a: 1 } }, 'InvalidPayload'],
    ['too much data', { userData: { a: 'x'.repeat(70_000) } }, 'LimitExceeded'],
    [
      'too many attributes',
      {
        attributes: Object.fromEntries(
          Array.from({ length: 101 }, (_, i) => [`a${i}`, 'x']),
        ),
      },
      'LimitExceeded',
    ],
  ])('rejects %s', async (_, body, type) => {
    expect((await create(body)).body.type).toBe(type)
  })

  test('accepts data that the owner signed', async () => {
    const { body } = await create({
      userData: jwt({ verified: true, iat: 1 }, secret),
      attributes: jwt({ plan: 'pro' }, secret),
    })
    expect([body.user.data, body.user.attributes]).toEqual([
      { verified: true },
      { plan: 'pro' },
    ])
    expect((await create({ userData: jwt({ a: 1 }, 'other') })).body.type).toBe(
      'InvalidPayload',
    )
    const numbers = await create({ attributes: jwt({ plan: 1 }, secret) })
    expect(numbers.body.type).toBe('InvalidPayload')
  })

  test('the owner generates keys with the admin secret', async () => {
    const { body: made } = await create({})
    const generate = (sent: Json, body: Json = { id: made.user.id }) =>
      call('POST', `/${clientId}/users/key`, undefined, body, sent)
    const right = { 'x-admin-secret': secret }
    const { status, body } = await generate(right)
    expect(status).toBe(200)
    expect((await call('GET', `/${clientId}/users/me`, body.key)).body.user.id).toBe(
      made.user.id,
    )
    const past = await generate(right, {
      id: made.user.id,
      expiresAt: Date.now() - 60_000,
    })
    expect((await call('GET', `/${clientId}/users/me`, past.body.key)).status).toBe(401)
    expect((await generate({})).body.type).toBe('Unauthorized')
    expect((await generate({ 'x-admin-secret': 'wrong' })).body.type).toBe('Unauthorized')
    expect((await create({}, { 'x-admin-secret': 'wrong' })).body.type).toBe(
      'Unauthorized',
    )
    for (const id of ['user_none', scene.botId, (await scene.chatUser()).id])
      expect((await generate(right, { id })).body.type).toBe('ResourceNotFound')
    const ofChat = `/${scene.webhookId}/users/key`
    const without = await call('POST', ofChat, undefined, { id: 'x' }, right)
    expect(without.body.type).toBe('Forbidden')
  })

  test('with an encryption key, users need a key that is signed with it', async () => {
    const own = await install('own', { encryptionKey: 'mine', adminSecret: secret })
    expect((await call('POST', `/${own}/users`, undefined, {})).body.type).toBe(
      'Unauthorized',
    )
    expect((await call('GET', `/${own}/initialize`)).body.type).toBe('Unauthorized')
    const admitted = await call(
      'POST',
      `/${own}/users`,
      undefined,
      {},
      { 'x-admin-secret': secret },
    )
    expect(admitted.status).toBe(201)
    const signed = jwt({ id: 'ann-of-shop' }, 'mine')
    const first = await visit(`/${own}/initialize`, signed)
    const again = await visit(`/${own}/initialize`, signed)
    expect([first.user.id, again.user.id, again.key]).toEqual([
      'ann-of-shop',
      'ann-of-shop',
      signed,
    ])
    for (const { stream } of [first, again]) stream.cut()
  })
})

describe('conversations and participants', () => {
  test('are listed with their last messages, for their participants only', async () => {
    const ann = await visit(`/${clientId}/initialize`)
    const bob = await visit(`/${clientId}/initialize`)
    const empty = await call('POST', `/${clientId}/conversations`, ann.key, {})
    await say(ann.conversation.id, 'text', { text: 'first' })
    await say(ann.conversation.id, 'image', { imageUrl: 'https://example.org/a.png' })
    const { body } = await call('GET', `/${clientId}/conversations`, ann.key)
    expect(
      body.conversations.map(({ id, lastMessage }: Json) => [id, lastMessage]),
    ).toEqual([
      [empty.body.conversation.id, undefined],
      [
        ann.conversation.id,
        expect.objectContaining({ payload: expect.objectContaining({ type: 'image' }) }),
      ],
    ])
    const { updatedAt, lastMessage } = body.conversations[1]
    expect(updatedAt >= lastMessage.createdAt).toBe(true)
    const at = `/${clientId}/conversations/${ann.conversation.id}`
    for (const [method, path] of [
      ['GET', at],
      ['DELETE', at],
      ['GET', `${at}/messages`],
      ['GET', `${at}/participants`],
      ['GET', `${at}/participants/${ann.user.id}`],
      ['DELETE', `${at}/participants/${ann.user.id}`],
      ['GET', `${at}/listen`],
    ] as const)
      expect([path, (await call(method, path, bob.key)).body.type]).toEqual([
        path,
        'Forbidden',
      ])
    const added = await call('POST', `${at}/participants`, ann.key, {
      userId: bob.user.id,
    })
    expect(added.body.participant.id).toBe(bob.user.id)
    await expect
      .poll(() => ann.stream.frames.at(-1))
      .toMatchObject({
        type: 'participant_added',
        data: { conversationId: ann.conversation.id, participant: { id: bob.user.id } },
      })
    const there = (await call('GET', `${at}/participants`, bob.key)).body.participants
    expect(there.map(({ id }: Json) => id)).toContain(bob.user.id)
    expect((await call('GET', `${at}/participants/${bob.user.id}`, ann.key)).status).toBe(
      200,
    )
    const listener = openSseReader(() => `${url}${at}/listen`, bob.key)
    expect(await listener.open()).toBe(200)
    await say(ann.conversation.id, 'text', { text: 'to both' })
    await expect.poll(() => types(listener)).toContain('message_created')
    await call('DELETE', `${at}/participants/${bob.user.id}`, ann.key)
    await listener.ended()
    await expect.poll(() => types(ann.stream)).toContain('participant_removed')
    expect((await call('DELETE', at, ann.key)).status).toBe(200)
    for (const { stream } of [ann, bob]) stream.cut()
  })
})

describe('files', () => {
  test('are uploaded by the visitor, belong to it and are never indexed', async () => {
    const { user, key, stream } = await visit(`/${clientId}/initialize`)
    const content = 'not really a picture'
    // The URLs contain the address of the server, which only a request over the network has.
    const reply = await fetch(`${url}/${clientId}/files`, {
      method: 'POST',
      headers: { 'x-user-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        key: 'abc123-photo.png',
        size: content.length,
        accessPolicies: ['public_content'],
        index: true,
        tags: { source: 'me', user: 'someone' },
      }),
    })
    const body = (await reply.json()) as { file: UploadableFile }
    expect(reply.status).toBe(201)
    expect(body.file).toMatchObject({
      contentType: 'image/png',
      index: false,
      key: `${user.id}/abc123-photo.png`,
      owner: { type: 'user', id: user.id },
      tags: { source: 'integration', integrationName: 'webchat', user: user.id },
    })
    const days = (Date.parse(body.file.expiresAt!) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
    const headers = { 'content-type': 'image/png', 'x-amz-tagging': 'public=true' }
    const uploaded = await fetch(body.file.uploadUrl, {
      method: 'PUT',
      headers,
      body: content,
    })
    expect(uploaded.status).toBe(200)
    expect(await (await fetch(body.file.url)).text()).toBe(content)
    // Another visitor with the same key gets another file.
    const other = await visit(`/${clientId}/initialize`)
    const second = await call('POST', `/${clientId}/files`, other.key, {
      key: 'abc123-photo.png',
      size: 3,
    })
    expect(second.body.file.id).not.toBe(body.file.id)
    expect(await (await fetch(body.file.url)).text()).toBe(content)
    for (const one of [stream, other.stream]) one.cut()
  })

  test.each<[string, Json, number, string]>([
    ['no size', { key: 'a' }, 400, 'InvalidPayload'],
    ['an empty key', { key: '', size: 1 }, 400, 'InvalidPayload'],
    ['a long key', { key: 'k'.repeat(2000), size: 1 }, 400, 'InvalidPayload'],
    ['a large file', { key: 'a', size: 104_857_601 }, 413, 'LimitExceeded'],
    ['a negative size', { key: 'a', size: -1 }, 400, 'InvalidPayload'],
    [
      'a far expiry',
      { key: 'a', size: 1, expiresAt: '2100-01-01T00:00:00Z' },
      413,
      'LimitExceeded',
    ],
    [
      'an unknown policy',
      { key: 'a', size: 1, accessPolicies: ['all'] },
      400,
      'InvalidPayload',
    ],
  ])('%s', async (_, body, status, type) => {
    const { body: made } = await call('POST', `/${clientId}/users`, undefined, {})
    const reply = await call('POST', `/${clientId}/files`, made.key, body)
    expect([reply.status, reply.body.type ?? '']).toEqual([status, type])
  })
})

test('stores no files of visitors where the appearance excludes them', async () => {
  const chat = await install('without-files', { appearance: { uploads: false } })
  const { body: made } = await call('POST', `/${chat}/users`, undefined, {})
  const reply = await call('POST', `/${chat}/files`, made.key, { key: 'a', size: 1 })
  expect([reply.status, reply.body.type]).toEqual([403, 'Forbidden'])
})

describe('origins', () => {
  const page = 'https://shop.example'
  const from = (origin: string, path: string, method: 'GET' | 'OPTIONS' = 'GET') =>
    scene.app.server.inject({
      method,
      url: path,
      headers: {
        origin,
        host: 'bots.example.org',
        'access-control-request-headers': 'timeout',
      },
    })

  test('every response can be read by pages, also of unknown client ids', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    for (const [path, status] of [
      [`/${unknown}/initialize`, 404],
      [`/${unknown}/conversations`, 404],
      [`/${clientId}/users/me`, 401],
      [`/${clientId}/conversations/%00`, 400],
      [`/webchat/${clientId}/nothing`, 404],
      [`//${clientId}//users//me`, 401],
    ] as const) {
      const reply = await from(page, path)
      expect([
        path,
        reply.statusCode,
        reply.headers['access-control-allow-origin'],
      ]).toEqual([path, status, '*'])
      expect(reply.json()).toMatchObject({
        id: expect.stringMatching(/^err_/),
        code: status,
      })
      if (status === 400) continue
      const preflight = await from(page, path, 'OPTIONS')
      expect([
        path,
        preflight.statusCode,
        preflight.headers['access-control-allow-headers'],
      ]).toEqual([path, 204, 'timeout'])
    }
    const listed = await from('https://listed.example', `/${clientId}/users/me`)
    expect(listed.headers['access-control-allow-credentials']).toBe('true')
  })

  test('a request that names a tunnel still reaches the tunnel', async () => {
    const reply = await from(page, '/0b3c2a52-8c5c-4f0e-9d2f-000000000000/')
    expect(reply.json()).toMatchObject({ code: 503, type: 'Unavailable' })
  })

  test.each(['chat', 'webchat'])('a bot limits the origins of its %s', async (name) => {
    const bot = await scene.call('POST', '/v1/admin/bots', {
      headers: byAlias(),
      body: {},
    })
    const { id, integrations } = bot.body.bot
    const set = (allowedOrigins: string[]) =>
      name === 'chat'
        ? scene.call('PUT', `/v1/admin/bots/${id}`, {
            headers: byAlias(),
            body: { integrations: { chat: { configuration: { allowedOrigins } } } },
          })
        : install('webchat', { allowedOrigins }, id)
    const reply = await set([page])
    const client = typeof reply === 'string' ? reply : integrations.chat.webhookId
    const paths = [
      `/${client}/initialize`,
      `/${client}/users/me`,
      `/chat/${client}/users/me`,
    ]
    for (const path of paths) {
      const stranger = await from('https://evil.example', path)
      expect([
        path,
        stranger.json().type,
        stranger.headers['access-control-allow-origin'],
      ]).toEqual([path, 'Forbidden', '*'])
    }
    for (const origin of [page, 'https://bots.example.org']) {
      const allowed = await from(origin, `/${client}/users/me`)
      expect([origin, allowed.json().type]).toEqual([origin, 'Unauthorized'])
    }
    for (const origin of [
      'https://shop.example.evil.example',
      'http://shop.example',
      'null',
    ])
      expect((await from(origin, `/${client}/users/me`)).json().type).toBe('Forbidden')
    // Other programs send no origin.
    expect((await call('GET', `/${client}/users/me`)).body.type).toBe('Unauthorized')
  })

  test('every operation of a chat rejects pages of other origins', async () => {
    const bot = await scene.call('POST', '/v1/admin/bots', {
      headers: byAlias(),
      body: {},
    })
    const { id, integrations } = bot.body.bot
    await scene.call('PUT', `/v1/admin/bots/${id}`, {
      headers: byAlias(),
      body: { integrations: { chat: { configuration: { allowedOrigins: [page] } } } },
    })
    const routes = [families.chat, families.live, families.webchat].flatMap(
      ({ prefix, served }) =>
        Object.values(served)
          .flatMap((group) => Object.values(group as Group))
          .map(({ method, path }) => ({ method, path: prefix + path })),
    )
    expect(routes.length).toBeGreaterThan(40)
    const chat = '/chat/{webhookId}'
    for (const path of [`${chat}/hello`, `${chat}/openapi.json`])
      routes.push({ method: 'GET', path })
    for (const name of ['settings.json', 'config.js'])
      routes.push({ method: 'GET', path: `/webchat/{webhookId}/${name}` })
    const strangers = [
      'https://evil.example',
      'null',
      `${page}:444`,
      page.toUpperCase(),
      `${page}.`,
    ]
    for (const { method, path } of routes) {
      const url = path
        .replace('{webhookId}', integrations.chat.webhookId)
        .replaceAll(/\{\w+\}/g, 'x')
      for (const origin of strangers) {
        const { statusCode } = await scene.app.server.inject({
          method,
          url,
          headers: { origin },
        })
        expect([method, url, origin, statusCode]).toEqual([method, url, origin, 403])
      }
    }
    const path = `/chat/${integrations.chat.webhookId}/conversations/x/listen`
    for (const [origin, status] of [
      ['null', /Unexpected.*403/],
      [page, /Unexpected.*401/],
    ] as const) {
      const socket = new WebSocket(url.replace('http', 'ws') + path, { origin })
      const error = await new Promise<Error>((resolve) => socket.on('error', resolve))
      expect([origin, error.message]).toEqual([origin, expect.stringMatching(status)])
    }
  })

  test('rejects an allowed origin that is not an origin', async () => {
    for (const allowedOrigins of [
      ['shop.example'],
      ['https://shop.example/path'],
      'https://a',
    ])
      expect(
        (
          await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
            headers: byAlias(),
            body: { integrations: { chat: { configuration: { allowedOrigins } } } },
          })
        ).body.type,
      ).toBe('InvalidDataFormat')
  })

  test.each([
    ['www.example.org', 'https://www.example.org'],
    ['https://www.example.org/', 'https://www.example.org'],
    ['http://WWW.example.org:80/chat', 'http://www.example.org'],
    ['…', 'https://www.example.org'],
    ['https://Bücher.example', 'https://xn--bcher-kva.example'],
    ['javascript:alert(1)', 'https://www.example.org'],
  ])('names the origin to write in place of %s', async (wrong, right) => {
    const { status, body } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: byAlias(),
      body: { integrations: { chat: { configuration: { allowedOrigins: [wrong] } } } },
    })
    expect(status).toBe(400)
    expect(body.message).toContain(
      `"${wrong}" is not an origin. Write ${right}, without a path`,
    )
  })
})

test('accepts performance figures', async () => {
  const figure = { duration: 12.5, event: 'first-message', properties: {} }
  expect((await call('POST', `/${clientId}/p`, undefined, figure)).body).toEqual({})
  expect((await call('POST', `/${clientId}/p`, undefined, {})).body.type).toBe(
    'InvalidPayload',
  )
})
