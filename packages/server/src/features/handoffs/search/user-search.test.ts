// The search of users by name, tag and integration, with counts, on pages.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'

let scene: RuntimeScene

beforeAll(async () => {
  scene = await openRuntimeScene()
  const made = async (url: string, body: object, headers: Record<string, string>) =>
    (await scene.call('POST', url, { headers, body })).body
  const names = [
    'Ana Maria Lopez',
    "O'Neill \\ & | ! :*",
    '東京 太郎',
    'Zoë Ängström',
    'maria',
  ]
  for (const name of names)
    await made(
      '/v1/chat/users',
      { name, tags: { lang: name === 'maria' ? 'fr' : 'en' } },
      scene.asTg,
    )
  const { user } = await made(
    '/v1/chat/users',
    { name: 'Other Maria', tags: {} },
    scene.asOther,
  )
  for (const channel of ['dm', 'group']) {
    const { conversation } = await made(
      '/v1/chat/conversations',
      { channel, tags: {} },
      scene.asOther,
    )
    const url = `/v1/chat/conversations/${conversation.id}/participants`
    await made(url, { userId: user.id }, scene.asOther)
  }
}, 60_000)
afterAll(() => scene?.close())

async function search(query: string, headers = scene.asBot) {
  const { status, body } = await scene.call('GET', `/v1/platform/users?${query}`, {
    headers,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const findNames = async (query: string) =>
  (await search(query)).users.map(({ user }: { user: { name: string } }) => user.name)

test.each([
  ['maria', ['Other Maria', 'maria', 'Ana Maria Lopez']],
  ['MAR', ['Other Maria', 'maria', 'Ana Maria Lopez']],
  ['lopez ana', ['Ana Maria Lopez']],
  ['maria an', ['Ana Maria Lopez']],
  ['maria nobody', []],
  ["o'neill", ["O'Neill \\ & | ! :*"]],
  ['東京', ['東京 太郎']],
  ['Zoë', ['Zoë Ängström']],
  ['&', []],
  ["'", []],
  ['\\', []],
  ['a:*', ['Ana Maria Lopez']],
  ['😀', []],
])('finds %j', async (text, names) => {
  expect(await findNames(`name=${encodeURIComponent(text)}`)).toEqual(names)
})

test('filters by tag and integration, and counts conversations', async () => {
  expect(await findNames('tags.tg:lang=fr')).toEqual(['maria'])
  expect(await findNames('integration=other')).toEqual(['Other Maria'])
  expect(await findNames('integration=tg&name=maria')).toEqual([
    'maria',
    'Ana Maria Lopez',
  ])
  const { users } = await search('name=other')
  expect(users[0]).toMatchObject({ integration: 'other', conversationCount: 2 })
  expect(users[0]).not.toHaveProperty('lastActiveAt')
})

test('names the time of the last message, which changes of tags keep', async () => {
  const { users } = await search('name=other')
  const query = `userId=${users[0].user.id}`
  const listed = await scene.call('GET', `/v1/platform/conversations?${query}`, {
    headers: scene.asBot,
  })
  const [{ conversation }] = listed.body.conversations
  const sent = await scene.call('POST', '/v1/chat/messages', {
    headers: scene.asOther,
    body: {
      conversationId: conversation.id,
      userId: users[0].user.id,
      type: 'text',
      tags: {},
      payload: { text: 'hi' },
    },
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(201)
  const changed = await scene.call('PUT', `/v1/chat/conversations/${conversation.id}`, {
    headers: scene.asOther,
    body: { tags: { seen: 'yes' } },
  })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  const [user] = (await search('name=other')).users
  expect(user.lastActiveAt).toBe(sent.body.message.createdAt)
})

test('pages are complete and without repetition, with rare and with common filters', async () => {
  await sql`
    insert into "user" (bot_id, id, integration, name, tags, created_at)
    select ${scene.botId}, 'user_' || lpad(i::text, 26, '0'), 'tg',
      case when i % 100 = 0 then 'Person Rarely' else 'Person' end,
      case when i > 5900 then '{"kind": "new"}'::jsonb else '{"kind": "most"}' end,
      timestamptz '2020-01-01' + i / 3 * interval '1 second'
    from generate_series(1, 7000) i`.execute(scene.app.services.db)
  for (const [query, count] of [
    ['name=pers', 7000],
    ['name=rare', 70],
    // The newest 1,100 do not match: the search stops before it has found a page.
    ['tags.kind=most', 5900],
    ['tags.kind=most&name=rarely', 59],
    ['tags.kind=most&name=person&integration=tg', 5900],
  ] as const) {
    const ids: string[] = []
    for (let token = ''; ; ) {
      const { users, meta } = await search(
        `${query}&pageSize=1000${token && `&nextToken=${token}`}`,
      )
      ids.push(...users.map(({ user }: { user: { id: string } }) => user.id))
      if (!meta.nextToken) break
      token = meta.nextToken
    }
    expect([query, ids.length, new Set(ids).size]).toEqual([query, count, count])
    expect(ids).toEqual([...ids].sort().reverse())
  }
}, 60_000)

test('shows nothing of other bots, and nothing to integrations', async () => {
  for (const query of ['name=lopez', 'name=person', 'tags.kind=most'])
    expect((await search(query, scene.headersOf('strangers bot'))).users, query).toEqual(
      [],
    )
  const { users } = await search('pageSize=1000', scene.headersOf('strangers bot'))
  expect(users.map(({ user }: { user: { name?: string } }) => user.name)).not.toContain(
    'Person',
  )
  const { status } = await scene.call('GET', '/v1/platform/users', {
    headers: scene.asTg,
  })
  expect(status).toBe(403)
})

test('finds users who wrote, and members who answer', async () => {
  const { db } = scene.app.services
  const made = async (url: string, body: object, headers = scene.asTg) =>
    (await scene.call('POST', url, { headers, body })).body
  const ids: Record<string, string> = {}
  for (const name of ['Writer', 'Reader', 'Greeted', 'Member'])
    ids[name] = (
      await made('/v1/chat/users', { name: `${name} Quietly`, tags: {} })
    ).user.id
  const talk = async (listener: string, userId: string, headers = scene.asTg) => {
    const { conversation } = await made('/v1/chat/conversations', {
      channel: 'dm',
      tags: {},
    })
    const url = `/v1/chat/conversations/${conversation.id}/participants`
    await made(url, { userId: ids[listener] })
    const message = { type: 'text', payload: { text: 'hi' }, tags: {} }
    await made(
      '/v1/chat/messages',
      { ...message, conversationId: conversation.id, userId },
      headers,
    )
  }
  await talk('Reader', ids.Writer!)
  await talk('Greeted', scene.botId, scene.asBot)
  await sql`insert into handoff_agent (bot_id, user_id, account_id)
    values (${scene.botId}, ${ids.Member}, ${scene.accountId})`.execute(db)
  const silence = 'name=quietly'
  expect(await findNames(`${silence}&hasMessages=true`)).toEqual(['Writer Quietly'])
  expect(await findNames(`${silence}&hasMessages=false&isMember=false`)).toEqual([
    'Greeted Quietly',
    'Reader Quietly',
  ])
  expect(await findNames('isMember=true')).toEqual(['Member Quietly'])
  expect(await findNames(`${silence}&isMember=false`)).not.toContain('Member Quietly')
  expect(await findNames(silence)).toHaveLength(4)
  // Without other filters, pages read users until they are full.
  const { users, meta } = await search('hasMessages=true&isMember=false&pageSize=1')
  expect(users.map(({ user }: { user: { name: string } }) => user.name)).toEqual([
    'Writer Quietly',
  ])
  expect(meta).toHaveProperty('nextToken')
  await sql`delete from handoff_agent where user_id = ${ids.Member}`.execute(db)
})
