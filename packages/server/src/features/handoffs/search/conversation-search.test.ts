// The search of conversations: every filter alone and combined, rare and common, on pages, with
// texts in many scripts. Words are written at once by the task that otherwise runs by itself.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { newId } from '../../../core/lib/ids.ts'
import { fillMessageSearch } from '../../../core/messaging/search/filling.ts'

let scene: RuntimeScene
const users: Record<string, string> = {}
const conversations: Record<string, string> = {}

beforeAll(async () => {
  scene = await openRuntimeScene()
  for (const name of ['Ana', 'Bo']) users[name] = await newUser(name)
  await newConversation(
    'refund',
    'Ana',
    { lang: 'fr' },
    'I want a refund for my ORDER 4711',
    'Thanks!',
  )
  await newConversation('hello', 'Bo', { lang: 'en' }, 'hello there', 'my order is late')
  await newConversation(
    'scripts',
    'Ana',
    {},
    'Le café de Zoë',
    'Straße',
    '東京都に住んでいます',
    'Привет мир',
  )
  await newConversation('empty', 'Bo', {})
}, 60_000)
afterAll(() => scene?.close())

const post = async (url: string, body: object, headers = scene.asTg) => {
  const reply = await scene.call('POST', url, { headers, body })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}
const newUser = async (name: string) =>
  (await post('/v1/chat/users', { name, tags: {} })).user.id as string

async function newConversation(
  name: string,
  user: string,
  tags: Record<string, string>,
  ...texts: string[]
) {
  const { conversation } = await post('/v1/chat/conversations', {
    channel: 'dm',
    tags: {},
  })
  conversations[name] = conversation.id
  await scene.call('PUT', `/v1/chat/conversations/${conversation.id}`, {
    headers: scene.asBot,
    body: { tags },
  })
  for (const text of texts) await say(name, user, { text })
}

const say = (name: string, user: string, payload: object, type = 'text') =>
  sayAs(name, users[user]!, payload, scene.asTg, type)

async function sayAs(
  name: string,
  userId: string,
  payload: object,
  headers: Record<string, string>,
  type = 'text',
) {
  const body = { conversationId: conversations[name], userId, type, payload, tags: {} }
  return (await post('/v1/chat/messages', body, headers)).message.id as string
}

async function search(query: string, headers = scene.asBot) {
  await fill()
  const reply = await scene.call('GET', `/v1/platform/conversations?${query}`, {
    headers,
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const fill = () => fillMessageSearch(scene.app.services.db)

const namesIn = ({
  conversations: found,
}: {
  conversations: { conversation: { id: string } }[]
}) =>
  found.map(({ conversation }) =>
    Object.keys(conversations).find((name) => conversations[name] === conversation.id),
  )
const found = async (query: string) => namesIn(await search(query))

test('lists the latest activity first, with messages, participants and counts', async () => {
  const { conversations: page } = await search('')
  expect(namesIn({ conversations: page })).toEqual([
    'empty',
    'scripts',
    'hello',
    'refund',
  ])
  const { conversation, ...details } = page[3]
  expect(conversation).toMatchObject({ messageCount: 2, tags: { lang: 'fr' } })
  expect(details).toMatchObject({
    lastMessage: { payload: { text: 'Thanks!' } },
    lastUserMessage: { payload: { text: 'Thanks!' } },
    participants: [{ id: users.Ana, name: 'Ana', integration: 'tg' }],
    participantCount: 1,
    deadLetterCount: 0,
    feedback: { positive: 0, negative: 0 },
  })
  expect(page[0].lastMessage).toBeUndefined()
})

test.each([
  ['refund', ['refund']],
  ['ORDER', ['hello', 'refund']],
  ['order refund', ['refund']],
  ['late refund', []],
  ['ref', ['refund']],
  ['ref order', []],
  ['47', ['refund']],
  ['cafe zoe', ['scripts']],
  ['CAFÉ', ['scripts']],
  ['strasse', ['scripts']],
  ['東京', ['scripts']],
  ['住んで', ['scripts']],
  ['京東', []],
  ['ПРИВ', ['scripts']],
  ['😀', []],
  ["' & !x:* | '", []],
  ['\\', []],
  ['\u0000', 400],
  ['%00', []],
  ['\ud800x', []],
  ['constructor', []],
  ['__proto__', []],
] as [string, string[] | number][])('finds %j', async (text, names) => {
  if (typeof names === 'number') {
    const url = `/v1/platform/conversations?text=${encodeURIComponent(text)}`
    const { status } = await scene.call('GET', url, { headers: scene.asBot })
    expect(status).toBe(names)
  } else
    expect(await found(`text=${encodeURIComponent(text.toWellFormed())}`)).toEqual(names)
})

test('returns the last message with the words', async () => {
  const id = await say('hello', 'Bo', { text: 'another order' })
  await say('hello', 'Bo', { text: 'bye' })
  const { conversations: page } = await search('text=order')
  expect(page[0].match).toMatchObject({ id, payload: { text: 'another order' } })
  expect(page[0].lastMessage.payload).toEqual({ text: 'bye' })
})

test('searches the texts of cards, but not links', async () => {
  const items = [
    { title: 'Suitcase', subtitle: 'blue', imageUrl: 'https://example.org/secretword' },
  ]
  await say('empty', 'Bo', { items }, 'carousel')
  expect(await found('text=suitcase')).toEqual(['empty'])
  expect(await found('text=blue')).toEqual(['empty'])
  expect(await found('text=secretword')).toEqual([])
})

test('filters by tag, user, integration and time of the last activity', async () => {
  expect(await found('tags.lang=fr')).toEqual(['refund'])
  expect(await found('tags.lang=fr&tags.other=x')).toEqual([])
  expect(await found(`userId=${users.Ana}`)).toEqual(['scripts', 'refund'])
  expect(await found(`userId=${newId('user')}`)).toEqual([])
  expect(await found('integration=tg&text=refund')).toEqual(['refund'])
  expect(await found('integration=other')).toEqual([])
  expect(await found(`userId=${users.Ana}&text=order&tags.lang=fr`)).toEqual(['refund'])
  expect(await found('afterDate=2100-01-01')).toEqual([])
  expect(await found('beforeDate=2000-01-01')).toEqual([])
  const all = await found('afterDate=2000-01-01&beforeDate=2100-01-01')
  expect(all).toHaveLength(4)
})

test('filters by dead letters and issues', async () => {
  const { db } = scene.app.services
  const [dead, failing] = [conversations.refund!, conversations.hello!]
  await sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, conversation_id, dead_at)
    values (${scene.botId}, ${dead}, 1, ${newId('delivery')}, 'event', 'e', ${dead}, now())`.execute(
    db,
  )
  await sql`
    with i as (insert into issue (bot_id, id, code, message, fingerprint, grouped_data, events_count)
      values (${scene.botId}, 'i', 'event_failed', 'm', '', '{}', 1))
    insert into issue_event (bot_id, issue_id, id, data) values (${scene.botId}, 'i', 'e',
      ${JSON.stringify({ conversationId: { raw: failing } })}::jsonb)`.execute(db)
  expect((await found('hasErrors=true')).sort()).toEqual(['hello', 'refund'])
  expect((await found('hasErrors=false')).sort()).toEqual(['empty', 'scripts'])
  expect(await found('hasErrors=true&text=late')).toEqual(['hello'])
  const { conversations: page } = await search('text=refund')
  expect(page[0].deadLetterCount).toBe(1)
})

test('filters by feedback', async () => {
  const id = await say('scripts', 'Ana', { text: 'rated' })
  const row = [scene.botId, newId('feedback'), conversations.scripts, id, users.Ana, '2']
  await sql`insert into message_feedback (bot_id, id, conversation_id, message_id, user_id, rating)
    values (${sql.join(row)})`.execute(scene.app.services.db)
  expect(await found('feedback=any')).toEqual(['scripts'])
  expect(await found('feedback=negative')).toEqual(['scripts'])
  expect(await found('feedback=positive')).toEqual([])
  expect((await search('feedback=any')).conversations[0].feedback).toEqual({
    positive: 0,
    negative: 1,
  })
})

test('pages are complete and without repetition, with rare and with common filters', async () => {
  const { db } = scene.app.services
  // More conversations than the limit for lists of ids, some with the word.
  await sql`
    insert into conversation (bot_id, id, integration, channel, tags, message_count, updated_at)
    select ${scene.botId}, 'conv_' || lpad(i::text, 26, '0'), 'tg', 'dm',
      case when i % 100 = 0 then '{"kind": "some"}'::jsonb when i > 5900 then '{"kind": "new"}'
        else '{"kind": "most"}' end, 1,
      timestamptz '2020-01-01' + i / 3 * interval '1 second'
    from generate_series(1, 7000) i`.execute(db)
  await sql`
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
      created_at, updated_at)
    select bot_id, replace(id, 'conv', 'msg'), id, ${users.Ana}, 1, 'incoming', 'text',
      case when tags ->> 'kind' = 'some' then '{"text": "ordinary rareword"}'::jsonb
        else '{"text": "ordinary"}' end, now(), now()
    from conversation where tags ? 'kind'`.execute(db)
  while (await fill());
  for (const [query, count] of [
    ['tags.kind=some', 70],
    // The newest 1,100 do not match: the search stops before it has found a page.
    ['tags.kind=most', 5841],
    ['text=ordin', 7000],
    ['text=rarew', 70],
    ['text=ordin&tags.kind=some', 70],
    ['text=ordinary%20rarew&tags.kind=most', 0],
    ['text=ordin&hasErrors=false', 7000],
  ] as const) {
    const ids: string[] = []
    for (let token = ''; ; ) {
      const next = token && `&nextToken=${token}`
      const { conversations: page, meta } = await search(`${query}&pageSize=1000${next}`)
      ids.push(
        ...page.map(
          ({ conversation }: { conversation: { id: string } }) => conversation.id,
        ),
      )
      if (!meta.nextToken) break
      token = meta.nextToken
    }
    expect([query, ids.length, new Set(ids).size]).toEqual([query, count, count])
    expect(ids).toEqual([...ids].sort().reverse())
  }
}, 120_000)

test('shows nothing of other bots, and nothing to integrations', async () => {
  for (const query of ['', 'text=refund', 'hasErrors=false', 'tags.lang=en']) {
    const { conversations: shown } = await search(query, scene.headersOf('strangers bot'))
    expect(shown, query).toEqual([])
  }
  const { status } = await scene.call('GET', '/v1/platform/conversations', {
    headers: scene.asTg,
  })
  expect(status).toBe(403)
})

test('rejects unknown filters, long texts and tokens of other searches', async () => {
  const findStatus = async (query: string) =>
    (
      await scene.call('GET', `/v1/platform/conversations?${query}`, {
        headers: scene.asBot,
      })
    ).status
  expect(await findStatus(`text=${'x'.repeat(501)}`)).toBe(400)
  expect(await findStatus('feedback=good')).toBe(400)
  const { meta } = await search('pageSize=1')
  expect(await findStatus(`pageSize=1&nextToken=${meta.nextToken}`)).toBe(200)
  expect(await findStatus(`pageSize=1&nextToken=${meta.nextToken}&text=order`)).toBe(400)
})

test('finds what users wrote, not only the bot and members', async () => {
  const { db } = scene.app.services
  const member = await newUser('Member')
  await sql`insert into handoff_agent (bot_id, user_id, account_id)
    values (${scene.botId}, ${member}, ${scene.accountId})`.execute(db)
  const answer = (name: string, userId: string, text: string) =>
    sayAs(name, userId, { text }, scene.asBot)
  for (const name of ['untouched', 'greeted', 'asked', 'long'])
    await newConversation(name, 'Ana', { kind: 'silence' })
  await answer('greeted', scene.botId, 'Welcome')
  await say('asked', 'Ana', { text: 'Anyone?' })
  await answer('asked', scene.botId, 'A bot')
  await answer('asked', member, 'And a member')
  // A check reads no more messages than this, and hides nothing because of it.
  await sql`update conversation set message_count = 101 where id = ${conversations.long}`.execute(
    db,
  )
  const silence = 'tags.kind=silence'
  expect(await found(`${silence}&hasUserMessages=true`)).toEqual(['asked', 'long'])
  expect((await found(`${silence}&hasUserMessages=false`)).sort()).toEqual([
    'greeted',
    'untouched',
  ])
  expect(await found(silence)).toHaveLength(4)
  const { conversations: page } = await search(`${silence}&hasUserMessages=true`)
  const asked = page.find(({ lastMessage }: { lastMessage?: object }) => lastMessage)
  expect(asked).toMatchObject({
    lastMessage: { payload: { text: 'And a member' } },
    lastUserMessage: { payload: { text: 'Anyone?' } },
    participants: [{ id: users.Ana }],
    participantCount: 1,
  })
  const all: string[] = []
  for (let token = ''; ; ) {
    const next = token && `&nextToken=${token}`
    const one = await search(`hasUserMessages=true&pageSize=1000${next}`)
    all.push(
      ...one.conversations.map(
        ({ conversation }: { conversation: { id: string } }) => conversation.id,
      ),
    )
    if (!one.meta.nextToken) break
    token = one.meta.nextToken
  }
  expect(all.length).toBeGreaterThan(7_000)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toContain(conversations.asked)
  expect(all).not.toContain(conversations.greeted)
  await sql`delete from handoff_agent where user_id = ${member}`.execute(db)
}, 60_000)
