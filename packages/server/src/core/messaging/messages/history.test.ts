// Messages that are not created one by one: imported history, and messages that a webhook sends
// with their user and conversation.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene.close())

type Caller = 'asTg' | 'asOther' | 'asStranger' | 'asBot'
const call = (as: Caller, line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/chat/${path}`, { headers: scene[as], body })
}
const made = async (line: string, body: unknown) =>
  Object.values((await call('asTg', line, body)).body)[0] as {
    id: string
    createdAt: string
  }
const newUser = () => made('POST users', { tags: {} })
const newConversation = () => made('POST conversations', { channel: 'dm', tags: {} })

interface Participant {
  conversationId: string
  userId: string
}
const newParticipant = async (): Promise<Participant> => ({
  conversationId: (await newConversation()).id,
  userId: (await newUser()).id,
})
const toMessage = (participant: Participant, text: string, more: object = {}) => ({
  ...participant,
  type: 'text',
  payload: { text },
  tags: {},
  ...more,
})
const past = (participant: Participant, createdAt: string, more: object = {}) =>
  toMessage(participant, createdAt, { createdAt, discriminateByTags: [], ...more })
const importMessages = (messages: unknown[], as: Caller = 'asTg') =>
  call(as, 'POST messages/import-messages', { messages })

interface Listed {
  id: string
  createdAt: string
  payload: { text: string }
}
async function pages(query: string, pageSize: number): Promise<Listed[]> {
  const all: Listed[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const { body }: Awaited<ReturnType<typeof call>> = await call(
      'asTg',
      `GET messages?${query}&pageSize=${pageSize}${token && `&nextToken=${token}`}`,
    )
    all.push(...body.messages)
    token = body.meta.nextToken
  }
  return all
}

describe('importMessages', () => {
  test('stores past messages with their own time and delivers no events', async () => {
    const participant = await newParticipant()
    const live = (await call('asTg', 'POST messages', toMessage(participant, 'live')))
      .body.message
    await scene.heard('event_received', 1)
    const before = scene.invoked.length
    const theirs = past(participant, '2021-03-01T10:00:00.000Z', { tags: { id: 'a' } })
    const reply = await importMessages([
      theirs,
      past({ ...participant, userId: scene.botId }, '2021-03-01T09:00:00.000Z'),
    ])
    expect(reply).toMatchObject({
      status: 200,
      body: {
        messages: [
          {
            createdAt: '2021-03-01T10:00:00.000Z',
            updatedAt: '2021-03-01T10:00:00.000Z',
            direction: 'incoming',
            tags: { id: 'a' },
          },
          {
            createdAt: '2021-03-01T09:00:00.000Z',
            direction: 'outgoing',
            userId: scene.botId,
          },
        ],
      },
    })
    const [one, two] = reply.body.messages as Listed[]
    expect(
      (await pages(`conversationId=${participant.conversationId}`, 2)).map(
        ({ id }) => id,
      ),
    ).toEqual([live.id, one!.id, two!.id])
    const { conversation } = (
      await call('asBot', `GET conversations/${participant.conversationId}`)
    ).body
    expect(conversation.messageCount).toBe(3)
    const { participants } = (
      await call('asTg', `GET conversations/${participant.conversationId}/participants`)
    ).body
    expect(participants.map(({ id }: { id: string }) => id).sort()).toEqual(
      [scene.botId, participant.userId].sort(),
    )
    expect(
      (await call('asBot', `GET events?conversationId=${participant.conversationId}`))
        .body.events,
    ).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(scene.invoked.slice(before)).toEqual([])
  })

  test('sends no signal to live or late listeners and leaves no gap in numbers', async () => {
    const ann = await scene.chatUser({ id: 'ann' })
    await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers: ann.headers,
      body: { id: 'long-ago' },
    })
    const write = (text: string) =>
      scene.call('POST', `/chat/${scene.webhookId}/messages`, {
        headers: ann.headers,
        body: { conversationId: 'long-ago', payload: { type: 'text', text } },
      })
    await write('one')
    const [conversation] = (
      await call('asBot', 'GET conversations?tags.chat:fid=long-ago')
    ).body.conversations
    const { signals } = scene.app.services
    const received: Record<string, unknown[]> = { live: [], back: [] }
    const listen = (name: string) =>
      signals.listen(scene.botId, conversation.id, '0', {
        userId: 'x',
        send: ({ number, type }) => received[name]!.push([number, type]),
        end: () => {},
      })
    const stop = listen('live')
    const [user] = (await call('asBot', 'GET users?tags.chat:fid=ann')).body.users
    const participant = { conversationId: conversation.id, userId: user.id }
    expect(
      (
        await importMessages(
          [
            past(participant, '2020-01-01T00:00:00.000Z'),
            past(participant, new Date().toISOString()),
          ],
          'asBot',
        )
      ).status,
    ).toBe(200)
    await write('two')
    await expect.poll(() => received.live).toHaveLength(2)
    const stopBack = listen('back')
    await expect.poll(() => received.back).toEqual(received.live)
    expect(received.live).toEqual([
      ['1', 'message_created'],
      ['2', 'message_created'],
    ])
    stop()
    stopBack()
    const seen = await scene.call(
      'GET',
      `/chat/${scene.webhookId}/conversations/long-ago/messages`,
      {
        headers: ann.headers,
      },
    )
    expect(seen.body.messages.map(({ payload }: Listed) => payload.text).at(-1)).toBe(
      '2020-01-01T00:00:00.000Z',
    )
    expect(seen.body.messages).toHaveLength(4)
  })

  test('stores the valid messages and reports an error for each of the others', async () => {
    const participant = await newParticipant()
    const nowhere = {
      conversation: 'conv_01J0000000000000000NOWHERE0',
      user: 'user_01J0000000000000000NOWHERE0',
    }
    const at = '2021-01-01T00:00:00.000Z'
    const rows: [object, string][] = [
      [
        past({ ...participant, conversationId: nowhere.conversation }, at),
        'ResourceNotFound',
      ],
      [past({ ...participant, userId: nowhere.user }, at), 'ReferenceNotFound'],
      [past(participant, at, { tags: { mood: 'x' } }), 'InvalidPayload'],
      [past(participant, at, { tags: {}, discriminateByTags: ['id'] }), 'InvalidPayload'],
      [past(participant, '2999-01-01T00:00:00.000Z'), 'InvalidPayload'],
      [past(participant, '1969-01-01T00:00:00.000Z'), 'InvalidPayload'],
      [past(participant, '2016-12-31T23:59:60.000Z'), 'InvalidPayload'],
    ]
    const { status, body } = await importMessages([
      past(participant, at),
      ...rows.map(([message]) => message),
      past(participant, at),
    ])
    expect([status, body.type]).toEqual([400, 'InvalidPayload'])
    expect(body.metadata.resolvedMessages).toHaveLength(2)
    const failed = body.metadata.failedMessages as {
      index: number
      error: { type: string }
    }[]
    expect(failed.map(({ error }) => error.type)).toEqual(rows.map(([, type]) => type))
    expect(failed.map(({ index }) => index)).toEqual(rows.map((_, index) => index + 1))
    expect(failed[0]).toMatchObject(rows[0]![0])
    expect((await pages(`conversationId=${participant.conversationId}`, 50)).length).toBe(
      2,
    )
  })

  test('with an idempotency key, stores messages once and repeats its response', async () => {
    const participant = await newParticipant()
    const messages = [
      past(participant, '2021-01-01T00:00:00.000Z'),
      past(
        { ...participant, userId: 'user_01J0000000000000000NOWHERE0' },
        '2021-01-01T00:00:00.000Z',
      ),
    ]
    const send = () =>
      scene.call('POST', '/v1/chat/messages/import-messages', {
        headers: { ...scene.asTg, 'idempotency-key': 'once' },
        body: { messages },
      })
    const first = await send()
    expect(first.status).toBe(400)
    expect(await send()).toEqual(first)
    expect((await pages(`conversationId=${participant.conversationId}`, 50)).length).toBe(
      1,
    )
  })

  test.each<[string, Caller, (participant: Participant) => object, string]>([
    [
      "another integration's conversation",
      'asOther',
      (participant) => participant,
      'ResourceNotFound',
    ],
    [
      "another bot's conversation",
      'asStranger',
      (participant) => participant,
      'ResourceNotFound',
    ],
    [
      "an integration's tag, by the bot",
      'asBot',
      (participant) => ({ ...participant, tags: { 'tg:id': '1' } }),
      'InvalidPayload',
    ],
  ])('rejects %s', async (_, as, change, type) => {
    const reply = await importMessages(
      [
        {
          ...past(await newParticipant(), '2021-01-01T00:00:00.000Z'),
          ...change(await newParticipant()),
        },
      ],
      as,
    )
    expect(reply.body.metadata).toMatchObject({
      resolvedMessages: [],
      failedMessages: [{ error: { type } }],
    })
  })

  test.each(['createdAt', 'tags', 'discriminateByTags', 'payload'])(
    'rejects a message without %s',
    async (missing) => {
      const { [missing]: _, ...rest } = past(
        await newParticipant(),
        '2021-01-01T00:00:00.000Z',
      ) as Record<string, unknown>
      expect((await importMessages([rest])).status).toBe(400)
    },
  )

  test('accepts at most 100 messages', async () => {
    const participant = await newParticipant()
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        past(participant, new Date(i * 1000).toISOString()),
      )
    expect((await importMessages(many(101))).body.type).toBe('InvalidPayload')
    expect((await importMessages(many(100))).body.messages).toHaveLength(100)
    expect((await importMessages([])).body).toEqual({ messages: [] })
  })

  test('stores messages with the same tags once and changes no existing message', async () => {
    const participant = await newParticipant()
    const live = (
      await call(
        'asTg',
        'POST messages',
        toMessage(participant, 'live', { tags: { id: 'live' } }),
      )
    ).body.message
    const tagged = ['1', '2', '3', '1'].map((id) =>
      past(participant, `2021-01-0${id}T00:00:00.000Z`, {
        tags: { id },
        discriminateByTags: ['id'],
      }),
    )
    const again = past(participant, '2021-01-09T00:00:00.000Z', {
      tags: { id: 'live' },
      payload: { text: 'other' },
    })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => importMessages([...tagged, again])),
    )
    const ids = replies.map(({ body }) => body.messages.map(({ id }: Listed) => id))
    expect(new Set(ids.map(String)).size).toBe(1)
    expect(ids[0][0]).toBe(ids[0][3])
    expect([ids[0][4], replies[0]!.body.messages[4].payload]).toEqual([
      live.id,
      { text: 'live' },
    ])
    expect((await pages(`conversationId=${participant.conversationId}`, 50)).length).toBe(
      4,
    )
    // A webhook that sends one of them again gets the stored message, and no handler runs.
    const before = scene.invoked.length
    const found = await call(
      'asTg',
      'POST messages/get-or-create',
      toMessage(participant, 'x', { tags: { id: '2' } }),
    )
    expect(found.body).toMatchObject({
      message: { id: ids[0][1] },
      meta: { created: false },
    })
    expect(scene.invoked.length).toBe(before)
  })

  test('lists a conversation by time, whatever the order of imports, each message on one page', async () => {
    const moments = fc.array(fc.record({ second: fc.nat(40), live: fc.boolean() }), {
      minLength: 1,
      maxLength: 25,
    })
    await fc.assert(
      fc.asyncProperty(
        moments,
        fc.integer({ min: 1, max: 7 }),
        fc.nat(40),
        fc.nat(40),
        async (steps, pageSize, from, until) => {
          const participant = await newParticipant()
          // Times around now: as clocks differ, an imported message may be later than a live one.
          const start = Date.now() - 20_000
          const model: { createdAt: string; id: string; at: number }[] = []
          const record = ({ id, createdAt }: Listed, at: number) =>
            model.push({ id, createdAt, at })
          for (const [i, { second, live }] of steps.entries()) {
            if (live)
              record(
                (await call('asTg', 'POST messages', toMessage(participant, `${i}`))).body
                  .message,
                i,
              )
            else
              record(
                (
                  await importMessages([
                    past(participant, new Date(start + second * 1000).toISOString()),
                  ])
                ).body.messages[0],
                -i,
              )
          }
          model.sort(
            (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.at - a.at,
          )
          const query = `conversationId=${participant.conversationId}`
          expect((await pages(query, pageSize)).map(({ id }) => id)).toEqual(
            model.map(({ id }) => id),
          )
          const [after, before] = [from, until].map((second) =>
            new Date(start + second * 1000).toISOString(),
          ) as [string, string]
          const within = model.filter(
            ({ createdAt }) => createdAt >= after && createdAt <= before,
          )
          expect(
            (
              await pages(`${query}&afterDate=${after}&beforeDate=${before}`, pageSize)
            ).map(({ id }) => id),
          ).toEqual(within.map(({ id }) => id))
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('initializeIncomingMessage', () => {
  const initialize = (body: unknown, as: Caller = 'asTg') =>
    call(as, 'POST initialize-incoming-message', body)
  const user = (id: string, more: object = {}) => ({
    tags: { id },
    discriminateByTags: ['id'],
    ...more,
  })
  const conversation = (id: string, more: object = {}) => ({
    channel: 'dm',
    tags: { id },
    discriminateByTags: ['id'],
    ...more,
  })
  const message = (id: string, more: object = {}) => ({
    type: 'text',
    payload: { text: id },
    tags: { id },
    discriminateByTags: ['id'],
    ...more,
  })

  test('creates one of each for fifty equal webhooks and delivers one event to the bot', async () => {
    const body = {
      user: user('w', { name: 'Will' }),
      conversation: conversation('w'),
      message: message('w'),
    }
    const replies = await Promise.all(Array.from({ length: 50 }, () => initialize(body)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    for (const name of ['user', 'conversation', 'message'])
      expect(new Set(replies.map((reply) => reply.body[name].id)).size, name).toBe(1)
    const first = replies[0]!.body
    expect((await call('asTg', 'GET users?tags.id=w')).body.users).toHaveLength(1)
    expect(
      (await call('asTg', 'GET conversations?tags.id=w')).body.conversations,
    ).toMatchObject([{ messageCount: 1 }])
    expect((await call('asTg', 'GET messages?tags.id=w')).body.messages).toHaveLength(1)
    const eventsDelivered = () =>
      scene.invoked.filter(({ body }) => body?.event?.messageId === first.message.id)
    await expect.poll(eventsDelivered).toHaveLength(1)
    expect(eventsDelivered()[0]!.body.event.payload).toMatchObject({
      user: { name: 'Will', tags: { 'tg:id': 'w' } },
      conversation: { messageCount: 1 },
    })
    expect(
      (await call('asBot', `GET events?messageId=${first.message.id}`)).body.events,
    ).toHaveLength(1)
  })

  test('updates what exists, and counts a new message in the returned conversation', async () => {
    const first = (
      await initialize({
        user: user('u'),
        conversation: conversation('u'),
        message: message('u1'),
      })
    ).body
    expect(first).toMatchObject({
      conversation: { messageCount: 1 },
      message: { direction: 'incoming', tags: { id: 'u1' } },
    })
    const changed = await initialize({
      user: user('u', {
        name: 'Uma',
        tags: { id: 'u', lang: 'fr' },
        properties: { a: 'b' },
      }),
      conversation: conversation('u', { tags: { id: 'u', room: 'r' } }),
      message: message('u1', { payload: { text: 'changed' } }),
    })
    expect(changed.body).toMatchObject({
      user: {
        id: first.user.id,
        name: 'Uma',
        tags: { id: 'u', lang: 'fr' },
        properties: { a: 'b' },
      },
      conversation: { id: first.conversation.id, tags: { id: 'u', room: 'r' } },
      message: { id: first.message.id, payload: { text: 'changed' } },
    })
    const { user: _u, ...byId } = {
      user: 0,
      userId: first.user.id,
      conversationId: first.conversation.id,
      message: message('u2'),
    }
    expect((await initialize(byId)).body).toMatchObject({
      user: { name: 'Uma' },
      conversation: { messageCount: 2 },
      message: { tags: { id: 'u2' } },
    })
    const without = (
      await initialize({ userId: first.user.id, conversation: conversation('u') })
    ).body
    expect(Object.keys(without).sort()).toEqual(['conversation', 'user'])
    const silent = await initialize({
      userId: scene.botId,
      conversationId: first.conversation.id,
      message: message('u3', { origin: 'synthetic' }),
    })
    expect(silent.body.message).toMatchObject({
      direction: 'outgoing',
      origin: 'synthetic',
    })
  })

  test('creates nothing when any part is invalid', async () => {
    const known = (await initialize({ user: user('k'), conversation: conversation('k') }))
      .body
    const fresh = {
      user: user('never'),
      conversation: conversation('never'),
      message: message('never'),
    }
    const rows: [string, object, number, string, Caller?][] = [
      ['no user', { ...fresh, user: undefined }, 400, 'InvalidPayload'],
      ['two users', { ...fresh, userId: known.user.id }, 400, 'InvalidPayload'],
      ['no conversation', { ...fresh, conversation: undefined }, 400, 'InvalidPayload'],
      [
        'two conversations',
        { ...fresh, conversationId: known.conversation.id },
        400,
        'InvalidPayload',
      ],
      [
        'an unknown user',
        { ...fresh, user: undefined, userId: 'nobody' },
        400,
        'ReferenceNotFound',
      ],
      [
        'an unknown conversation',
        { ...fresh, conversation: undefined, conversationId: 'nowhere' },
        404,
        'ResourceNotFound',
      ],
      [
        "another integration's",
        { ...fresh, conversation: undefined, conversationId: known.conversation.id },
        404,
        'ResourceNotFound',
        'asOther',
      ],
      [
        "another bot's",
        { ...fresh, user: undefined, userId: known.user.id },
        400,
        'ReferenceNotFound',
        'asStranger',
      ],
      [
        'an undeclared tag of the user',
        { ...fresh, user: user('never', { tags: { id: 'never', mood: 'x' } }) },
        400,
        'InvalidPayload',
      ],
      [
        'an undeclared tag of the conversation',
        {
          ...fresh,
          conversation: conversation('never', { tags: { id: 'never', mood: 'x' } }),
        },
        400,
        'InvalidPayload',
      ],
      [
        'an undeclared tag of the message',
        { ...fresh, message: message('never', { tags: { id: 'never', mood: 'x' } }) },
        400,
        'InvalidPayload',
      ],
      [
        'a discriminating tag that is absent',
        { ...fresh, message: message('never', { discriminateByTags: ['room'] }) },
        400,
        'InvalidPayload',
      ],
      [
        'an unknown channel',
        { ...fresh, conversation: conversation('never', { channel: 'mail' }) },
        400,
        'InvalidPayload',
      ],
      [
        'no payload',
        { ...fresh, message: { ...message('never'), payload: undefined } },
        400,
        'InvalidPayload',
      ],
    ]
    for (const [name, body, status, type, as] of rows) {
      const reply = await initialize(body, as)
      expect([name, reply.status, reply.body.type]).toEqual([name, status, type])
    }
    expect((await call('asBot', 'GET users?tags.tg%3Aid=never')).body.users).toEqual([])
    expect(
      (await call('asBot', 'GET conversations?tags.tg%3Aid=never')).body.conversations,
    ).toEqual([])
  })

  test('rejects messages through a disabled channel', async () => {
    const known = (
      await initialize({ user: user('off'), conversation: conversation('off') })
    ).body
    const configure = (disabledChannels: string[]) =>
      scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
        headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
        body: { integrations: { tg: { disabledChannels } } },
      })
    await configure(['dm'])
    const byId = { userId: known.user.id, conversationId: known.conversation.id }
    expect((await initialize({ ...byId, message: message('off') })).body.type).toBe(
      'Forbidden',
    )
    expect(
      (await initialize({ user: user('off'), conversation: conversation('off2') })).body
        .type,
    ).toBe('Forbidden')
    const failed = await importMessages([past(byId, '2021-01-01T00:00:00.000Z')])
    expect(failed.body.metadata.failedMessages).toMatchObject([
      { error: { type: 'Forbidden' } },
    ])
    await configure([])
    expect((await initialize({ ...byId, message: message('off') })).status).toBe(200)
  })
})
