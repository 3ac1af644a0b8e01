// Rules of the Runtime API that are easily skipped: tags in two views, what newer clients send, who takes part, what a switched-off channel lets through.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'

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
/** What an answer is about. */
// biome-ignore lint/suspicious/noExplicitAny: its shape was compared with the contract
const the = async (as: Caller, line: string, body?: unknown): Promise<any> => {
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
  /** Beside the tags. */
  more: () => Promise<object>
  /** A tag that the integration declares. */
  own: string[]
}
const places = async () => ({
  conversationId: (await the('asTg', 'POST conversations', { channel: 'dm', tags: {} })).id,
  userId: (await the('asTg', 'POST users', { tags: {} })).id,
})
const kinds: [string, Kind][] = [
  ['users', { path: 'users', more: async () => ({}), own: ['id', 'lang'] }],
  ['conversations', { path: 'conversations', more: async () => ({ channel: 'dm' }), own: ['id', 'room'] }],
  [
    'messages',
    { path: 'messages', more: async () => ({ ...(await places()), type: 'text', payload: {} }), own: ['id'] },
  ],
]

describe.each(kinds)('tags of %s', (_, { path, more, own }) => {
  const value = fc.constantFrom('a', 'b', 'é', 'x'.repeat(500))
  const given = (keys: string[]) =>
    fc.dictionary(fc.constantFrom(...keys), fc.oneof(value, fc.constantFrom(null, '')), {
      maxKeys: 2,
      noNullPrototype: false,
    })
  const bare = ['mine', 'plugin#kind', '__proto_', 'constructor']

  test('what each sets, changes and removes, in its own view, as a model has it', async () => {
    const step = fc.oneof(
      fc.record({
        as: fc.constant('asTg' as const),
        tags: given(own),
        by: fc.constantFrom('update', 'find'),
      }),
      fc.record({
        as: fc.constant('asBot' as const),
        tags: given([...bare, `tg:${own[0]}`]),
        by: fc.constantFrom('update', 'find'),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const key = `k${Math.random()}`
        const model = new Map([[`tg:${own[0]}`, key]])
        const rest = await more()
        const { id } = await the('asTg', `POST ${path}`, { ...rest, tags: { [own[0]!]: key } })
        for (const { as, tags, by } of steps) {
          const named = Object.entries(tags).map(
            ([name, value]) => [as === 'asTg' ? `tg:${name}` : name, value || undefined] as const,
          )
          const isForeign =
            as === 'asBot' &&
            named.some(([name, value]) => name.startsWith('tg:') && model.get(name) !== value)
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
          for (const [name, value] of named) value === undefined ? model.delete(name) : model.set(name, value)
          expect(reply.status, JSON.stringify(reply.body)).toBe(200)
          if (find) expect(reply.body.meta).toEqual({ created: false })
          expect((Object.values(reply.body)[0] as { id: string }).id).toBe(id)
        }
        const seen = (as: Caller) =>
          the(as, `GET ${path}/${id}`).then(({ tags }: { tags: Tags }) => Object.entries(tags).sort())
        expect(await seen('asBot')).toEqual([...model].sort())
        expect(await seen('asTg')).toEqual(
          [...model]
            .flatMap(([name, value]) => (name.startsWith('tg:') ? [[name.slice(3), value]] : []))
            .sort(),
        )
      }),
      { numRuns: 25 },
    )
  }, 40_000)

  test('a bot finds by the tag of an integration, and creates nothing with it', async () => {
    const rest = await more()
    const named = path === 'messages' ? rest : { ...rest, integrationName: 'tg' }
    const body = {
      ...named,
      tags: { [`tg:${own[0]}`]: `nobody-${path}`, mine: 'x' },
      discriminateByTags: [`tg:${own[0]}`],
    }
    expect(await refusal('asBot', `POST ${path}/get-or-create`, body)).toBe('400 InvalidPayload')
    const { id } = await the('asTg', `POST ${path}`, { ...rest, tags: { [own[0]!]: `nobody-${path}` } })
    expect(await the('asBot', `POST ${path}/get-or-create`, body)).toMatchObject({
      id,
      tags: { [`tg:${own[0]}`]: `nobody-${path}`, mine: 'x' },
    })
  })

  test.each<[string, Caller, object]>([
    ['an undeclared one', 'asTg', { tags: { mood: 'x' } }],
    ['a long one', 'asTg', { tags: { id: 'x'.repeat(501) } }],
    ['a number', 'asTg', { tags: { id: 1 } }],
    ["an integration's", 'asBot', { tags: { 'tg:id': 'never' } }],
  ])('not %s', async (_, as, change) => {
    const rest = await more()
    const { id } = await the('asTg', `POST ${path}`, { ...rest, tags: {} })
    expect(await refusal(as, `PUT ${path}/${id}`, change)).toBe('400 InvalidPayload')
    const named = as === 'asBot' && path !== 'messages' ? { integrationName: 'tg' } : {}
    expect(await refusal(as, `POST ${path}`, { ...rest, ...named, ...change })).toBe('400 InvalidPayload')
    expect(await refusal(as, `POST ${path}/get-or-create`, { ...rest, ...named, ...change })).toBe(
      '400 InvalidPayload',
    )
  })
})

test('a bot that declares tags may set no others, but for those of its plugins', async () => {
  const declare = (tags: object) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { user: { tags }, conversation: { tags }, message: { tags } },
    })
  await declare({ vip: {} })
  for (const [, { path, more }] of kinds) {
    const rest = await more()
    const named = path === 'messages' ? rest : { ...rest, integrationName: 'tg' }
    const { id } = await the('asBot', `POST ${path}`, { ...named, tags: { vip: 'x', 'plugin#kind': 'y' } })
    expect(await refusal('asBot', `PUT ${path}/${id}`, { tags: { other: 'x' } })).toBe('400 InvalidPayload')
    expect(await refusal('asBot', `POST ${path}`, { ...named, tags: { other: 'x' } })).toBe(
      '400 InvalidPayload',
    )
    expect(await the('asBot', `PUT ${path}/${id}`, { tags: { other: null, vip: '' } })).toMatchObject({
      tags: { 'plugin#kind': 'y' },
    })
  }
  await declare({ vip: null })
})

test('properties of conversations and users are shared by all, and removed by null', async () => {
  for (const [path, rest] of [
    ['conversations', { channel: 'dm' }],
    ['users', {}],
  ] as const) {
    const made = await the('asTg', `POST ${path}`, {
      ...rest,
      tags: { id: `p-${path}` },
      properties: { a: '1', b: '2' },
    })
    expect(made.properties).toEqual({ a: '1', b: '2' })
    expect(
      (await the('asBot', `PUT ${path}/${made.id}`, { properties: { a: null, c: '3' } })).properties,
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
    expect(await the('asBot', `GET ${path}/${made.id}`)).toMatchObject({
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
    const bare = await the('asTg', `PUT ${path}/${made.id}`, { properties: { c: null, d: null } })
    expect(bare).not.toHaveProperty('properties')
    expect(await refusal('asTg', `PUT ${path}/${made.id}`, { properties: { long: 'x'.repeat(201) } })).toBe(
      '400 InvalidPayload',
    )
  }
})

test('a message is changed in one respect, and the other stays', async () => {
  const { id } = await the('asTg', 'POST messages', {
    ...(await places()),
    type: 'text',
    payload: { text: 'a' },
    tags: { id: 'm' },
  })
  expect(await the('asTg', `PUT messages/${id}`, { payload: { text: 'b' } })).toMatchObject({
    payload: { text: 'b' },
    tags: { id: 'm' },
  })
  expect(await the('asTg', `PUT messages/${id}`, { tags: { id: null } })).toMatchObject({
    payload: { text: 'b' },
    tags: {},
  })
  expect(await the('asTg', `PUT messages/${id}`, {})).toMatchObject({ payload: { text: 'b' }, tags: {} })
})

test('who writes takes part, once, whoever it is, also as if it had been said elsewhere', async () => {
  const place = await places()
  const participants = async () =>
    (await call('asBot', `GET conversations/${place.conversationId}/participants`)).body.participants
      .map(({ id }: { id: string }) => id)
      .sort()
  expect(await participants()).toEqual([])
  const bob = (await the('asTg', 'POST users', { tags: {} })).id
  const said = { conversationId: place.conversationId, type: 'text', payload: {}, tags: {} }
  for (const [as, userId, origin] of [
    ['asTg', place.userId],
    ['asTg', place.userId],
    ['asBot', scene.botId],
    ['asTg', bob, 'synthetic'],
  ] as const)
    await the(as, 'POST messages', { ...said, userId, ...(origin && { origin }) })
  expect(await participants()).toEqual([scene.botId, place.userId, bob].sort())
  expect(
    (await call('asTg', `GET users?conversationId=${place.conversationId}`)).body.users
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
  'what was said elsewhere, brought %s, by the bot: %s, is %s and handed to nobody',
  async (as, byBot, direction) => {
    const { conversationId, userId } = await places()
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
      expect(await the(as, line, body)).toMatchObject({ direction, origin: 'synthetic' })
    expect((await call('asBot', `GET events?conversationId=${conversationId}`)).body.events).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(
      scene.invoked.slice(before).filter(({ body }) => JSON.stringify(body).includes(conversationId)),
    ).toEqual([])
  },
)

test('a channel that is switched off takes nothing in and hands nothing out; what the bot says there is kept', async () => {
  const place = await places()
  const configure = (change: object) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
      body: { integrations: { tg: change } },
    })
  const said = { ...place, type: 'text', payload: {}, tags: {} }
  await configure({ disabledChannels: ['dm'] })
  for (const [line, body] of [
    ['POST messages', said],
    ['POST messages/get-or-create', { ...said, tags: { id: 'off' } }],
    ['POST conversations', { channel: 'dm', tags: {} }],
    ['POST conversations/get-or-create', { channel: 'dm', tags: { id: 'off' } }],
  ] as const)
    expect(await refusal('asTg', line, body)).toBe('403 Forbidden')
  const before = scene.invoked.length
  const { id } = await the('asBot', 'POST messages', { ...said, userId: scene.botId })
  expect(await the('asBot', `GET messages/${id}`)).toMatchObject({ direction: 'outgoing' })
  expect((await call('asTg', 'POST conversations', { channel: 'group', tags: {} })).status).toBe(201)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(
    scene.invoked.slice(before).filter(({ headers }) => headers['x-bp-operation'] === 'message_created'),
  ).toEqual([])
  await configure({ disabledChannels: [] })
  await the('asBot', 'POST messages', { ...said, userId: scene.botId })
  await expect
    .poll(
      () =>
        scene.invoked.slice(before).filter(({ headers }) => headers['x-bp-operation'] === 'message_created')
          .length,
    )
    .toBe(1)
})

test('x-multiple-integrations changes nothing here: integrations go by their alias', async () => {
  const { conversationId } = await places()
  for (const more of [{}, { 'x-multiple-integrations': 'true' }]) {
    const found = await scene.call('GET', `/v1/chat/conversations/${conversationId}`, {
      headers: { ...scene.asBot, ...more },
    })
    expect(found.body.conversation.integration).toBe('tg')
    const listed = await scene.call('GET', '/v1/chat/conversations?integrationName=telegram', {
      headers: { ...scene.asBot, ...more },
    })
    expect(listed.body.conversations.map(({ id }: { id: string }) => id)).toContain(conversationId)
  }
})
