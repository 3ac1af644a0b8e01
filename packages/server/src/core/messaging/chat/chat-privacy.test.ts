// Privacy of conversations: users who never were participants, or no longer are, can neither read
// nor write, and their streams end at once.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { families, type Group } from '@botstead/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { findIdKind } from '../../../../test/support/id-kinds.ts'
import { requestFor, toAddress } from '../../../../test/support/operation-requests.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import {
  getProperties,
  type ServedOperation,
  servedOperations,
} from '../../../../test/support/served-operations.ts'
import { openSseReader, type SseReader } from '../../../../test/support/sse-reader.ts'
import {
  asAdmin,
  asBot,
  asChatUser,
  makeTenant,
  type Tenant,
} from '../../../../test/support/tenants.ts'

type User = { id: string; headers: Record<string, string> }
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

let scene: Scene
let tenant: Tenant
let origin: string
let chat: string
let owner: User
let other: Tenant

beforeAll(async () => {
  scene = await openScene()
  origin = await scene.listen()
  tenant = await makeTenant(scene, 'owner')
  other = await makeTenant(scene, 'other')
  chat = `/chat/${tenant.things.webhook[0]}`
  owner = { id: tenant.things.chosenUser[0]!, headers: asChatUser(tenant) }
}, 30_000)
afterAll(() => scene?.close())

async function newUser(body: object = {}): Promise<User> {
  const { body: made } = await scene.call('POST', `${chat}/users`, { body })
  return { id: made.user.id, headers: { 'x-user-key': made.key } }
}
const call = (as: User | null, method: Method, path: string, body?: unknown) =>
  scene.call(method, chat + path, {
    ...(as && { headers: as.headers }),
    ...(body !== undefined && { body }),
  })
const converse = async (as = owner) =>
  (await call(as, 'POST', '/conversations', {})).body.conversation.id as string
const invite = (conversationId: string, userId: unknown, as: User | null = owner) =>
  call(as, 'POST', `/conversations/${conversationId}/participants`, { userId })
const say = (as: User, conversationId: string, text: string) =>
  call(as, 'POST', '/messages', { conversationId, payload: { type: 'text', text } })

describe('operations on a conversation or its contents reject a user who is not a participant', () => {
  const namesConversation = (operation: ServedOperation) =>
    (['params', 'body'] as const).some((part) =>
      Object.keys(getProperties(operation, part)).some((field) =>
        ['chatConversation', 'chosenConversation', 'chatMessage', 'chatEvent'].includes(
          String(findIdKind(operation, part, field)),
        ),
      ),
    )
  const conversationOperations = servedOperations.filter(
    (operation) =>
      operation.family === 'chat' &&
      namesConversation(operation) &&
      operation.name !== 'chat.createConversation',
  )

  async function leaksTo(as: User): Promise<string[]> {
    const outcomes = conversationOperations.map(async (operation) => {
      const request = { ...requestFor(operation, tenant), headers: as.headers }
      const reply = fetch(origin + toAddress(operation, request), {
        method: request.method,
        headers: { ...request.headers, 'content-type': 'application/json' },
        ...(request.body && {
          body: JSON.stringify({
            ...request.body,
            ...(operation.name === 'chat.getOrCreateConversation' && {
              id: tenant.named,
            }),
          }),
        }),
      })
      const { status } = await reply
      const text = status === 200 && operation.stream ? '' : await (await reply).text()
      return [403, 404].includes(status) && !text.includes(tenant.mark)
        ? []
        : [`${operation.name} ${status} ${text}`]
    })
    return (await Promise.all(outcomes)).flat()
  }

  test('covers more than 12 operations', () =>
    expect(conversationOperations.length).toBeGreaterThan(12))
  test('rejects another user of the same chat', async () =>
    expect(await leaksTo(await newUser())).toEqual([]))
  test('lists no conversations of other users', async () => {
    expect(
      (await call(await newUser(), 'GET', '/conversations')).body.conversations,
    ).toEqual([])
  })
  test('rejects a participant who was removed', async () => {
    const guest = await newUser()
    const [conversationId] = tenant.things.chatConversation
    await invite(conversationId!, guest.id)
    expect(
      (await call(guest, 'GET', `/conversations/${conversationId}/messages`)).body
        .messages.length,
    ).toBeGreaterThan(0)
    expect((await say(guest, conversationId!, 'from within')).status).toBe(201)
    await call(
      owner,
      'DELETE',
      `/conversations/${conversationId}/participants/${guest.id}`,
    )
    expect(await leaksTo(guest)).toEqual([])
  })
  test('rejects a WebSocket with 403', async () => {
    const { headers } = await newUser()
    const socket = new WebSocket(
      `${origin.replace('http', 'ws')}${chat}/conversations/${tenant.things.chatConversation[0]}/listen` +
        `?x-user-key=${headers['x-user-key']}`,
    )
    const [request, response] = await once(socket, 'unexpected-response')
    request.destroy()
    expect(response.statusCode).toBe(403)
  })
})

describe('an open stream ends within a second', () => {
  interface Situation {
    conversationId: string
    guest: User
  }
  const bots = (method: Method, path: string) =>
    scene.call(method, `/v1/chat${path}`, { headers: asBot(tenant) })
  const endings: [
    string,
    boolean,
    (situation: Situation) => Promise<{ status: number }>,
  ][] = [
    [
      'the owner removes the user',
      true,
      ({ conversationId, guest }) =>
        call(
          owner,
          'DELETE',
          `/conversations/${conversationId}/participants/${guest.id}`,
        ),
    ],
    [
      'the bot removes the user',
      true,
      ({ conversationId, guest }) =>
        bots('DELETE', `/conversations/${conversationId}/participants/${guest.id}`),
    ],
    [
      'the user deletes their account',
      true,
      ({ guest }) => call(guest, 'DELETE', '/users/me'),
    ],
    [
      'the bot deletes the user',
      true,
      ({ guest }) => bots('DELETE', `/users/${guest.id}`),
    ],
    [
      'the owner deletes the conversation',
      false,
      ({ conversationId }) => call(owner, 'DELETE', `/conversations/${conversationId}`),
    ],
    [
      'the bot deletes the conversation',
      false,
      ({ conversationId }) => bots('DELETE', `/conversations/${conversationId}`),
    ],
  ]

  async function listen(as: User, conversationId: string): Promise<SseReader> {
    const reader = openSseReader(
      () => `${origin}${chat}/conversations/${conversationId}/listen`,
      as.headers['x-user-key']!,
    )
    expect(await reader.open()).toBe(200)
    return reader
  }
  const within = (ms: number, ended: Promise<unknown>) =>
    Promise.race([ended.then(() => true), pause(ms, false)])
  const getTexts = ({ frames }: SseReader) =>
    frames
      .filter(({ type }) => type === 'message_created')
      .map(({ data }) => data.payload.text)

  test.each(endings)('when %s', async (_, othersStay, end) => {
    const [conversationId, guest] = [await converse(), await newUser()]
    await invite(conversationId, guest.id)
    const [guestReader, ownerReader] = [
      await listen(guest, conversationId),
      await listen(owner, conversationId),
    ]
    const socket = new WebSocket(
      `${origin.replace('http', 'ws')}${chat}/conversations/${conversationId}/listen` +
        `?x-user-key=${guest.headers['x-user-key']}`,
    )
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await say(owner, conversationId, 'before')
    await expect.poll(() => getTexts(guestReader)).toEqual(['before'])

    expect((await end({ conversationId, guest })).status).toBe(200)
    const after = say(owner, conversationId, 'after')
    expect(await within(1_000, Promise.all([guestReader.ended(), closed]))).toBe(true)
    expect(getTexts(guestReader)).toEqual(['before'])
    expect(
      await openSseReader(
        () => `${origin}${chat}/conversations/${conversationId}/listen`,
        guest.headers['x-user-key']!,
      ).open(),
    ).not.toBe(200)
    if (othersStay) {
      await expect.poll(() => getTexts(ownerReader)).toEqual(['before', 'after'])
      ownerReader.cut()
    } else
      expect([await within(1_000, ownerReader.ended()), (await after).status]).toEqual([
        true,
        403,
      ])
    await after
  })

  test('when the bot is deleted', async () => {
    const doomed = await makeTenant(scene, 'doomed')
    const path = `/chat/${doomed.things.webhook[0]}/conversations/${doomed.things.chatConversation[0]}/listen`
    const reader = openSseReader(() => origin + path, doomed.userKey)
    expect(await reader.open()).toBe(200)
    await scene.call('DELETE', `/v1/admin/bots/${doomed.things.bot[0]}`, {
      headers: asAdmin(doomed),
    })
    expect(await within(1_000, reader.ended())).toBe(true)
    expect(await reader.open()).toBe(404)
  })
})

describe('addParticipant', () => {
  test('adds a user, returns the participant and notifies listeners once', async () => {
    const [conversationId, guest] = [
      await converse(),
      await newUser({
        name: 'Gus',
        pictureUrl: 'https://example.org/gus.png',
        profile: 'a guest',
      }),
    ]
    const reader = openSseReader(
      () => `${origin}${chat}/conversations/${conversationId}/listen`,
      owner.headers['x-user-key']!,
    )
    await reader.open()
    const first = await invite(conversationId, guest.id)
    expect(first).toEqual({
      status: 200,
      body: {
        participant: {
          id: guest.id,
          name: 'Gus',
          pictureUrl: 'https://example.org/gus.png',
          profile: 'a guest',
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
          updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    })
    expect((await say(guest, conversationId, 'thank you')).status).toBe(201)
    const again = await Promise.all(
      Array.from({ length: 8 }, () => invite(conversationId, guest.id)),
    )
    expect(again).toEqual(again.map(() => first))
    expect(await invite(conversationId, owner.id)).toMatchObject({
      status: 200,
      body: { participant: { id: owner.id } },
    })
    await say(owner, conversationId, 'the end')
    await expect.poll(() => reader.frames.at(-1)?.data.payload?.text).toBe('the end')
    reader.cut()
    const added = reader.frames.filter(({ type }) => type === 'participant_added')
    expect(added.map(({ data }) => data)).toEqual([
      { conversationId, participantId: guest.id },
    ])
    expect(
      (await call(owner, 'GET', `/conversations/${conversationId}/participants`)).body
        .participants,
    ).toHaveLength(2)
  })

  test('requires the owner and an existing conversation', async () => {
    const [conversationId, guest, stranger] = [
      await converse(),
      await newUser(),
      await newUser(),
    ]
    await invite(conversationId, guest.id)
    const getError = async (reply: ReturnType<typeof invite>) => {
      const { body } = await reply
      return `${body.code} ${body.type}`
    }
    expect({
      unknownId: await getError(invite('conv_01KAJ0ZP5S8V3N7Q4XW2R9TDHM', guest.id)),
      unknownChosenId: await getError(invite('never-was', guest.id)),
      otherTenant: await getError(invite(other.things.chatConversation[0]!, guest.id)),
      otherIntegration: await getError(invite(tenant.things.conversation[0]!, guest.id)),
      byParticipant: await getError(invite(conversationId, stranger.id, guest)),
      byStranger: await getError(invite(conversationId, stranger.id, stranger)),
      withoutKey: await getError(invite(conversationId, guest.id, null)),
    }).toEqual({
      unknownId: '404 ResourceNotFound',
      unknownChosenId: '404 ResourceNotFound',
      otherTenant: '404 ResourceNotFound',
      otherIntegration: '404 ResourceNotFound',
      byParticipant: '403 Forbidden',
      byStranger: '403 Forbidden',
      withoutKey: '401 Unauthorized',
    })
  })

  test('rejects users who are not users of this chat', async () => {
    const conversationId = await converse()
    const unknownIds = [
      'user_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
      'never-was',
      '',
      '__proto__',
      'x'.repeat(5_000),
    ]
    const foreignIds = [
      other.things.chatUser[0]!,
      other.things.chosenUser[0]!,
      other.things.user[0]!,
      tenant.things.user[0]!,
      tenant.things.bot[0]!,
    ]
    for (const userId of [...unknownIds, ...foreignIds]) {
      const { status, body } = await invite(conversationId, userId)
      expect([userId.slice(0, 40), status, body.type]).toEqual([
        userId.slice(0, 40),
        404,
        'ResourceNotFound',
      ])
    }
    expect(
      (await call(owner, 'GET', `/conversations/${conversationId}/participants`)).body
        .participants,
    ).toHaveLength(1)
  })

  test.each([
    ['nothing', undefined],
    ['an empty body', {}],
    ['null for the user', { userId: null }],
    ['a number', { userId: 1 }],
    ['a list', { userId: ['a'] }],
    ['an object', { userId: { id: 'a' } }],
    ['a NUL', { userId: 'a\0b' }],
    ['half a character', { userId: '\ud83e' }],
    ['another name for the user', { user: 'a', id: 'a' }],
    ['a list for a body', [{ userId: 'a' }]],
  ])('rejects %s', async (_, body) => {
    const { status, body: answer } = await call(
      owner,
      'POST',
      `/conversations/${await converse()}/participants`,
      body,
    )
    expect([status, answer.type]).toEqual([400, 'InvalidPayload'])
  })
})

test('every operation rejects the key of a deleted user with 401', async () => {
  const chat = `/chat/${scene.webhookId}`
  const [guest, owner] = [await scene.chatUser(), await scene.chatUser()]
  const start = async (headers: Record<string, string>) =>
    (await scene.call('POST', `${chat}/conversations`, { headers, body: {} })).body
      .conversation.id
  const [own, joined] = [await start(guest.headers), await start(owner.headers)]
  const invitation = { headers: owner.headers, body: { userId: guest.id } }
  await scene.call('POST', `${chat}/conversations/${joined}/participants`, invitation)
  const say = (headers: Record<string, string>, conversationId: string) =>
    scene.call('POST', `${chat}/messages`, {
      headers,
      body: { conversationId, payload: { type: 'text', text: 'x' } },
    })
  // Fills the caches for this user.
  expect((await say(guest.headers, joined)).status).toBe(201)
  const message = (await say(owner.headers, joined)).body.message.id
  const event = { conversationId: joined, payload: { type: 'custom', data: {} } }
  const made = await scene.call('POST', `${chat}/events`, {
    headers: owner.headers,
    body: event,
  })
  const paths: Record<string, [path: string, body?: object]> = {
    createConversation: ['/conversations', {}],
    getOrCreateConversation: ['/conversations/get-or-create', { id: 'mine' }],
    getConversation: [`/conversations/${joined}`],
    deleteConversation: [`/conversations/${own}`],
    listConversations: ['/conversations'],
    listenConversation: [`/conversations/${joined}/listen`],
    createEvent: ['/events', event],
    getEvent: [`/events/${made.body.event.id}`],
    createMessage: [
      '/messages',
      { conversationId: joined, payload: { type: 'text', text: 'x' } },
    ],
    getMessage: [`/messages/${message}`],
    deleteMessage: ['/messages/nothing'],
    listMessages: [`/conversations/${joined}/messages`],
    addParticipant: [`/conversations/${own}/participants`, { userId: owner.id }],
    listParticipants: [`/conversations/${joined}/participants`],
    getParticipant: [`/conversations/${joined}/participants/${owner.id}`],
    removeParticipant: [`/conversations/${own}/participants/${owner.id}`],
    getOrCreateUser: ['/users/get-or-create', {}],
    getUser: ['/users/me'],
    updateUser: ['/users/me', { name: 'x' }],
    deleteUser: ['/users/me'],
  }
  const operations = Object.values(families.chat.served)
    .flatMap((group) => Object.entries(group as Group))
    .filter(([, { access }]) => access === 'chatUser')
  expect(operations.map(([name]) => name).sort()).toEqual(Object.keys(paths).sort())
  const keyed = () =>
    scene.call('POST', `${chat}/messages`, {
      headers: { ...guest.headers, 'idempotency-key': 'before-the-deletion' },
      body: { conversationId: joined, payload: { type: 'text', text: 'once' } },
    })
  expect((await keyed()).status).toBe(201)
  expect((await scene.call('DELETE', `${chat}/users/me`, guest)).status).toBe(200)
  const answers = []
  for (const [name, { method }] of operations) {
    const [path, body] = paths[name]!
    const { status } = await scene.call(method, chat + path, {
      headers: guest.headers,
      body,
    })
    answers.push([name, status])
  }
  expect(answers).toEqual(operations.map(([name]) => [name, 401]))
  expect((await keyed()).status).toBe(401)
  const key = guest.headers['x-user-key']!
  const base = await scene.listen()
  const socket = new WebSocket(
    `${base.replace('http', 'ws')}${chat}/conversations/${joined}/listen?x-user-key=${key}`,
  )
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.on('open', () => resolve(101))
  })
  expect(status).toBe(401)
})
