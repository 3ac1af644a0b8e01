// Rules of the Runtime API that are easily missed: tag names of integrations and bots, fields of
// newer clients, participants, disabled channels.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene?.close())

type Caller = 'asTg' | 'asOther' | 'asBot'
const call = (as: Caller, line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/chat/${path}`, { headers: scene[as], body })
}
/** Returns the first value of the response body; throws for an error status. */
// biome-ignore lint/suspicious/noExplicitAny: its shape was compared with the contract
const result = async (as: Caller, line: string, body?: unknown): Promise<any> => {
  const reply = await call(as, line, body)
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body))
  return Object.values(reply.body)[0]
}
const refusal = async (as: Caller, line: string, body: unknown) => {
  const { status, body: error } = await call(as, line, body)
  return `${status} ${error.type}`
}

type Tags = Record<string, string>
interface Kind {
  path: string
  /** The required fields other than tags. */
  more: () => Promise<object>
  /** Tags that the integration declares. */
  own: string[]
}
const newAuthor = async () => ({
  conversationId: (
    await result('asTg', 'POST conversations', { channel: 'dm', tags: {} })
  ).id,
  userId: (await result('asTg', 'POST users', { tags: {} })).id,
})
const kinds: [string, Kind][] = [
  ['users', { path: 'users', more: async () => ({}), own: ['id', 'lang'] }],
  [
    'conversations',
    { path: 'conversations', more: async () => ({ channel: 'dm' }), own: ['id', 'room'] },
  ],
  [
    'messages',
    {
      path: 'messages',
      more: async () => ({ ...(await newAuthor()), type: 'text', payload: {} }),
      own: ['id'],
    },
  ],
]

describe.each(kinds)('tags of %s', (_, { path, more, own }) => {
  const value = fc.constantFrom('a', 'b', 'é', 'x'.repeat(500))
  const changes = (keys: string[]) =>
    fc.dictionary(fc.constantFrom(...keys), fc.oneof(value, fc.constantFrom(null, '')), {
      maxKeys: 2,
      noNullPrototype: false,
    })
  const bare = ['mine', 'plugin#kind', '__proto_', 'constructor']

  test('are set, changed and removed by integration and bot as in a model', async () => {
    const step = fc.oneof(
      fc.record({
        as: fc.constant('asTg' as const),
        tags: changes(own),
        by: fc.constantFrom('update', 'find'),
      }),
      fc.record({
        as: fc.constant('asBot' as const),
        tags: changes([...bare, `tg:${own[0]}`]),
        by: fc.constantFrom('update', 'find'),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const key = `k${Math.random()}`
        const model = new Map([[`tg:${own[0]}`, key]])
        const rest = await more()
        const { id } = await result('asTg', `POST ${path}`, {
          ...rest,
          tags: { [own[0]!]: key },
        })
        for (const { as, tags, by } of steps) {
          const named = Object.entries(tags).map(
            ([name, value]) =>
              [as === 'asTg' ? `tg:${name}` : name, value || undefined] as const,
          )
          const isForeign =
            as === 'asBot' &&
            named.some(
              ([name, value]) => name.startsWith('tg:') && model.get(name) !== value,
            )
          const finder = as === 'asTg' ? own[0]! : `tg:${own[0]}`
          const found = model.get(`tg:${own[0]}`)
          const find = by === 'find' && found === key && !Object.hasOwn(tags, finder)
          const reply = find
            ? await call(as, `POST ${path}/get-or-create`, {
                ...rest,
                ...(as === 'asBot' && path !== 'messages' && { integrationName: 'tg' }),
                tags: { ...tags, [finder]: found },
                discriminateByTags: [finder],
              })
            : await call(as, `PUT ${path}/${id}`, { tags })
          if (isForeign) {
            expect([reply.status, reply.body.type]).toEqual([400, 'InvalidPayload'])
            continue
          }
          for (const [name, value] of named)
            value === undefined ? model.delete(name) : model.set(name, value)
          expect(reply.status, JSON.stringify(reply.body)).toBe(200)
          if (find) expect(reply.body.meta).toEqual({ created: false })
          expect((Object.values(reply.body)[0] as { id: string }).id).toBe(id)
        }
        const seen = (as: Caller) =>
          result(as, `GET ${path}/${id}`).then(({ tags }: { tags: Tags }) =>
            Object.entries(tags).sort(),
          )
        expect(await seen('asBot')).toEqual([...model].sort())
        expect(await seen('asTg')).toEqual(
          [...model]
            .flatMap(([name, value]) =>
              name.startsWith('tg:') ? [[name.slice(3), value]] : [],
            )
            .sort(),
        )
      }),
      { numRuns: 25 },
    )
  }, 40_000)

  test('a bot finds by the tag of an integration but cannot create with it', async () => {
    const rest = await more()
    const named = path === 'messages' ? rest : { ...rest, integrationName: 'tg' }
    const body = {
      ...named,
      tags: { [`tg:${own[0]}`]: `nobody-${path}`, mine: 'x' },
      discriminateByTags: [`tg:${own[0]}`],
    }
    expect(await refusal('asBot', `POST ${path}/get-or-create`, body)).toBe(
      '400 InvalidPayload',
    )
    const { id } = await result('asTg', `POST ${path}`, {
      ...rest,
      tags: { [own[0]!]: `nobody-${path}` },
    })
    expect(await result('asBot', `POST ${path}/get-or-create`, body)).toMatchObject({
      id,
      tags: { [`tg:${own[0]}`]: `nobody-${path}`, mine: 'x' },
    })
  })

  test.each<[string, Caller, object]>([
    ['an undeclared tag', 'asTg', { tags: { mood: 'x' } }],
    ['a value of 501 characters', 'asTg', { tags: { id: 'x'.repeat(501) } }],
    ['a number as value', 'asTg', { tags: { id: 1 } }],
    ["an integration's tag from the bot", 'asBot', { tags: { 'tg:id': 'never' } }],
  ])('reject %s', async (_, as, change) => {
    const rest = await more()
    const { id } = await result('asTg', `POST ${path}`, { ...rest, tags: {} })
    expect(await refusal(as, `PUT ${path}/${id}`, change)).toBe('400 InvalidPayload')
    const named = as === 'asBot' && path !== 'messages' ? { integrationName: 'tg' } : {}
    expect(await refusal(as, `POST ${path}`, { ...rest, ...named, ...change })).toBe(
      '400 InvalidPayload',
    )
    expect(
      await refusal(as, `POST ${path}/get-or-create`, { ...rest, ...named, ...change }),
    ).toBe('400 InvalidPayload')
  })
})

test('a bot that declares tags may set only those and the tags of its plugins', async () => {
  const declare = (tags: object) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { user: { tags }, conversation: { tags }, message: { tags } },
    })
  await declare({ vip: {} })
  for (const [, { path, more }] of kinds) {
    const rest = await more()
    const named = path === 'messages' ? rest : { ...rest, integrationName: 'tg' }
    const { id } = await result('asBot', `POST ${path}`, {
      ...named,
      tags: { vip: 'x', 'plugin#kind': 'y' },
    })
    expect(
      await refusal('asBot', `PUT ${path}/${id}`, { tags: { other: 'x' } }),
      path,
    ).toBe('400 InvalidPayload')
    expect(
      await refusal('asBot', `POST ${path}`, { ...named, tags: { other: 'x' } }),
      path,
    ).toBe('400 InvalidPayload')
    expect(
      await result('asBot', `PUT ${path}/${id}`, { tags: { other: null, vip: '' } }),
      path,
    ).toMatchObject({
      tags: { 'plugin#kind': 'y' },
    })
  }
  await declare({ vip: null })
})

test.each([
  ['conversations', { channel: 'dm' }],
  ['users', {}],
] as const)(
  'properties of %s are shared by all callers and removed by null',
  async (path, rest) => {
    const made = await result('asTg', `POST ${path}`, {
      ...rest,
      tags: { id: `p-${path}` },
      properties: { a: '1', b: '2' },
    })
    expect(made.properties).toEqual({ a: '1', b: '2' })
    expect(
      (
        await result('asBot', `PUT ${path}/${made.id}`, {
          properties: { a: null, c: '3' },
        })
      ).properties,
    ).toEqual({ b: '2', c: '3' })
    const found = await call('asTg', `POST ${path}/get-or-create`, {
      ...rest,
      tags: { id: `p-${path}` },
      properties: { b: '', d: '4' },
    })
    expect(found.body).toMatchObject({
      [path.slice(0, -1)]: { id: made.id, properties: { c: '3', d: '4' } },
      meta: { created: false },
    })
    expect(await result('asBot', `GET ${path}/${made.id}`)).toMatchObject({
      properties: { c: '3', d: '4' },
      tags: { 'tg:id': `p-${path}` },
    })
    const fresh = await call('asTg', `POST ${path}/get-or-create`, {
      ...rest,
      tags: { id: `q-${path}` },
      properties: { e: '5' },
    })
    expect(fresh.body).toMatchObject({
      [path.slice(0, -1)]: { properties: { e: '5' } },
      meta: { created: true },
    })
    const bare = await result('asTg', `PUT ${path}/${made.id}`, {
      properties: { c: null, d: null },
    })
    expect(bare).not.toHaveProperty('properties')
    expect(
      await refusal('asTg', `PUT ${path}/${made.id}`, {
        properties: { long: 'x'.repeat(201) },
      }),
    ).toBe('400 InvalidPayload')
  },
)

test('updating payload or tags of a message keeps the other', async () => {
  const { id } = await result('asTg', 'POST messages', {
    ...(await newAuthor()),
    type: 'text',
    payload: { text: 'a' },
    tags: { id: 'm' },
  })
  expect(
    await result('asTg', `PUT messages/${id}`, { payload: { text: 'b' } }),
  ).toMatchObject({
    payload: { text: 'b' },
    tags: { id: 'm' },
  })
  expect(
    await result('asTg', `PUT messages/${id}`, { tags: { id: null } }),
  ).toMatchObject({
    payload: { text: 'b' },
    tags: {},
  })
  expect(await result('asTg', `PUT messages/${id}`, {})).toMatchObject({
    payload: { text: 'b' },
    tags: {},
  })
})

test('adds every author as a participant once, also for synthetic messages', async () => {
  const author = await newAuthor()
  const participants = async () =>
    (
      await call('asBot', `GET conversations/${author.conversationId}/participants`)
    ).body.participants
      .map(({ id }: { id: string }) => id)
      .sort()
  expect(await participants()).toEqual([])
  const bob = (await result('asTg', 'POST users', { tags: {} })).id
  const message = {
    conversationId: author.conversationId,
    type: 'text',
    payload: {},
    tags: {},
  }
  for (const [as, userId, origin] of [
    ['asTg', author.userId],
    ['asTg', author.userId],
    ['asBot', scene.botId],
    ['asTg', bob, 'synthetic'],
  ] as const)
    await result(as, 'POST messages', { ...message, userId, ...(origin && { origin }) })
  expect(await participants()).toEqual([scene.botId, author.userId, bob].sort())
  expect(
    (await call('asTg', `GET users?conversationId=${author.conversationId}`)).body.users
      .map(({ id }: { id: string }) => id)
      .sort(),
  ).toEqual(await participants())
})

test.each<[Caller, boolean, string]>([
  ['asTg', false, 'incoming'],
  ['asTg', true, 'outgoing'],
  ['asBot', false, 'incoming'],
  ['asBot', true, 'outgoing'],
])(
  'a synthetic message (caller %s, author is the bot: %s) is %s and is not delivered',
  async (as, byBot, direction) => {
    const { conversationId, userId } = await newAuthor()
    const body = {
      conversationId,
      userId: byBot ? scene.botId : userId,
      type: 'text',
      payload: {},
      tags: {},
      origin: 'synthetic',
    }
    const before = scene.invoked.length
    for (const line of ['POST messages', 'POST messages/get-or-create'])
      expect(await result(as, line, body), line).toMatchObject({
        direction,
        origin: 'synthetic',
      })
    expect(
      (await call('asBot', `GET events?conversationId=${conversationId}`)).body.events,
    ).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(
      scene.invoked
        .slice(before)
        .filter(({ body }) => JSON.stringify(body).includes(conversationId)),
    ).toEqual([])
  },
)

test('a disabled channel delivers nothing in either direction, but stores messages of the bot', async () => {
  const author = await newAuthor()
  const configure = (change: object) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
      body: { integrations: { tg: change } },
    })
  const message = { ...author, type: 'text', payload: {}, tags: {} }
  await configure({ disabledChannels: ['dm'] })
  for (const [line, body] of [
    ['POST messages', message],
    ['POST messages/get-or-create', { ...message, tags: { id: 'off' } }],
    ['POST conversations', { channel: 'dm', tags: {} }],
    ['POST conversations/get-or-create', { channel: 'dm', tags: { id: 'off' } }],
  ] as const)
    expect(await refusal('asTg', line, body), line).toBe('403 Forbidden')
  const before = scene.invoked.length
  const { id } = await result('asBot', 'POST messages', {
    ...message,
    userId: scene.botId,
  })
  expect(await result('asBot', `GET messages/${id}`)).toMatchObject({
    direction: 'outgoing',
  })
  expect(
    (await call('asTg', 'POST conversations', { channel: 'group', tags: {} })).status,
  ).toBe(201)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(
    scene.invoked
      .slice(before)
      .filter(({ headers }) => headers['x-bp-operation'] === 'message_created'),
  ).toEqual([])
  await configure({ disabledChannels: [] })
  await result('asBot', 'POST messages', { ...message, userId: scene.botId })
  await expect
    .poll(
      () =>
        scene.invoked
          .slice(before)
          .filter(({ headers }) => headers['x-bp-operation'] === 'message_created')
          .length,
    )
    .toBe(1)
})

test('x-multiple-integrations has no effect here: integrations are identified by alias', async () => {
  const { conversationId } = await newAuthor()
  for (const [name, more] of [
    ['without the header', {}],
    ['with the header', { 'x-multiple-integrations': 'true' }],
  ] as [string, Record<string, string>][]) {
    const found = await scene.call('GET', `/v1/chat/conversations/${conversationId}`, {
      headers: { ...scene.asBot, ...more },
    })
    expect([found.status, found.body.conversation?.integration], name).toEqual([
      200,
      'tg',
    ])
    const listed = await scene.call(
      'GET',
      '/v1/chat/conversations?integrationName=telegram',
      {
        headers: { ...scene.asBot, ...more },
      },
    )
    expect(listed.status, name).toBe(200)
    expect(
      listed.body.conversations.map(({ id }: { id: string }) => id),
      name,
    ).toContain(conversationId)
  }
})
