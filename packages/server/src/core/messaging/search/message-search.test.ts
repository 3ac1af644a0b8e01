// The words of messages: which ones the background task writes and deletes, in what order, and that
// kills and concurrent servers neither omit nor double any.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../../../test/support/database.ts'
import {
  type Messaging,
  openMessaging,
  ours,
  theirs,
} from '../../../../test/support/messaging-rows.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'
import { newId } from '../../lib/ids.ts'
import { deleteConversation } from '../conversations.ts'
import { importMessages } from '../messages/message-imports.ts'
import { deleteMessage, updateMessage } from '../messages/messages.ts'
import { deleteUser } from '../users.ts'
import { clearMessageSearch, fillMessageSearch } from './filling.ts'
import { toWordQuery, wordsOfMessage } from './message-words.ts'

let messaging: Messaging
let conversationId: string
let userId: string

beforeEach(async () => {
  messaging = await openMessaging()
  conversationId = (await messaging.newConversation()).id
  userId = (await messaging.newUser()).id
})
afterEach(() => messaging.close())

const say = (text: string) =>
  messaging.post({ conversationId, userId, payload: { text } })

async function fill() {
  while (await fillMessageSearch(messaging.db));
}

/** Returns the texts that the index finds. */
async function found(text: string, botId = ours): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select m.payload ->> 'text' as text from message_search s
    join message m using (bot_id, conversation_id, number)
    where s.words @@ ${toWordQuery(botId, text)}::tsquery order by m.number`.execute(
    messaging.db,
  )
  return rows.map((row) => row.text)
}

const countWords = async () =>
  (
    await sql<{ n: number }>`select count(*)::int as n from message_search`.execute(
      messaging.db,
    )
  ).rows[0]!.n

test('names a bot once when searches find further messages of it', async () => {
  await say('Where is my order?')
  const changed: string[] = []
  const note = (botId: string) => changed.push(botId)
  await fillMessageSearch(messaging.db, note)
  await fillMessageSearch(messaging.db, note)
  expect(changed).toEqual([ours])
})

test('writes the words of new messages', async () => {
  await fill()
  await say('one hello')
  await say('two hello')
  await messaging.post({
    conversationId,
    userId,
    type: 'image',
    payload: { imageUrl: 'hello' },
  })
  await fill()
  expect(await found('hello')).toEqual(['one hello', 'two hello'])
  await fill()
  expect(await countWords()).toBe(2)
  expect(await found('hello', theirs)).toEqual([])
})

test('includes a message of a transaction that commits later', async () => {
  let commit = () => {}
  const waiting = new Promise<void>((resolve) => (commit = resolve))
  const { db } = messaging
  await say('before')
  const slow = db.transaction().execute(async (trx) => {
    await sql`insert into message (bot_id, id, conversation_id, user_id, number, direction, type,
        payload, created_at, updated_at)
      values (${ours}, ${newId('message')}, ${conversationId}, ${userId}, 1000, 'incoming', 'text',
        '{"text": "slow"}', clock_timestamp(), now())`.execute(trx)
    await waiting
  })
  await pause(1_500)
  await fill()
  await pause(1_500)
  await say('after')
  await fill()
  expect(await found('slow')).toEqual([])
  commit()
  await slow
  await fill()
  expect(await found('slow')).toEqual(['slow'])
  expect(await found('after')).toEqual(['after'])
})

test('writes the words of earlier messages, of every bot', async () => {
  const { db } = messaging
  await sql`insert into message_search_progress (from_time) values (now() + interval '1 hour')`.execute(
    db,
  )
  for (const botId of [ours, theirs])
    await sql`insert into message (bot_id, id, conversation_id, user_id, number, direction, type,
        payload, created_at, updated_at)
      select ${botId}, 'msg_' || i, ${`c-${botId}`}, ${botId}, i, 'incoming', 'text', '{"text": "old"}',
        timestamptz '2020-01-01', now() from generate_series(1, 1200) i`.execute(db)
  await fill()
  expect([(await found('old')).length, (await found('old', theirs)).length]).toEqual([
    1200, 1200,
  ])
  expect((await sql`select from message_search_fill`.execute(db)).rows).toEqual([])
})

test('finds codes in every spelling, and Korean words with particles', async () => {
  await say('Error E-4021, part 12.345.678')
  await say('서울에 있어요')
  await fill()
  for (const query of ['E4021', 'e-4021', 'e-40', '12345678', '12,345,678'])
    expect([query, await found(query)]).toEqual([
      query,
      ['Error E-4021, part 12.345.678'],
    ])
  expect(await found('서울')).toEqual(['서울에 있어요'])
})

test('replaces the words of messages from before an upgrade', async () => {
  const { db } = messaging
  await say('Error E-4021')
  await fill()
  await sql`update message_search set words = array_to_tsvector(array['x'])`.execute(db)
  expect(await found('E4021')).toEqual([])
  await sql`insert into message_search_refill (bot_id) values (${ours})`.execute(db)
  await fill()
  expect(await found('E4021')).toEqual(['Error E-4021'])
  expect((await sql`select from message_search_refill`.execute(db)).rows).toEqual([])
})

test.for([1, 2])(
  'writes the words of earlier messages beside %i moved workspaces',
  async (moved) => {
    const { db } = messaging
    await sql`insert into message_search_progress (from_time) values (now() + interval '1 hour')`.execute(
      db,
    )
    await sql`insert into resting_bot (bot_id, workspace_id)
    select 'moved-' || i, 'wkspace_' || i from generate_series(1, ${moved}) i`.execute(db)
    await say('earlier')
    await sql`insert into message_search_fill (bot_id) values (${ours}) on conflict do nothing`.execute(
      db,
    )
    await fill()
    expect(await found('earlier')).toEqual(['earlier'])
    expect((await sql`select from message_search_fill`.execute(db)).rows).toEqual([])
  },
)

test('follows changes, imports and deletions', async () => {
  const { db } = messaging
  const { id } = await say('first')
  await updateMessage(db, ours, id, 'tg', { payload: { text: 'changed before' } })
  await fill()
  expect([await found('first'), await found('changed')]).toEqual([[], ['changed before']])
  await updateMessage(db, ours, id, 'tg', { payload: { text: 'again' } })
  expect([await found('changed'), await found('again')]).toEqual([[], ['again']])
  await updateMessage(db, ours, id, 'tg', { payload: {} })
  expect(await found('again')).toEqual([])
  const createdAt = '2020-01-01T00:00:00Z'
  const imported = { conversationId, userId, type: 'text', payload: { text: 'imported' } }
  await importMessages(db, ours, 'tg', [
    { ...imported, tags: {}, createdAt, discriminateByTags: [] },
  ])
  expect(await found('imported')).toEqual(['imported'])
  await deleteMessage(db, ours, id, 'tg')
  await say('of the conversation')
  await fill()
  expect(await countWords()).toBe(2)
  await deleteConversation(db, ours, conversationId, 'tg')
  expect(await countWords()).toBe(0)
})

test('deletes the words of a deleted user and of a deleted bot', async () => {
  await say('hello')
  await fill()
  await deleteUser(messaging.db, ours, userId, 'tg')
  expect(await countWords()).toBe(0)
  userId = (await messaging.newUser()).id
  conversationId = (await messaging.newConversation()).id
  await say('hello')
  await fill()
  expect(await countWords()).toBe(1)
  await sql`delete from bot where id = ${ours}`.execute(messaging.db)
  expect(await countWords()).toBe(0)
})

test('skips a message that is being deleted, without waiting', async () => {
  const { db } = messaging
  await say('stays')
  const { id } = await say('goes')
  await db.transaction().execute(async (trx) => {
    await deleteMessage(trx, ours, id, 'tg')
    await fill()
  })
  expect([await found('stays'), await countWords()]).toEqual([['stays'], 1])
})

test('deletes all words when the search is off, and writes them again', async () => {
  await say('hello')
  await fill()
  await clearMessageSearch(messaging.db)
  const { id } = await say('hidden')
  await updateMessage(messaging.db, ours, id, 'tg', { payload: { text: 'still hidden' } })
  await clearMessageSearch(messaging.db)
  expect(await countWords()).toBe(0)
  await fill()
  expect([await found('hello'), await found('hidden')]).toEqual([
    ['hello'],
    ['still hidden'],
  ])
})

test('limits the words of hostile payloads', () => {
  const deep = JSON.parse(`${'{"text":'.repeat(5_000)}"end"${'}'.repeat(5_000)}`)
  expect(wordsOfMessage(ours, deep).length).toBeLessThan(2)
  const wide = { items: Array.from({ length: 100_000 }, (_, i) => ({ text: `w${i}` })) }
  expect(wordsOfMessage(ours, wide).length).toBeLessThan(1_000)
  expect(wordsOfMessage(ours, { text: 'x'.repeat(1_000_000) })[0]!.length).toBeLessThan(
    100,
  )
  for (const payload of [
    null,
    1,
    [],
    'text',
    { __proto__: { text: 'x' } },
    { text: { text: 1 } },
  ])
    expect(wordsOfMessage(ours, payload)).toEqual([])
})

/** Two servers, killed in turn while they write the words of 20,000 messages and of new ones. */
test('has every word once while servers are killed', { timeout: 120_000 }, async () => {
  const database = await cloneDatabase()
  const env = settingsOfMany(database)
  const servers: RunningServer[] = []
  try {
    servers.push(await runServer(env))
    const { url, botId, webhookId } = servers[0]!.credentials
    servers.push(await runServer(env))
    const client = new pg.Client(database.settings)
    await client.connect()
    await client.query(
      `insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
        created_at, updated_at)
      select $1, 'msg_' || lpad(i::text, 26, '0'), 'c', $1, i, 'incoming', 'text',
        jsonb_build_object('text', 'old ' || i), timestamptz '2020-01-01', now()
      from generate_series(1, 20000) i`,
      [botId],
    )
    await client.query(
      `insert into message_search_fill values ($1) on conflict (bot_id)
      do update set after_id = ''`,
      [botId],
    )
    const chat = `${url}/chat/${webhookId}`
    const call = async (path: string, headers: Record<string, string>, body: object) => {
      const response = await fetch(chat + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return response.json() as never
    }
    const { key } = (await call('/users', {}, {})) as { key: string }
    const asUser = { 'x-user-key': key }
    const { conversation } = (await call('/conversations', asUser, {})) as {
      conversation: { id: string }
    }
    for (let kill = 0; kill < 3; kill++) {
      const payload = { type: 'text', text: `new ${kill}` }
      await call('/messages', asUser, { conversationId: conversation.id, payload })
      await pause(700)
      const server = servers[kill % 2]!
      await server.stop('SIGKILL')
      await server.start()
    }
    const missing = `select count(*)::int as n from message m
      left join message_search s using (bot_id, conversation_id, number) where s.number is null`
    const count = async () => (await client.query<{ n: number }>(missing)).rows[0]!.n
    for (const until = Date.now() + 60_000; (await count()) > 0 && Date.now() < until; )
      await pause(200)
    expect(await count()).toBe(0)
    const { rows } =
      await client.query(`select (select count(*) from message_search)::int as words,
      (select count(*) from message)::int as messages`)
    expect(rows[0].words).toBe(rows[0].messages)
    expect(rows[0].words).toBeGreaterThanOrEqual(20_003)
    await client.end()
  } finally {
    for (const server of servers) await server.remove()
    await database.drop()
  }
})
