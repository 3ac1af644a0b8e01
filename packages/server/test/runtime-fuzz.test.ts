// Whatever is sent to the Runtime API, the answer is one of the contract, and never our own failure.
import { runtime } from '@botstead/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from './runtime-scene.ts'

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
  const make = async (path: string, body: unknown) =>
    Object.values((await scene.call('POST', `/v1/chat/${path}`, { headers: scene.asTg, body })).body)[0] as { id: string }
  const user = await make('users', { tags: {} })
  const conversation = await make('conversations', { channel: 'dm', tags: {} })
  const message = await make('messages', { conversationId: conversation.id, userId: user.id, type: 'text', payload: {}, tags: {} })
  known.push(scene.botId, user.id, conversation.id, message.id)
})
afterAll(() => scene.close())

const known: string[] = []
const odd = [
  '',
  'constructor',
  'toString',
  'a:b',
  'tg:id',
  'a#b',
  '💥',
  '\u202e',
  "'; drop table message; --",
  '{}',
  '%00',
  '../..',
  'x'.repeat(500),
  '9'.repeat(40),
]
const refused = ['__proto__', '\u0000', '\ud800', 'x'.repeat(600)]
const usual = ['id', 'room', 'dm', 'added', 'tg', 'chat']
const text = () =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...odd, ...usual) },
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom(...refused) },
  )
const kinds = ['bot', 'user', 'conversation', 'message']
/** One that exists, until it is deleted: that comes last. */
const the = (kind: string) => fc.constant(kind).map(() => known[kinds.indexOf(kind)]!)
const id = () => fc.oneof({ weight: 4, arbitrary: fc.nat(3).map((at) => known[at]!) }, { weight: 1, arbitrary: text() })
const mostly = <T, U>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<U>) => fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: wrong })
const map = () => fc.dictionary(text(), text(), { maxKeys: 2, noNullPrototype: false })
const anything = () => fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.array(text(), { maxLength: 3 }), fc.constantFrom(1e308, -1, 0.5, true, null))

/** Bodies that are nearly right, and some that are not. */
const body = () =>
  fc.record(
    {
      tags: mostly(fc.oneof(map(), fc.constant({}), fc.record({ id: text() })), anything()),
      payload: mostly(
        fc.oneof(fc.record({ content: text() }), map(), fc.dictionary(text(), fc.jsonValue(), { maxKeys: 3, noNullPrototype: false })),
        anything(),
      ),
      input: mostly(fc.oneof(fc.record({ conversationId: the('conversation'), payload: map() }), map()), anything()),
      conversationId: mostly(the('conversation'), id()),
      userId: mostly(the('user'), id()),
      type: mostly(fc.oneof(fc.constantFrom('added', 'chat:sendEvent', 'tg:add', 'text'), text()), anything()),
      channel: mostly(fc.oneof(fc.constantFrom('dm', 'group'), text()), anything()),
      ...{ properties: mostly(map(), anything()), attributes: map(), name: mostly(text(), anything()), pictureUrl: text() },
      ...{ integrationName: fc.constantFrom('tg', 'telegram', 'chat'), discriminateByTags: fc.constantFrom(['id'], [], ['toString']) },
      ...{ origin: fc.constant('synthetic'), identifier: fc.oneof(text(), fc.constant(null)), messageId: the('message') },
    },
    { requiredKeys: ['tags', 'payload', 'input', 'conversationId', 'userId', 'type', 'channel'], noNullPrototype: false },
  )

const query = () =>
  fc.array(
    fc.tuple(
      fc.constantFrom(
        'tags.a',
        'tags',
        'nextToken',
        'pageSize',
        'afterDate',
        'beforeDate',
        'participantIds',
        'integrationName',
        'channel',
        'conversationId',
        'status',
        'sortField',
        'x.y.z',
      ),
      text(),
    ),
    { maxLength: 4 },
  )

const operations = Object.values(runtime)
  .flatMap((group) => Object.entries(group))
  .sort(([a], [b]) => Number(a.startsWith('delete')) - Number(b.startsWith('delete')))

test.each(operations)('%s', async (_, operation) => {
  const wanted = 'body' in operation ? Object.keys((operation.body as { properties: object }).properties) : []
  await fc.assert(
    fc.asyncProperty(body(), query(), fc.array(id(), { minLength: 2, maxLength: 2 }), fc.constantFrom('asBot', 'asTg'), async (given, asked, ids, as) => {
      let used = 0
      const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent((ids[used++] ?? '').toWellFormed()) || 'x')
      const search = asked.map(([key, said]) => `${key}=${encodeURIComponent(said.toWellFormed())}`).join('&')
      const sent = Object.fromEntries(Object.entries(given).filter(([key]) => wanted.includes(key)))
      const reply = await scene.call(operation.method, `${path}?${search}`, {
        headers: scene[as as 'asBot' | 'asTg'],
        ...(operation.method !== 'GET' && { body: sent }),
      })
      expect(reply.status, JSON.stringify([path, search, sent, reply.body])).not.toBe(500)
    }),
    { numRuns: 60 },
  )
})
