// Messages that come otherwise than one by one: imported from before, or brought by a webhook together with their user and conversation.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'

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
  Object.values((await call('asTg', line, body)).body)[0] as { id: string; createdAt: string }
const newUser = () => made('POST users', { tags: {} })
const newConversation = () => made('POST conversations', { channel: 'dm', tags: {} })

interface Place {
  conversationId: string
  userId: string
}
const newPlace = async (): Promise<Place> => ({
  conversationId: (await newConversation()).id,
  userId: (await newUser()).id,
})
const said = (place: Place, text: string, more: object = {}) => ({
  ...place,
  type: 'text',
  payload: { text },
  tags: {},
  ...more,
})
const past = (place: Place, createdAt: string, more: object = {}) =>
  said(place, createdAt, { createdAt, discriminateByTags: [], ...more })
const importing = (messages: unknown[], as: Caller = 'asTg') =>
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
  test('keeps what was said before, at its own time, and hands it to nobody', async () => {
    const place = await newPlace()
    const live = (await call('asTg', 'POST messages', said(place, 'live'))).body.message
    await scene.heard('event_received', 1)
    const before = scene.invoked.length
    const theirs = past(place, '2021-03-01T10:00:00.000Z', { tags: { id: 'a' } })
    const reply = await importing([
      theirs,
      past({ ...place, userId: scene.botId }, '2021-03-01T09:00:00.000Z'),
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
          { createdAt: '2021-03-01T09:00:00.000Z', direction: 'outgoing', userId: scene.botId },
        ],
      },
    })
    const [one, two] = reply.body.messages as Listed[]
    expect((await pages(`conversationId=${place.conversationId}`, 2)).map(({ id }) => id)).toEqual([
      live.id,
      one!.id,
      two!.id,
    ])
    const { conversation } = (await call('asBot', `GET conversations/${place.conversationId}`)).body
    expect(conversation.messageCount).toBe(3)
    const { participants } = (await call('asTg', `GET conversations/${place.conversationId}/participants`))
      .body
    expect(participants.map(({ id }: { id: string }) => id).sort()).toEqual(
      [scene.botId, place.userId].sort(),
    )
    expect(
      (await call('asBot', `GET events?conversationId=${place.conversationId}`)).body.events,
    ).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(scene.invoked.slice(before)).toEqual([])
  })

  test('listeners hear nothing of it, also those who read back, and the numbers go on', async () => {
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
    const [conversation] = (await call('asBot', 'GET conversations?tags.chat:fid=long-ago')).body
      .conversations
    const { signals } = scene.app.services
    const heard: Record<string, unknown[]> = { live: [], back: [] }
    const listen = (name: string) =>
      signals.listen(scene.botId, conversation.id, '0', {
        userId: 'x',
        send: ({ number, type }) => heard[name]!.push([number, type]),
        end: () => {},
      })
    const stop = listen('live')
    const [user] = (await call('asBot', 'GET users?tags.chat:fid=ann')).body.users
    const place = { conversationId: conversation.id, userId: user.id }
    expect(
      (
        await importing(
          [past(place, '2020-01-01T00:00:00.000Z'), past(place, new Date().toISOString())],
          'asBot',
        )
      ).status,
    ).toBe(200)
    await write('two')
    await expect.poll(() => heard.live).toHaveLength(2)
    const stopBack = listen('back')
    await expect.poll(() => heard.back).toEqual(heard.live)
    expect(heard.live).toEqual([
      ['1', 'message_created'],
      ['2', 'message_created'],
    ])
    stop()
    stopBack()
    const seen = await scene.call('GET', `/chat/${scene.webhookId}/conversations/long-ago/messages`, {
      headers: ann.headers,
    })
    expect(seen.body.messages.map(({ payload }: Listed) => payload.text).at(-1)).toBe(
      '2020-01-01T00:00:00.000Z',
    )
    expect(seen.body.messages).toHaveLength(4)
  })

  test('keeps what it can, and says of the others what is wrong with each', async () => {
    const place = await newPlace()
    const nowhere = {
      conversation: 'conv_01J0000000000000000NOWHERE0',
      user: 'user_01J0000000000000000NOWHERE0',
    }
    const at = '2021-01-01T00:00:00.000Z'
    const rows: [object, string][] = [
      [past({ ...place, conversationId: nowhere.conversation }, at), 'ResourceNotFound'],
      [past({ ...place, userId: nowhere.user }, at), 'ReferenceNotFound'],
      [past(place, at, { tags: { mood: 'x' } }), 'InvalidPayload'],
      [past(place, at, { tags: {}, discriminateByTags: ['id'] }), 'InvalidPayload'],
      [past(place, '2999-01-01T00:00:00.000Z'), 'InvalidPayload'],
      [past(place, '1969-01-01T00:00:00.000Z'), 'InvalidPayload'],
      [past(place, '2016-12-31T23:59:60.000Z'), 'InvalidPayload'],
    ]
    const { status, body } = await importing([
      past(place, at),
      ...rows.map(([message]) => message),
      past(place, at),
    ])
    expect([status, body.type]).toEqual([400, 'InvalidPayload'])
    expect(body.metadata.resolvedMessages).toHaveLength(2)
    const failed = body.metadata.failedMessages as { index: number; error: { type: string } }[]
    expect(failed.map(({ error }) => error.type)).toEqual(rows.map(([, type]) => type))
    expect(failed.map(({ index }) => index)).toEqual(rows.map((_, index) => index + 1))
    expect(failed[0]).toMatchObject(rows[0]![0])
    expect((await pages(`conversationId=${place.conversationId}`, 50)).length).toBe(2)
  })

  test('with a key, what it kept is kept once, and the answer is the same', async () => {
    const place = await newPlace()
    const messages = [
      past(place, '2021-01-01T00:00:00.000Z'),
      past({ ...place, userId: 'user_01J0000000000000000NOWHERE0' }, '2021-01-01T00:00:00.000Z'),
    ]
    const ask = () =>
      scene.call('POST', '/v1/chat/messages/import-messages', {
        headers: { ...scene.asTg, 'idempotency-key': 'once' },
        body: { messages },
      })
    const first = await ask()
    expect(first.status).toBe(400)
    expect(await ask()).toEqual(first)
    expect((await pages(`conversationId=${place.conversationId}`, 50)).length).toBe(1)
  })

  test.each<[string, Caller, (place: Place) => object, string]>([
    ["another integration's conversation", 'asOther', (place) => place, 'ResourceNotFound'],
    ["another bot's conversation", 'asStranger', (place) => place, 'ResourceNotFound'],
    [
      "an integration's tag, by the bot",
      'asBot',
      (place) => ({ ...place, tags: { 'tg:id': '1' } }),
      'InvalidPayload',
    ],
  ])('not of %s', async (_, as, given, type) => {
    const reply = await importing(
      [{ ...past(await newPlace(), '2021-01-01T00:00:00.000Z'), ...given(await newPlace()) }],
      as,
    )
    expect(reply.body.metadata).toMatchObject({ resolvedMessages: [], failedMessages: [{ error: { type } }] })
  })

  test('takes a hundred at most, each whole', async () => {
    const place = await newPlace()
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => past(place, new Date(i * 1000).toISOString()))
    expect((await importing(many(101))).body.type).toBe('InvalidPayload')
    expect((await importing(many(100))).body.messages).toHaveLength(100)
    expect((await importing([])).body).toEqual({ messages: [] })
    for (const missing of ['createdAt', 'tags', 'discriminateByTags', 'payload']) {
      const { [missing]: _, ...rest } = past(place, '2021-01-01T00:00:00.000Z') as Record<string, unknown>
      expect((await importing([rest])).status).toBe(400)
    }
  })

  test('repeated, even at the same time, keeps what its tags tell once, and leaves what is there', async () => {
    const place = await newPlace()
    const live = (await call('asTg', 'POST messages', said(place, 'live', { tags: { id: 'live' } }))).body
      .message
    const tagged = ['1', '2', '3', '1'].map((id) =>
      past(place, `2021-01-0${id}T00:00:00.000Z`, { tags: { id }, discriminateByTags: ['id'] }),
    )
    const again = past(place, '2021-01-09T00:00:00.000Z', {
      tags: { id: 'live' },
      payload: { text: 'other' },
    })
    const replies = await Promise.all(Array.from({ length: 10 }, () => importing([...tagged, again])))
    const ids = replies.map(({ body }) => body.messages.map(({ id }: Listed) => id))
    expect(new Set(ids.map(String)).size).toBe(1)
    expect(ids[0][0]).toBe(ids[0][3])
    expect([ids[0][4], replies[0]!.body.messages[4].payload]).toEqual([live.id, { text: 'live' }])
    expect((await pages(`conversationId=${place.conversationId}`, 50)).length).toBe(4)
    // a webhook that brings one of them again finds it, and wakes nobody
    const before = scene.invoked.length
    const found = await call('asTg', 'POST messages/get-or-create', said(place, 'x', { tags: { id: '2' } }))
    expect(found.body).toMatchObject({ message: { id: ids[0][1] }, meta: { created: false } })
    expect(scene.invoked.length).toBe(before)
  })

  test('a conversation is listed by time, whatever was imported when, and pages tell each once', async () => {
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
          const place = await newPlace()
          // around now: what is imported may be later than what was said, too, as clocks differ
          const start = Date.now() - 20_000
          const model: { createdAt: string; id: string; at: number }[] = []
          const note = ({ id, createdAt }: Listed, at: number) => model.push({ id, createdAt, at })
          for (const [i, { second, live }] of steps.entries()) {
            if (live) note((await call('asTg', 'POST messages', said(place, `${i}`))).body.message, i)
            else
              note(
                (await importing([past(place, new Date(start + second * 1000).toISOString())])).body
                  .messages[0],
                -i,
              )
          }
          model.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.at - a.at))
          const query = `conversationId=${place.conversationId}`
          expect((await pages(query, pageSize)).map(({ id }) => id)).toEqual(model.map(({ id }) => id))
          const [after, before] = [from, until].map((second) =>
            new Date(start + second * 1000).toISOString(),
          ) as [string, string]
          const within = model.filter(({ createdAt }) => createdAt >= after && createdAt <= before)
          expect(
            (await pages(`${query}&afterDate=${after}&beforeDate=${before}`, pageSize)).map(({ id }) => id),
          ).toEqual(within.map(({ id }) => id))
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('initializeIncomingMessage', () => {
  const arrive = (body: unknown, as: Caller = 'asTg') => call(as, 'POST initialize-incoming-message', body)
  const user = (id: string, more: object = {}) => ({ tags: { id }, discriminateByTags: ['id'], ...more })
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

  test('fifty webhooks that bring the same make one of each, and the bot is told once', async () => {
    const body = { user: user('w', { name: 'Will' }), conversation: conversation('w'), message: message('w') }
    const replies = await Promise.all(Array.from({ length: 50 }, () => arrive(body)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    for (const name of ['user', 'conversation', 'message'])
      expect(new Set(replies.map((reply) => reply.body[name].id)).size).toBe(1)
    const [{ body: first }] = replies as [
      { body: { user: { id: string }; conversation: { id: string }; message: { id: string } } },
    ]
    expect((await call('asTg', 'GET users?tags.id=w')).body.users).toHaveLength(1)
    expect((await call('asTg', 'GET conversations?tags.id=w')).body.conversations).toMatchObject([
      { messageCount: 1 },
    ])
    expect((await call('asTg', 'GET messages?tags.id=w')).body.messages).toHaveLength(1)
    const told = () => scene.invoked.filter(({ body }) => body?.event?.messageId === first.message.id)
    await expect.poll(told).toHaveLength(1)
    expect(told()[0]!.body.event.payload).toMatchObject({
      user: { name: 'Will', tags: { 'tg:id': 'w' } },
      conversation: { messageCount: 1 },
    })
    expect((await call('asBot', `GET events?messageId=${first.message.id}`)).body.events).toHaveLength(1)
  })

  test('what is found gets what is given, and what is new shows as the message left it', async () => {
    const first = (await arrive({ user: user('u'), conversation: conversation('u'), message: message('u1') }))
      .body
    expect(first).toMatchObject({
      conversation: { messageCount: 1 },
      message: { direction: 'incoming', tags: { id: 'u1' } },
    })
    const changed = await arrive({
      user: user('u', { name: 'Uma', tags: { id: 'u', lang: 'fr' }, properties: { a: 'b' } }),
      conversation: conversation('u', { tags: { id: 'u', room: 'r' } }),
      message: message('u1', { payload: { text: 'changed' } }),
    })
    expect(changed.body).toMatchObject({
      user: { id: first.user.id, name: 'Uma', tags: { id: 'u', lang: 'fr' }, properties: { a: 'b' } },
      conversation: { id: first.conversation.id, tags: { id: 'u', room: 'r' } },
      message: { id: first.message.id, payload: { text: 'changed' } },
    })
    const { user: _u, ...byId } = {
      user: 0,
      userId: first.user.id,
      conversationId: first.conversation.id,
      message: message('u2'),
    }
    expect((await arrive(byId)).body).toMatchObject({
      user: { name: 'Uma' },
      conversation: { messageCount: 2 },
      message: { tags: { id: 'u2' } },
    })
    const without = (await arrive({ userId: first.user.id, conversation: conversation('u') })).body
    expect(Object.keys(without).sort()).toEqual(['conversation', 'user'])
    const silent = await arrive({
      userId: scene.botId,
      conversationId: first.conversation.id,
      message: message('u3', { origin: 'synthetic' }),
    })
    expect(silent.body.message).toMatchObject({ direction: 'outgoing', origin: 'synthetic' })
  })

  test('nothing is made when anything is wrong', async () => {
    const known = (await arrive({ user: user('k'), conversation: conversation('k') })).body
    const fresh = { user: user('never'), conversation: conversation('never'), message: message('never') }
    const rows: [string, object, number, string, Caller?][] = [
      ['no user', { ...fresh, user: undefined }, 400, 'InvalidPayload'],
      ['two users', { ...fresh, userId: known.user.id }, 400, 'InvalidPayload'],
      ['no conversation', { ...fresh, conversation: undefined }, 400, 'InvalidPayload'],
      ['two conversations', { ...fresh, conversationId: known.conversation.id }, 400, 'InvalidPayload'],
      ['an unknown user', { ...fresh, user: undefined, userId: 'nobody' }, 400, 'ReferenceNotFound'],
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
        { ...fresh, conversation: conversation('never', { tags: { id: 'never', mood: 'x' } }) },
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
        'a tag to go by that is not given',
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
    for (const [what, body, status, type, as] of rows) {
      const reply = await arrive(body, as)
      expect([what, reply.status, reply.body.type]).toEqual([what, status, type])
    }
    expect((await call('asBot', 'GET users?tags.tg%3Aid=never')).body.users).toEqual([])
    expect((await call('asBot', 'GET conversations?tags.tg%3Aid=never')).body.conversations).toEqual([])
  })

  test('not through a channel that the bot has switched off', async () => {
    const known = (await arrive({ user: user('off'), conversation: conversation('off') })).body
    const configure = (disabledChannels: string[]) =>
      scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
        headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
        body: { integrations: { tg: { disabledChannels } } },
      })
    await configure(['dm'])
    const byId = { userId: known.user.id, conversationId: known.conversation.id }
    expect((await arrive({ ...byId, message: message('off') })).body.type).toBe('Forbidden')
    expect((await arrive({ user: user('off'), conversation: conversation('off2') })).body.type).toBe(
      'Forbidden',
    )
    const failed = await importing([past(byId, '2021-01-01T00:00:00.000Z')])
    expect(failed.body.metadata.failedMessages).toMatchObject([{ error: { type: 'Forbidden' } }])
    await configure([])
    expect((await arrive({ ...byId, message: message('off') })).status).toBe(200)
  })
})
