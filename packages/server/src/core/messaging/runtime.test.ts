// The Runtime API over HTTP: permissions, errors and results.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
/** Ids of a conversation of `tg` with one user, one message and one event. */
const existing: Record<string, string> = {}
const absent = {
  conversation: 'conv_01J0000000000000000NOWHERE0',
  user: 'user_01J0000000000000000NOWHERE0',
  message: 'msg_01J00000000000000000NOWHERE0',
  event: 'evt_01J00000000000000000NOWHERE0',
}

type Caller = 'bot' | 'tg' | 'other' | 'stranger' | 'nobody'
const toHeaders = (as: Caller): Record<string, string> =>
  ({
    bot: scene.asBot,
    tg: scene.asTg,
    other: scene.asOther,
    stranger: scene.asStranger,
    nobody: { 'x-bot-id': scene.botId },
  })[as]

const call = (as: Caller, line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/chat/${path}`, { headers: toHeaders(as), body })
}
/** Replaces `{conversation}` and the like in a line or body by ids from `names`. */
const filled = <T>(value: T, names = existing): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (_, name) => names[name] ?? ''),
  )

beforeAll(async () => {
  scene = await openRuntimeScene()
  existing.bot = scene.botId
  existing.user = (
    await call('tg', 'POST users', { tags: { id: '1' }, name: 'Ann' })
  ).body.user.id
  existing.conversation = (
    await call('tg', 'POST conversations', { channel: 'dm', tags: { id: '1' } })
  ).body.conversation.id
  const first = {
    conversationId: existing.conversation,
    userId: existing.user,
    type: 'text',
    payload: { text: 'hi' },
    tags: { id: '1' },
  }
  existing.message = (await call('tg', 'POST messages', first)).body.message.id
  existing.event = (
    await call('tg', 'POST events', {
      type: 'added',
      payload: { content: 'x' },
      conversationId: existing.conversation,
    })
  ).body.event.id
})
afterAll(() => scene.close())

const message = {
  conversationId: '{conversation}',
  userId: '{user}',
  type: 'text',
  payload: {},
  tags: {},
}
/**
 * For each operation: a valid call, an invalid body, and the named object that other callers must
 * not reach.
 */
const operations: [
  name: string,
  line: string,
  good: unknown,
  bad: unknown,
  reaches?: 'conversation' | 'user' | 'message' | 'event',
][] = [
  ['createConversation', 'POST conversations', { channel: 'dm', tags: {} }, { tags: {} }],
  [
    'getOrCreateConversation',
    'POST conversations/get-or-create',
    { channel: 'dm', tags: { id: '1' } },
    { channel: 'dm', tags: { id: 1 } },
  ],
  [
    'getConversation',
    'GET conversations/{conversation}',
    undefined,
    undefined,
    'conversation',
  ],
  ['listConversations', 'GET conversations', undefined, undefined],
  [
    'updateConversation',
    'PUT conversations/{conversation}',
    { tags: { room: 'a' } },
    { tags: [] },
    'conversation',
  ],
  [
    'addParticipant',
    'POST conversations/{conversation}/participants',
    { userId: '{user}' },
    {},
    'conversation',
  ],
  [
    'listParticipants',
    'GET conversations/{conversation}/participants',
    undefined,
    undefined,
    'conversation',
  ],
  [
    'getParticipant',
    'GET conversations/{conversation}/participants/{user}',
    undefined,
    undefined,
    'conversation',
  ],
  ['createMessage', 'POST messages', message, { ...message, payload: 'text' }],
  [
    'getOrCreateMessage',
    'POST messages/get-or-create',
    { ...message, tags: { id: '1' } },
    { ...message, unknown: 1 },
  ],
  ['getMessage', 'GET messages/{message}', undefined, undefined, 'message'],
  ['listMessages', 'GET messages?conversationId={conversation}', undefined, undefined],
  [
    'updateMessage',
    'PUT messages/{message}',
    { tags: { id: '2' } },
    { payload: 1 },
    'message',
  ],
  ['createUser', 'POST users', { tags: {} }, { tags: { id: null } }],
  ['getOrCreateUser', 'POST users/get-or-create', { tags: { id: '1' } }, {}],
  ['getUser', 'GET users/{user}', undefined, undefined, 'user'],
  ['listUsers', 'GET users', undefined, undefined],
  ['updateUser', 'PUT users/{user}', { name: 'Anna' }, { name: 1 }, 'user'],
  [
    'createEvent',
    'POST events',
    { type: 'added', payload: { content: 'y' } },
    { type: 'added' },
  ],
  ['getEvent', 'GET events/{event}', undefined, undefined, 'event'],
  ['listEvents', 'GET events', undefined, undefined],
  [
    'configureIntegration',
    'POST integrations/configure',
    { identifier: 'mine', scheduleRegisterCall: 'bi-monthly', sandboxIdentifiers: null },
    { sandboxIdentifiers: { a: 1 } },
  ],
]
const created = new Set([
  'createConversation',
  'createMessage',
  'createUser',
  'createEvent',
])

describe.each(operations)('%s', (name, line, good, bad, reaches) => {
  test('works for the integration that owns the object', async () => {
    expect(
      await call('tg', filled(line), filled(good ?? null) ?? undefined),
    ).toMatchObject({
      status: created.has(name) ? 201 : 200,
    })
  })
  test('requires a token', async () => {
    expect(
      await call('nobody', filled(line), filled(good ?? null) ?? undefined),
    ).toMatchObject({
      status: 401,
      body: { type: 'Unauthorized' },
    })
  })
  if (bad !== undefined)
    test('rejects a body that violates the contract', async () => {
      expect(await call('tg', filled(line), filled(bad))).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
    })
  if (reaches !== undefined)
    test.each(['other', 'stranger'] as const)(
      'answers the caller "%s" as if the object did not exist',
      async (as) => {
        const { body: random } = await call(
          as,
          filled(line, { ...existing, ...absent }),
          filled(good ?? null) ?? undefined,
        )
        const { status, body } = await call(
          as,
          filled(line),
          filled(good ?? null) ?? undefined,
        )
        expect([status, body.type]).toEqual([404, 'ResourceNotFound'])
        expect(body.message.replace(existing[reaches]!, absent[reaches])).toBe(
          random.message,
        )
      },
    )
})

test('delivers an incoming message to the bot, with tag names of the bot', async () => {
  const sent = await call(
    'tg',
    'POST messages',
    filled({ ...message, payload: { text: 'in' }, tags: { id: 'in' } }),
  )
  expect(sent.body.message).toMatchObject({ direction: 'incoming', tags: { id: 'in' } })
  const [last] = (await scene.heard('event_received', 1))
    .filter(({ body }) => body.event.messageId === sent.body.message.id)
    .concat(await arrived(sent.body.message.id))
  expect(last!.body.event.payload).toMatchObject({
    message: { id: sent.body.message.id, tags: { 'tg:id': 'in' } },
    user: { id: existing.user, tags: { 'tg:id': '1' } },
    conversation: {
      id: existing.conversation,
      integration: 'tg',
      tags: { 'tg:id': '1' },
    },
  })
})

async function arrived(messageId: string) {
  for (
    const until = Date.now() + 5_000;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 10))
  ) {
    const found = scene.invoked.filter(({ body }) => body?.event?.messageId === messageId)
    if (found.length) return found
  }
  return []
}

test('delivers an outgoing message to the integration, with tag names of the integration', async () => {
  const sent = await call(
    'bot',
    'POST messages',
    filled({ ...message, userId: '{bot}', payload: { text: 'out' }, tags: {} }),
  )
  expect(sent.body.message).toMatchObject({ direction: 'outgoing', userId: scene.botId })
  const calls = await scene.heard('message_created', 1)
  expect(calls.at(-1)).toMatchObject({
    headers: { 'x-integration-alias': 'tg' },
    body: {
      type: 'text',
      payload: { text: 'out' },
      conversation: { id: existing.conversation, channel: 'dm', tags: { id: '1' } },
      user: { id: scene.botId },
    },
  })
})

test('stores a synthetic message and does not deliver it', async () => {
  const before = scene.invoked.length
  const sent = await call(
    'tg',
    'POST messages',
    filled({ ...message, userId: '{bot}', origin: 'synthetic' }),
  )
  expect(sent.body.message).toMatchObject({ direction: 'outgoing', origin: 'synthetic' })
  const theirs = await call(
    'tg',
    'POST messages',
    filled({ ...message, origin: 'synthetic' }),
  )
  expect(theirs.body.message).toMatchObject({
    direction: 'incoming',
    origin: 'synthetic',
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(
    scene.invoked
      .slice(before)
      .filter(({ body }) =>
        [sent, theirs].some((one) => JSON.stringify(body).includes(one.body.message.id)),
      ),
  ).toEqual([])
})

test.each<[string, Caller, string, unknown, number, string]>([
  [
    'an unknown conversation',
    'tg',
    'POST messages',
    { ...message, conversationId: absent.conversation },
    404,
    'ResourceNotFound',
  ],
  [
    'an unknown author',
    'tg',
    'POST messages',
    { ...message, userId: absent.user },
    400,
    'ReferenceNotFound',
  ],
  [
    'an unknown author, by the bot',
    'bot',
    'POST messages',
    { ...message, userId: absent.user },
    400,
    'ReferenceNotFound',
  ],
  [
    "another integration's conversation",
    'other',
    'POST messages',
    message,
    404,
    'ResourceNotFound',
  ],
  [
    "another bot's conversation",
    'stranger',
    'POST messages',
    message,
    404,
    'ResourceNotFound',
  ],
  [
    'an undeclared tag',
    'tg',
    'POST messages',
    { ...message, tags: { mood: 'x' } },
    400,
    'InvalidPayload',
  ],
  [
    "an integration's tag set by the bot",
    'bot',
    'POST users',
    { tags: { 'tg:id': 'x' } },
    400,
    'InvalidPayload',
  ],
  [
    'an unknown channel',
    'tg',
    'POST conversations',
    { channel: 'mail', tags: {} },
    400,
    'InvalidPayload',
  ],
  [
    'an unknown integration',
    'bot',
    'POST conversations',
    { channel: 'dm', integrationName: 'mail', tags: {} },
    400,
    'ReferenceNotFound',
  ],
  [
    'a conversation without the integration, of two installed',
    'bot',
    'POST conversations',
    { channel: 'dm', tags: {} },
    400,
    'InvalidPayload',
  ],
  [
    'discriminating tags that are absent',
    'tg',
    'POST users/get-or-create',
    { tags: { id: '1' }, discriminateByTags: ['lang'] },
    400,
    'InvalidPayload',
  ],
  [
    'an undeclared event',
    'tg',
    'POST events',
    { type: 'removed', payload: {} },
    400,
    'InvalidPayload',
  ],
  [
    'an event payload that violates the schema',
    'tg',
    'POST events',
    { type: 'added', payload: { content: 1 } },
    400,
    'InvalidPayload',
  ],
  [
    "an event in another integration's conversation",
    'other',
    'POST events',
    { type: 'added', payload: { content: 'x' }, conversationId: '{conversation}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'an event of an unknown workflow',
    'bot',
    'POST events',
    { type: 'a', payload: {}, workflowId: 'wrkflow_01J0000000000000NOWHERE00' },
    400,
    'ReferenceNotFound',
  ],
  [
    'an unknown participant',
    'tg',
    'GET conversations/{conversation}/participants/nobody',
    undefined,
    404,
    'ResourceNotFound',
  ],
  [
    'removal of an unknown participant',
    'tg',
    'DELETE conversations/{conversation}/participants/nobody',
    {},
    404,
    'ResourceNotFound',
  ],
  [
    'addition of an unknown user',
    'tg',
    'POST conversations/{conversation}/participants',
    { userId: absent.user },
    400,
    'ReferenceNotFound',
  ],
  ['deletion of the bot', 'bot', 'DELETE users/{bot}', {}, 403, 'Forbidden'],
  [
    "another integration's event",
    'other',
    'GET events/{event}',
    undefined,
    404,
    'ResourceNotFound',
  ],
  ['configuration by a bot', 'bot', 'POST integrations/configure', {}, 403, 'Forbidden'],
  [
    'a page token of another listing',
    'bot',
    'GET users?nextToken=AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    undefined,
    400,
    'InvalidQuery',
  ],
  [
    'an invalid date',
    'bot',
    'GET messages?afterDate=yesterday',
    undefined,
    400,
    'InvalidQuery',
  ],
  [
    'a repeated tag',
    'bot',
    'GET users?tags.a=1&tags.a=2',
    undefined,
    400,
    'InvalidQuery',
  ],
  ['tags without names', 'bot', 'GET users?tags=1', undefined, 400, 'InvalidQuery'],
  ['NUL in a tag', 'bot', 'GET users?tags.a=%00', undefined, 400, 'InvalidPayload'],
  [
    'NUL among participants',
    'bot',
    'GET conversations?participantIds=a&participantIds=%00',
    undefined,
    400,
    'InvalidPayload',
  ],
  ['NUL in an id', 'bot', 'GET users/%00', undefined, 400, 'InvalidPayload'],
  [
    'an action called by an integration',
    'tg',
    'POST actions',
    { type: 'x', input: {} },
    403,
    'Forbidden',
  ],
])('rejects %s', async (_, as, line, body, status, type) => {
  const reply = await call(
    as,
    filled(line),
    body === undefined ? undefined : filled(body),
  )
  expect([reply.status, reply.body.type]).toEqual([status, type])
})

test('a page token continues its own listing and is rejected for other callers and queries', async () => {
  const room = { channel: 'dm', tags: { room: 'pages' } }
  const made: string[] = []
  for (let i = 0; i < 5; i++)
    made.unshift((await call('tg', 'POST conversations', room)).body.conversation.id)
  const ids: string[] = []
  let query = 'tags.room=pages&pageSize=2'
  let token = ''
  do {
    const { body } = await call(
      'tg',
      `GET conversations?${query}${token && `&nextToken=${token}`}`,
    )
    ids.push(...body.conversations.map(({ id }: { id: string }) => id))
    token = body.meta.nextToken ?? ''
    if (token) {
      for (const [as, other] of [
        ['other', query],
        ['bot', query],
        ['stranger', query],
        ['tg', 'tags.room=other'],
      ] as const) {
        expect(
          (await call(as, `GET conversations?${other}&nextToken=${token}`)).body.type,
          `${as}, ${other}`,
        ).toBe('InvalidQuery')
      }
    }
    query = 'pageSize=2&tags.room=pages'
  } while (token)
  expect(ids).toEqual(made)
})

test.each([
  ['users', 'users'],
  ['messages', 'messages'],
  ['events', 'events'],
  ['conversations', 'conversations'],
  ['messages?conversationId={conversation}', 'messages'],
  ['conversations/{conversation}/participants', 'participants'],
])('GET %s returns a bot the same rows in pages as at once', async (path, field) => {
  const line = filled(path.includes('?') ? `${path}&` : `${path}?`)
  const whole = (await call('bot', `GET ${line}pageSize=100`)).body[field].map(
    ({ id }: { id: string }) => id,
  )
  const paged: string[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const { body }: Awaited<ReturnType<typeof call>> = await call(
      'bot',
      `GET ${line}pageSize=1${token && `&nextToken=${encodeURIComponent(token)}`}`,
    )
    paged.push(...body[field].map(({ id }: { id: string }) => id))
    token = body.meta.nextToken
  }
  expect(paged).toEqual(whole)
})

test('adding and removing a user sends signals to chat listeners', async () => {
  const ann = await scene.chatUser({ id: 'ann' })
  const bob = await scene.chatUser({ id: 'bob' })
  await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers: ann.headers,
    body: { id: 'talk' },
  })
  const [conversation] = (
    await call('bot', 'GET conversations?integrationName=chat&tags.chat:fid=talk')
  ).body.conversations
  const [user] = (await call('bot', 'GET users?tags.chat%3Afid=bob')).body.users
  const received: unknown[] = []
  const stop = scene.app.services.signals.listen(scene.botId, conversation.id, '0', {
    userId: 'x',
    send: (signal) => received.push(signal),
    end: () => {},
  })
  await call('bot', `POST conversations/${conversation.id}/participants`, {
    userId: user.id,
  })
  await call('bot', `POST conversations/${conversation.id}/participants`, {
    userId: user.id,
  })
  await call('bot', `DELETE conversations/${conversation.id}/participants/${user.id}`)
  const data = { conversationId: 'talk', participantId: bob.id }
  await expect
    .poll(() => received)
    .toEqual([
      { number: '1', type: 'participant_added', data },
      { number: '2', type: 'participant_removed', data },
    ])
  stop()
})

test('deletes conversations and users with their messages', async () => {
  const user = (await call('tg', 'POST users', { tags: {} })).body.user.id
  const conversation = (
    await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
  ).body.conversation.id
  const first = (
    await call('tg', 'POST messages', {
      ...message,
      conversationId: conversation,
      userId: user,
    })
  ).body.message.id
  const other = (await call('tg', 'POST messages', filled({ ...message, userId: user })))
    .body.message.id
  expect((await call('tg', `DELETE conversations/${conversation}`)).body).toEqual({})
  expect((await call('tg', `GET messages/${first}`)).status).toBe(404)
  expect((await call('tg', `DELETE users/${user}`, {})).body).toEqual({})
  expect((await call('tg', `GET messages/${other}`)).status).toBe(404)
  expect((await call('tg', `DELETE users/${user}`, {})).status).toBe(404)
  expect((await call('tg', `DELETE messages/${other}`, {})).status).toBe(404)
})

test('an event shows its status and failure reason to the bot only', async () => {
  scene.answerWith(() => ({ status: 400, body: { message: 'Not today' } }))
  const { id } = (await call('bot', 'POST events', { type: 'mine', payload: { a: 1 } }))
    .body.event
  await expect
    .poll(async () => (await call('bot', `GET events/${id}`)).body.event)
    .toMatchObject({ type: 'mine', status: 'failed', failureReason: 'Not today' })
  expect(
    (await call('bot', 'GET events?status=failed&type=mine')).body.events.map(
      (event: { id: string }) => event.id,
    ),
  ).toEqual([id])
  expect((await call('tg', `GET events/${id}`)).status).toBe(404)
})
