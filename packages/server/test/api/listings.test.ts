// Every listing of the Runtime API: filters and orders compared with a model, and pages without
// duplicates while objects are created.
import { runtime } from '@botstead/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'

let scene: RuntimeScene
type Caller = 'asTg' | 'asOther' | 'asBot'
const call = (as: Caller, line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/chat/${path}`, { headers: scene[as], body })
}
// biome-ignore lint/suspicious/noExplicitAny: the server checked its shape against the contract
const make = async (as: Caller, line: string, body: unknown): Promise<any> => {
  const reply = await call(as, line, body)
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body))
  return Object.values(reply.body)[0]
}

interface Thing {
  id: string
  createdAt: string
  updatedAt: string
  tags: Record<string, string>
  [field: string]: unknown
}
const things = {
  conversations: [] as Thing[],
  users: [] as Thing[],
  messages: [] as Thing[],
  events: [] as Thing[],
}
const members = new Map<string, Set<string>>()
const few = ['a', 'b', 'c']
const nth = <T>(list: T[], at: number) => list[at % list.length]!

beforeAll(async () => {
  scene = await openRuntimeScene()
  for (let i = 0; i < 18; i++) {
    const as = i % 3 ? 'asTg' : 'asOther'
    const user = await make(as, 'POST users', {
      tags: { id: nth(few, i), lang: nth(few, i >> 1) },
      name: `u${i}`,
    })
    const conversation = await make(as, 'POST conversations', {
      channel: 'dm',
      tags: { id: nth(few, i), room: nth(few, i >> 2) },
      properties: { n: `${i}` },
    })
    const group = await make(as, 'POST conversations', { channel: 'group', tags: {} })
    members.set(conversation.id, new Set([user.id]))
    members.set(group.id, new Set())
    for (let j = 0; j < i % 4; j++) {
      const message = {
        conversationId: conversation.id,
        userId: user.id,
        type: 'text',
        payload: { text: `${j}` },
        tags: { id: nth(few, j) },
      }
      await make(as, 'POST messages', message)
    }
    await call(as, `POST conversations/${conversation.id}/participants`, {
      userId: user.id,
    })
    await make(as, 'POST events', {
      type: 'added',
      payload: { content: 'x' },
      ...(i % 2 && { conversationId: conversation.id }),
      ...(i % 3 && { userId: user.id }),
    })
    if (i % 5 === 0) await call('asBot', `PUT users/${user.id}`, { tags: { mark: 'x' } })
  }
  await vi.waitFor(
    async () =>
      expect(
        (await everything('events')).filter(({ status }) => status === 'pending'),
      ).toEqual([]),
    10_000,
  )
  for (const name of ['conversations', 'users', 'messages', 'events'] as const)
    things[name] = await everything(name)
}, 60_000)
afterAll(() => scene?.close())

async function everything(
  name: string,
  query = '',
  as: Caller = 'asBot',
  pageSize = 100,
): Promise<Thing[]> {
  const all: Thing[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const reply: Awaited<ReturnType<typeof call>> = await call(
      as,
      `GET ${name}?pageSize=${pageSize}${query}${token && `&nextToken=${token}`}`,
    )
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    all.push(...(Object.values(reply.body)[0] as Thing[]))
    token = reply.body.meta.nextToken
  }
  return all
}

const order =
  (field: 'createdAt' | 'updatedAt', direction: 'asc' | 'desc') =>
  (a: Thing, b: Thing) => {
    const [x, y] = [`${a[field]} ${a.id}`, `${b[field]} ${b.id}`]
    return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1)
  }
const ids = (list: { id: string }[]) => list.map(({ id }) => id)
/** An existing id, or an unknown one. */
const arbitraryId = (name: keyof typeof things) =>
  fc.nat(60).map((at) => things[name][at]?.id ?? 'unknown')
const arbitraryMoment = (name: keyof typeof things) =>
  fc.nat(40).map((at) => (things[name][at] ?? things[name][0]!).createdAt)
const some = { requiredKeys: [] as never[] }
const sorted = {
  sortField: fc.constantFrom('createdAt', 'updatedAt'),
  sortDirection: fc.constantFrom('asc', 'desc'),
}

type Wanted = Record<string, string | number | string[] | undefined>
const search = (wanted: Wanted) =>
  Object.entries(wanted)
    .flatMap(([key, value]) =>
      [value]
        .flat()
        .map((one) =>
          one === undefined
            ? ''
            : `&${encodeURIComponent(key)}=${encodeURIComponent(one)}`,
        ),
    )
    .join('')

/** The meaning of each filter. */
const meaning: Record<string, (thing: Thing, value: never, wanted: Wanted) => boolean> = {
  'tags.tg:id': ({ tags }, value) => tags['tg:id'] === value,
  'tags.other:id': ({ tags }, value) => tags['other:id'] === value,
  'tags.mark': ({ tags }, value) => tags.mark === value,
  afterDate: (thing, value: string, { rangeField = 'createdAt' }) =>
    (thing[rangeField as 'createdAt'] as string) >= value,
  beforeDate: (thing, value: string, { rangeField = 'createdAt' }) =>
    (thing[rangeField as 'createdAt'] as string) <= value,
  channel: ({ channel }, value) => channel === value,
  integrationName: ({ integration }, value) =>
    value === 'telegram' || integration === value,
  participantIds: ({ id }, value: string[]) =>
    value.every((user) => members.get(id)?.has(user)),
  minMessageCount: ({ messageCount }, value) => (messageCount as number) >= value,
  maxMessageCount: ({ messageCount }, value) => (messageCount as number) <= value,
  conversationId: (thing, value) =>
    'messageId' in thing || 'conversationId' in thing
      ? thing.conversationId === value
      : (members.get(value)?.has(thing.id) ?? false),
  userId: ({ userId }, value) => userId === value,
  messageId: ({ messageId }, value) => messageId === value,
  workflowId: () => false,
  type: ({ type }, value) => type === value,
  status: ({ status }, value) => status === value,
}

function expected(name: keyof typeof things, wanted: Wanted): string[] {
  const filters = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && Object.hasOwn(meaning, key),
  )
  const found = things[name].filter((thing) =>
    filters.every(([key, value]) => meaning[key]!(thing, value as never, wanted)),
  )
  if (name === 'events' || name === 'messages') return ids(found)
  const { sortField = 'createdAt', sortDirection = 'desc' } = wanted as {
    sortField?: 'createdAt'
    sortDirection?: 'asc'
  }
  return ids(found.toSorted(order(sortField, sortDirection)))
}

const common = (name: keyof typeof things) => ({
  afterDate: arbitraryMoment(name),
  beforeDate: arbitraryMoment(name),
})
const tag = {
  'tags.tg:id': fc.constantFrom(...few, 'none'),
  'tags.other:id': fc.constantFrom(...few),
}
const status = fc.constantFrom('pending', 'processed', 'ignored', 'failed', 'scheduled')
const filters = {
  conversations: () =>
    fc.record(
      {
        ...common('conversations'),
        ...tag,
        ...sorted,
        channel: fc.constantFrom('dm', 'group', 'mail'),
        integrationName: fc.constantFrom('tg', 'other', 'telegram', 'mail'),
        participantIds: fc.array(arbitraryId('users'), { minLength: 1, maxLength: 2 }),
        minMessageCount: fc.nat(4),
        maxMessageCount: fc.nat(4),
      },
      some,
    ),
  users: () =>
    fc.record(
      {
        ...common('users'),
        ...tag,
        ...sorted,
        'tags.mark': fc.constant('x'),
        rangeField: fc.constantFrom('createdAt', 'updatedAt'),
        conversationId: arbitraryId('conversations'),
      },
      some,
    ),
  messages: () =>
    fc.record(
      { ...common('messages'), ...tag, conversationId: arbitraryId('conversations') },
      some,
    ),
  events: () =>
    fc.record(
      {
        type: fc.constantFrom('tg:added', 'other:added', 'message_created', 'added'),
        status,
        conversationId: arbitraryId('conversations'),
        userId: arbitraryId('users'),
        messageId: arbitraryId('messages'),
        workflowId: fc.constant('wrkflow_nowhere'),
      },
      some,
    ),
}

test('the tests use every parameter of these four listings', () => {
  const lists = {
    conversations: runtime.conversations.listConversations,
    users: runtime.users.listUsers,
    messages: runtime.messages.listMessages,
    events: runtime.events.listEvents,
  }
  for (const [name, { query }] of Object.entries(lists)) {
    const known = fc
      .sample<object>(filters[name as keyof typeof filters](), 200)
      .flatMap(Object.keys)
    const tried = new Set([
      ...known.map((key) => key.split('.')[0]!),
      'nextToken',
      'pageSize',
    ])
    expect([
      name,
      Object.keys(query.properties).filter((key) => !tried.has(key)),
    ]).toEqual([name, []])
  }
})

test.each(['conversations', 'users', 'messages', 'events'] as const)(
  'lists %s like the model, in its order, in pages of any size',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(
        filters[name](),
        fc.constantFrom(3, 20, 100, 1000),
        async (wanted, pageSize) => {
          expect(
            ids(await everything(name, search(wanted as Wanted), 'asBot', pageSize)),
          ).toEqual(expected(name, wanted as Wanted))
        },
      ),
      { numRuns: 60 },
    )
  },
  60_000,
)

test.each(['conversations', 'messages'] as const)(
  'lists only own %s for an integration',
  async (name) => {
    const own = things[name].filter(
      ({ tags, integration }) => integration === 'tg' || 'tg:id' in tags,
    )
    expect(ids(await everything(name, '', 'asTg'))).toEqual(ids(own))
  },
)

test('lists only own users and events for an integration, and the bot among the users', async () => {
  const own = things.users.filter(({ id, tags }) => id === scene.botId || 'tg:id' in tags)
  expect(ids(await everything('users', '', 'asTg'))).toEqual(ids(own))
  expect(
    (await everything('users', '&tags.id=a', 'asTg')).every(
      ({ tags }) => tags.id === 'a' && !('mark' in tags),
    ),
  ).toBe(true)
  expect(
    (await everything('events', '', 'asTg')).every(({ type }) => type === 'tg:added'),
  ).toBe(true)
})

test.each([
  ...['conversations', 'users', 'messages', 'events', 'workflows'].flatMap((name) =>
    ['0', '1001', '-1', '1.5', 'x'].map((size) => [name, `pageSize=${size}`]),
  ),
  ...['conversations', 'users'].flatMap((name) =>
    ['sortField=name', 'sortDirection=up'].map((sort) => [name, sort]),
  ),
  ...['conversations', 'users', 'messages'].flatMap((name) =>
    ['afterDate=now', 'beforeDate=2026-13-01'].map((date) => [name, date]),
  ),
  ['users', 'rangeField=id'],
  ['conversations', 'minMessageCount=-1'],
  ['conversations', 'maxMessageCount=many'],
  ['events', 'status=done'],
  ['workflows', 'statuses=done'],
])('rejects %s?%s', async (name, query) => {
  expect(await call('asBot', `GET ${name}?${query}`)).toMatchObject({
    status: 400,
    body: { type: 'InvalidQuery' },
  })
})

test.each([
  '2020-01-01T01:00:00+0100',
  '2020-01-01%2001:00:00%20%2B01:00',
  'Wed,+01+Jan+2020+00:00:00+GMT',
  '1577836800000',
  '2020-01-01',
])('lists conversations created after a date: afterDate=%s', async (date) => {
  const { status, body } = await call('asBot', `GET conversations?afterDate=${date}`)
  expect([status, body.conversations.length > 0]).toEqual([200, true])
  const before = await call('asBot', `GET conversations?beforeDate=${date}`)
  expect(before).toMatchObject({ status: 200, body: { conversations: [] } })
})

test('rejects an invalid date by the name of its parameter', async () => {
  const { body } = await call('asBot', 'GET conversations?beforeDate=yesterday')
  expect(body.message).toMatch(
    /^query\/beforeDate must be a date or time in ISO 8601.*, not "yesterday"$/,
  )
})

describe('lists each object once while others are created', () => {
  /** A listing, how to create one more object, and the key that identifies it. */
  interface Listing {
    list: string
    make: (i: number) => Promise<unknown>
    as?: Caller
    known?: (item: Thing) => unknown
  }
  let target: { conversationId: string; userId: string }
  const message = (tags: Record<string, string> = {}) => ({
    ...target,
    type: 'text',
    payload: {},
    tags,
  })
  const past = (i: number) => ({
    ...message(),
    createdAt: new Date(1_600_000_000_000 + (i % 7) * 1000).toISOString(),
    discriminateByTags: [],
  })
  const conversation = () =>
    make('asTg', 'POST conversations', { channel: 'dm', tags: { room: 'pages' } })
  const user = () => make('asTg', 'POST users', { tags: { lang: 'pages' } })
  const sorts = ['createdAt', 'updatedAt'].flatMap((field) =>
    ['asc', 'desc'].map((direction) => `&sortField=${field}&sortDirection=${direction}`),
  )
  const listings: [string, Listing][] = [
    ...sorts.map((sort): [string, Listing] => [
      `conversations ${sort}`,
      { list: `conversations?tags.tg:room=pages${sort}`, make: conversation },
    ]),
    ...sorts.map((sort): [string, Listing] => [
      `users ${sort}`,
      { list: `users?tags.tg:lang=pages${sort}`, make: user },
    ]),
    [
      'messages',
      {
        list: 'messages?conversationId={c}',
        make: () => make('asTg', 'POST messages', message()),
      },
    ],
    [
      'messages, imported',
      {
        list: 'messages?conversationId={c}',
        make: (i) =>
          make('asTg', 'POST messages/import-messages', { messages: [past(i)] }),
      },
    ],
    [
      'messages of all',
      { list: 'messages?', make: () => make('asTg', 'POST messages', message()) },
    ],
    [
      'messages by tag',
      {
        list: 'messages?tags.tg:id=pages',
        make: () => make('asTg', 'POST messages', message({ id: 'pages' })),
      },
    ],
    [
      'messages of one by tag',
      {
        list: 'messages?conversationId={c}&tags.tg:id=pages',
        make: () => make('asTg', 'POST messages', message({ id: 'pages' })),
      },
    ],
    [
      'events',
      {
        list: 'events?type=tg:added',
        make: () =>
          make('asTg', 'POST events', { type: 'added', payload: { content: 'x' } }),
      },
    ],
    [
      'workflows',
      {
        list: 'workflows?',
        make: () =>
          make('asBot', 'POST workflows', { name: 'pages', status: 'listening' }),
      },
    ],
    [
      'participants',
      {
        list: 'conversations/{c}/participants?',
        make: async () =>
          call('asTg', `POST conversations/${target.conversationId}/participants`, {
            userId: (await user()).id,
          }),
      },
    ],
    [
      'tag values',
      {
        list: 'tags/lang/values?type=user',
        as: 'asTg',
        make: (i) => make('asTg', 'POST users', { tags: { lang: `v${(i * 37) % 101}` } }),
        known: ({ value }) => value,
      },
    ],
  ]

  test.each(listings)(
    '%s',
    async (_, { list, make: more, as = 'asBot', known = ({ id }) => id }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 5 }),
          fc.nat(3),
          async (count, pageSize, meanwhile) => {
            target = {
              conversationId: (await conversation()).id,
              userId: (await user()).id,
            }
            let made = 0
            for (; made < count; made++) await more(made)
            const line = list.replace('{c}', target.conversationId)
            const read = async (query: string) =>
              (await call(as, `GET ${line}${query}`)).body
            const pages = async (pageSize: number, between: () => Promise<unknown>) => {
              const seen: unknown[] = []
              for (
                let token: string | undefined = '', turned = 0;
                token !== undefined;
                turned++
              ) {
                const body = await read(
                  `&pageSize=${pageSize}${token && `&nextToken=${token}`}`,
                )
                seen.push(...(Object.values(body)[0] as Thing[]).map(known))
                token = body.meta.nextToken
                // In ascending order new objects come last: a listing that grows as fast as it is
                // read never ends.
                if (turned < 6) await between()
              }
              return seen
            }
            const before = await pages(100, async () => {})
            const seen = await pages(pageSize, () =>
              Promise.all(Array.from({ length: meanwhile }, () => more(made++))),
            )
            expect(new Set(seen).size).toBe(seen.length)
            expect(before.filter((one) => !seen.includes(one))).toEqual([])
            const there = new Set(before)
            expect(seen.filter((one) => there.has(one))).toEqual(before)
          },
        ),
        { numRuns: 4 },
      )
    },
    40_000,
  )
})
