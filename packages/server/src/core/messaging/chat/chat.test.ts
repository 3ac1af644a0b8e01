// The Chat API's rules: permissions, ids that clients choose, order.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

type User = { id: string; headers: Record<string, string> }

let scene: Scene
let owner: User
let guest: User
let stranger: User

const call = (
  as: User | null,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
) =>
  scene.call(method, `/chat/${scene.webhookId}${path}`, {
    ...(as && { headers: as.headers }),
    ...(body !== undefined && { body }),
  })
const say = (as: User, conversationId: string, text = 'hi') =>
  call(as, 'POST', '/messages', { conversationId, payload: { type: 'text', text } })
const converse = async (as: User, id?: string) =>
  (await call(as, 'POST', '/conversations', id ? { id } : {})).body.conversation
    .id as string

beforeAll(async () => {
  scene = await openScene()
  owner = await scene.chatUser({ id: 'owner', name: 'Olga' })
  guest = await scene.chatUser({ id: 'guest' })
  stranger = await scene.chatUser()
})
afterAll(() => scene.close())

describe('permissions', () => {
  let conversation: string
  let message: string
  let guestMessage: string
  let event: string
  beforeAll(async () => {
    conversation = await converse(owner)
    await call(owner, 'POST', `/conversations/${conversation}/participants`, {
      userId: 'guest',
    })
    message = (await say(owner, conversation)).body.message.id
    guestMessage = (await say(guest, conversation)).body.message.id
    event = (
      await call(owner, 'POST', '/events', {
        conversationId: conversation,
        payload: { a: 1 },
      })
    ).body.event.id
  })

  /**
   * Statuses for the owner, another participant and a non-participant; then for an id that does not
   * exist.
   */
  test.each<
    [
      string,
      'GET' | 'POST' | 'DELETE',
      () => string,
      unknown,
      number,
      number,
      number,
      number,
    ]
  >([
    [
      'getConversation',
      'GET',
      () => `/conversations/${conversation}`,
      undefined,
      200,
      200,
      403,
      404,
    ],
    [
      'listMessages',
      'GET',
      () => `/conversations/${conversation}/messages`,
      undefined,
      200,
      200,
      403,
      403,
    ],
    [
      'listParticipants',
      'GET',
      () => `/conversations/${conversation}/participants`,
      undefined,
      200,
      200,
      403,
      403,
    ],
    [
      'getParticipant',
      'GET',
      () => `/conversations/${conversation}/participants/guest`,
      undefined,
      200,
      403,
      403,
      404,
    ],
    ['getMessage', 'GET', () => `/messages/${message}`, undefined, 200, 200, 403, 404],
    ['getEvent', 'GET', () => `/events/${event}`, undefined, 200, 200, 403, 404],
    [
      'addParticipant',
      'POST',
      () => `/conversations/${conversation}/participants`,
      { userId: 'guest' },
      200,
      403,
      403,
      404,
    ],
    [
      'createEvent',
      'POST',
      () => '/events',
      () => ({ conversationId: conversation, payload: {} }),
      201,
      201,
      403,
      403,
    ],
    [
      'createMessage',
      'POST',
      () => '/messages',
      () => ({ conversationId: conversation, payload: { type: 'text', text: 'x' } }),
      201,
      201,
      403,
      403,
    ],
  ])(
    '%s checks the caller',
    async (_, method, path, body, forOwner, forGuest, forStranger, forNothing) => {
      const request = () => (typeof body === 'function' ? body() : body)
      const nothing = JSON.stringify([path(), request() ?? null])
        .replaceAll(conversation, 'nothing')
        .replaceAll(message, 'nothing')
        .replaceAll(event, 'nothing')
      const [absentPath, absentBody] = JSON.parse(nothing)
      const [asOwner, asGuest, asStranger, absent, withoutKey] = await Promise.all([
        call(owner, method, path(), request()),
        call(guest, method, path(), request()),
        call(stranger, method, path(), request()),
        call(owner, method, absentPath, absentBody ?? undefined),
        call(null, method, path(), request()),
      ])
      expect({
        owner: asOwner.status,
        guest: asGuest.status,
        stranger: asStranger.status,
        absent: absent.status,
        withoutKey: withoutKey.status,
      }).toEqual({
        owner: forOwner,
        guest: forGuest,
        stranger: forStranger,
        absent: forNothing,
        withoutKey: 401,
      })
    },
  )

  test('only the author deletes a message; the owner of the conversation cannot', async () => {
    expect((await call(owner, 'DELETE', `/messages/${guestMessage}`)).body.type).toBe(
      'Forbidden',
    )
    expect(await call(guest, 'DELETE', `/messages/${guestMessage}`)).toEqual({
      status: 200,
      body: {},
    })
    expect((await call(guest, 'GET', `/messages/${guestMessage}`)).body.type).toBe(
      'ResourceNotFound',
    )
  })

  test('only the owner removes participants, and never themselves', async () => {
    expect(
      (await call(guest, 'DELETE', `/conversations/${conversation}/participants/owner`))
        .status,
    ).toBe(403)
    expect(
      (await call(owner, 'DELETE', `/conversations/${conversation}/participants/owner`))
        .body.type,
    ).toBe('InvalidPayload')
    expect(
      (await call(owner, 'DELETE', `/conversations/${conversation}/participants/guest`))
        .body,
    ).toEqual({})
    expect((await say(guest, conversation)).status).toBe(403)
    expect(
      (await call(owner, 'DELETE', `/conversations/${conversation}/participants/guest`))
        .body,
    ).toEqual({})
  })

  test('only the owner deletes a conversation, which deletes its messages', async () => {
    expect((await call(guest, 'DELETE', `/conversations/${conversation}`)).status).toBe(
      403,
    )
    expect(await call(owner, 'DELETE', `/conversations/${conversation}`, {})).toEqual({
      status: 200,
      body: {},
    })
    expect((await call(owner, 'GET', `/messages/${message}`)).status).toBe(404)
    expect((await say(owner, conversation)).status).toBe(403)
  })
})

describe('ids that clients choose', () => {
  test('replace server ids in every operation', async () => {
    const ann = await scene.chatUser({ id: 'ann/of\\the-hills' })
    const id = await converse(ann, 'hills')
    const { body } = await say(ann, id)
    expect(body.message).toMatchObject({
      userId: 'ann/of\\the-hills',
      conversationId: 'hills',
    })
    const participants = await call(ann, 'GET', '/conversations/hills/participants')
    expect(participants.body.participants.map((user: { id: string }) => user.id)).toEqual(
      ['ann/of\\the-hills'],
    )
    expect(
      (await call(ann, 'GET', '/conversations/hills/participants/ann%2Fof%5Cthe-hills'))
        .body.participant.id,
    ).toBe('ann/of\\the-hills')
  })

  test.each([
    ['with a plus', 'a+b'],
    ['too long', 'x'.repeat(71)],
    ['in the form of a server id', 'conv_01KAJ0ZP5S8V3N7Q4XW2R9TDHM'],
    ['with a NUL', 'a\0b'],
    ['of emoji', '🤖'],
  ])('are rejected: %s', async (_, id) => {
    for (const path of ['/conversations', '/conversations/get-or-create'])
      expect((await call(owner, 'POST', path, { id })).body, path).toMatchObject({
        code: 400,
        type: 'InvalidPayload',
      })
    expect((await call(null, 'POST', '/users', { id })).body.type).toBe('InvalidPayload')
  })

  test('are unique, and free again after a deletion', async () => {
    await converse(owner, 'once')
    expect(
      (await call(owner, 'POST', '/conversations', { id: 'once' })).body,
    ).toMatchObject({
      code: 409,
      type: 'AlreadyExists',
    })
    expect((await call(null, 'POST', '/users', { id: 'owner' })).body.type).toBe(
      'AlreadyExists',
    )
    await call(owner, 'DELETE', '/conversations/once')
    expect((await call(guest, 'POST', '/conversations', { id: 'once' })).status).toBe(201)
    // A stale cache must not admit the old owner or reject the new one.
    expect([
      (await say(owner, 'once')).status,
      (await say(guest, 'once')).status,
    ]).toEqual([403, 201])
  })

  test('getOrCreateConversation returns an existing conversation to its owner only', async () => {
    const replies = await Promise.all(
      [1, 2, 3].map(() =>
        call(owner, 'POST', '/conversations/get-or-create', { id: 'again' }),
      ),
    )
    expect(
      replies.map(({ status, body }) => [status, body.conversation.createdAt]),
    ).toEqual(replies.map(() => [201, replies[0]!.body.conversation.createdAt]))
    expect(
      (await call(guest, 'POST', '/conversations/get-or-create', { id: 'again' })).body
        .type,
    ).toBe('Forbidden')
    const ours = await converse(owner)
    expect(
      (await call(owner, 'POST', '/conversations/get-or-create', { id: ours })).body
        .conversation.id,
    ).toBe(ours)
  })
})

describe('users', () => {
  test('are found by their key, updated and deleted', async () => {
    const made = await call(null, 'POST', '/users', {
      id: 'zoe',
      name: 'Zoe',
      profile: 'p',
    })
    expect(made.status).toBe(201)
    const zoe = { id: 'zoe', headers: { 'x-user-key': made.body.key } }
    expect(
      (
        await call(zoe, 'POST', '/users/get-or-create', {
          pictureUrl: 'https://example.org/z.png',
        })
      ).body.user,
    ).toMatchObject({
      id: 'zoe',
      name: 'Zoe',
      pictureUrl: 'https://example.org/z.png',
    })
    expect((await call(zoe, 'PUT', '/users/me', { name: 'Zoë' })).body.user.name).toBe(
      'Zoë',
    )
    expect((await call(zoe, 'GET', '/users/me')).body.user).toMatchObject({
      id: 'zoe',
      name: 'Zoë',
      profile: 'p',
    })
    expect(
      (await call(zoe, 'PUT', '/users/me', { profile: 'x'.repeat(1001) })).body.type,
    ).toBe('InvalidPayload')
    expect((await call(zoe, 'DELETE', '/users/me')).body).toEqual({})
    expect((await call(zoe, 'GET', '/users/me')).body.type).toBe('Unauthorized')
    expect((await call(zoe, 'POST', '/conversations', {})).body.type).toBe('Unauthorized')
    expect((await call(zoe, 'POST', '/users/get-or-create', {})).body.type).toBe(
      'Unauthorized',
    )
  })

  test('are shown to the bot with their chat id and profile as tags', async () => {
    await scene.chatUser({ id: 'tagged', profile: 'vip' })
    const { body } = await scene.call('GET', '/v1/chat/users?tags.chat%3Afid=tagged', {
      headers: scene.asBot,
    })
    expect(body.users.map(({ tags }: { tags: unknown }) => tags)).toEqual([
      { 'chat:fid': 'tagged', 'chat:profile': 'vip' },
    ])
  })
})

describe('messages', () => {
  test.each([
    ['text', { type: 'text', text: 'a' }],
    ['markdown', { type: 'markdown', markdown: '*a*' }],
    [
      'image',
      { type: 'image', imageUrl: 'https://example.org/a.png', extra: { kept: true } },
    ],
    ['location', { type: 'location', latitude: 1.5, longitude: -2 }],
    ['choice', { type: 'choice', text: 'which?', options: [] }],
    [
      'carousel',
      {
        type: 'carousel',
        items: [
          {
            type: 'card',
            title: 't',
            actions: [{ action: 'say', label: 'l', value: 'v' }],
          },
        ],
      },
    ],
    [
      'bloc',
      {
        type: 'bloc',
        items: [
          { type: 'text', text: 'a' },
          { type: 'image', imageUrl: 'https://example.org/a.png' },
        ],
      },
    ],
  ])('of type %s are returned as sent', async (_, payload) => {
    const conversationId = await converse(owner)
    const { status, body } = await call(owner, 'POST', '/messages', {
      conversationId,
      payload,
      metadata: { nested: { a: [1] } },
    })
    expect([status, body.message.payload, body.message.metadata]).toEqual([
      201,
      payload,
      { nested: { a: [1] } },
    ])
    expect(
      (await call(owner, 'GET', `/messages/${body.message.id}`)).body.message,
    ).toEqual(body.message)
  })

  test.each([
    ['no text', { type: 'text' }],
    ['an empty text', { type: 'text', text: '' }],
    ['an unknown type', { type: 'hologram', text: 'a' }],
    ['a number for a text', { type: 'text', text: 1 }],
  ])('are rejected with %s', async (_, payload) => {
    const conversationId = await converse(owner)
    expect(
      (await call(owner, 'POST', '/messages', { conversationId, payload })).body,
    ).toMatchObject({
      code: 400,
      type: 'InvalidPayload',
      id: expect.stringMatching(/^err_\d{14}x[0-9A-F]{8}$/),
    })
  })

  test('get distinct creation times, also when they arrive at once', async () => {
    const conversationId = await converse(owner)
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, i) => say(owner, conversationId, `${i}`)),
    )
    const times = sent
      .map(({ body }) => Date.parse(body.message.createdAt))
      .sort((a, b) => a - b)
    expect(new Set(times).size).toBe(40)
  })

  test('are listed newest first in pages, without repeats or gaps while others arrive', async () => {
    const conversationId = await converse(owner)
    for (let i = 0; i < 45; i++) await say(owner, conversationId, `${i}`)
    const texts: string[] = []
    let query = ''
    for (let page = 0; page < 3; page++) {
      const { body } = await call(
        owner,
        'GET',
        `/conversations/${conversationId}/messages${query}`,
      )
      texts.push(
        ...body.messages.map(
          ({ payload }: { payload: { text: string } }) => payload.text,
        ),
      )
      await say(owner, conversationId, 'late')
      expect('nextToken' in body.meta).toBe(page < 2)
      query = `?nextToken=${encodeURIComponent(body.meta.nextToken ?? '')}`
    }
    expect(texts).toEqual(Array.from({ length: 45 }, (_, i) => `${44 - i}`))
    expect(
      (
        await call(
          owner,
          'GET',
          `/conversations/${conversationId}/messages?nextToken=made-up`,
        )
      ).body.type,
    ).toBe('InvalidQuery')
  })

  test('from the bot cannot be deleted by a chat user', async () => {
    const conversationId = await converse(owner)
    await say(owner, conversationId)
    const found = await scene.call('GET', '/v1/chat/conversations?sortDirection=desc', {
      headers: scene.asBot,
    })
    const { id } = found.body.conversations[0]
    const answer = await scene.call('POST', '/v1/chat/messages', {
      headers: scene.asBot,
      body: {
        conversationId: id,
        userId: scene.botId,
        type: 'carousel',
        payload: { items: [{ title: 't', actions: [] }], metadata: { m: 1 } },
        tags: {},
      },
    })
    expect([answer.status, answer.body.message.direction]).toEqual([201, 'outgoing'])
    const { body } = await call(owner, 'GET', `/messages/${answer.body.message.id}`)
    expect(body.message).toMatchObject({
      payload: { type: 'carousel', items: [{ type: 'card', title: 't' }] },
      metadata: { m: 1 },
      userId: scene.botId,
    })
    expect(
      (await call(owner, 'DELETE', `/messages/${answer.body.message.id}`)).status,
    ).toBe(403)
  })
})

test('lists the conversations that a user owns, newest first, without those they joined', async () => {
  const ann = await scene.chatUser()
  const made = [await converse(ann), await converse(ann), await converse(ann)]
  const joined = await converse(owner)
  await call(owner, 'POST', `/conversations/${joined}/participants`, { userId: ann.id })
  const first = await call(ann, 'GET', '/conversations?pageSize=2')
  const second = await call(
    ann,
    'GET',
    `/conversations?pageSize=2&nextToken=${encodeURIComponent(first.body.meta.nextToken)}`,
  )
  const ids = [...first.body.conversations, ...second.body.conversations].map(
    ({ id }: { id: string }) => id,
  )
  expect([ids, second.body.meta]).toEqual([made.reverse(), {}])
})

test('adds server ids to an event for the bot, and shows it to the chat as sent', async () => {
  const conversationId = await converse(owner, 'for-events')
  const { status, body } = await call(owner, 'POST', '/events', {
    conversationId,
    payload: { foo: 'bar' },
  })
  expect([status, body.event]).toEqual([
    201,
    {
      id: expect.any(String),
      createdAt: expect.any(String),
      payload: { foo: 'bar' },
      conversationId: 'for-events',
      userId: 'owner',
    },
  ])
  expect((await call(owner, 'GET', `/events/${body.event.id}`)).body).toEqual(body)
  const seen = await scene.call('GET', `/v1/chat/events/${body.event.id}`, {
    headers: scene.asBot,
  })
  expect(seen.body.event).toMatchObject({
    type: 'chat:custom',
    payload: {
      payload: { foo: 'bar' },
      userId: expect.stringMatching(/^user_/),
      conversationId: expect.stringMatching(/^conv_/),
    },
  })
})

test.each(['/hello', '/hello/'])('answers %s', async (path) => {
  expect((await call(null, 'GET', path)).status).toBe(200)
})

test('answers 404 for an unknown webhook id, and publishes its specification', async () => {
  expect((await scene.call('GET', `/chat/${scene.webhookId}1234/hello/`)).status).toBe(
    404,
  )
  expect((await call(null, 'GET', '/openapi.json')).body.openapi).toMatch(/^3\.1/)
})
