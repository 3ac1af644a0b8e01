// The cost of a page must not depend on the number of rows before or after it. The tests count
// fetched rows, not time.

import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listIntegrations } from '../../src/core/catalog/integrations/integration-listings.ts'
import type { Scope } from '../../src/core/catalog/packages/versions.ts'
import type { Database, Db } from '../../src/core/db/database.ts'
import { openDatabase } from '../../src/core/db/open.ts'
import { listFileTags, listFileTagValues } from '../../src/core/files/file-tags.ts'
import { listFiles } from '../../src/core/files/files.ts'
import { listChatMessages } from '../../src/core/messaging/chat/chat-messages.ts'
import { listConversations } from '../../src/core/messaging/conversation-listing.ts'
import { deleteConversation } from '../../src/core/messaging/conversations.ts'
import { listEvents } from '../../src/core/messaging/events/events.ts'
import { listMessages } from '../../src/core/messaging/messages/message-listing.ts'
import {
  findByTags,
  getOrCreateMessage,
} from '../../src/core/messaging/messages/messages.ts'
import { listTagValues } from '../../src/core/messaging/tags/tag-values.ts'
import { listUsers } from '../../src/core/messaging/user-listing.ts'
import { getOrCreateUser } from '../../src/core/messaging/users.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { ours, seedMessaging } from '../support/messaging-rows.ts'

const many = 50_000
const long = 'conv_long'
let clone: TestDatabase
let database: Database
let db: Db

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
  db = database.db
  await seedMessaging(db)
  const at = sql`timestamptz '2026-01-01' + i * interval '1 second'`
  const id = (prefix: string) => sql`${prefix}::text || lpad(i::text, 10, '0')`
  await sql`insert into "user" (bot_id, id, integration, tags, created_at, updated_at)
    select ${ours}, ${id('user_')}, 'tg', jsonb_build_object('tg:id', i::text, 'tg:lang', 'fr'), ${at}, ${at}
    from generate_series(1, ${many / 5}::int) i`.execute(db)
  await sql`insert into conversation (bot_id, id, integration, channel, last_number, message_count)
    values (${ours}, ${long}, 'tg', 'dm', ${many}, ${many})`.execute(db)
  await sql`insert into participant (bot_id, conversation_id, user_id)
    values (${ours}, ${long}, ${ours})`.execute(db)
  await sql`insert into conversation (bot_id, id, integration, channel, tags, created_at, updated_at)
    select ${ours}, ${id('conv_')}, 'tg', 'dm', jsonb_build_object('tg:id', i::text), ${at}, ${at}
    from generate_series(1, ${many / 5}::int) i`.execute(db)
  await sql`
    insert into message
      (bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, created_at, updated_at)
    select ${ours}, ${id('msg_')}, ${long}, ${ours}, i, 'incoming', 'text', '{}',
      case when i % 2 = 0 then jsonb_build_object('tg:id', i::text, 'tg:even', 'yes') else '{}' end,
      ${at}, ${at}
    from generate_series(1, ${many}::int) i`.execute(db)
  await sql`insert into event (bot_id, id, type, conversation_id, message_id)
    select ${ours}, ${id('evt_')}, 'message_created', ${long}, ${id('msg_')}
    from generate_series(1, ${many}::int) i`.execute(db)
  await sql`
    insert into file (bot_id, id, key, content_type, status, size, owner, tags, created_at, updated_at)
    select ${ours}, ${id('file_')}, 'key' || i, 'text/plain', 'upload_completed', i % 100, '{}',
      jsonb_build_object('kind', case when i % 2 = 0 then 'even' else 'odd' end,
        case when i = 77 then 'rare' else 'usual' end, i::text), ${at}, ${at}
    from generate_series(1, ${many / 5}::int) i`.execute(db)
  await seedIntegrations(id, at)
  await sql`analyze`.execute(db)
}, 60_000)
afterAll(async () => {
  await database.close()
  await clone.drop()
})

/** Creates ten versions of each name; one in a hundred is public. */
async function seedIntegrations(
  id: (prefix: string) => RawBuilder<unknown>,
  at: RawBuilder<unknown>,
) {
  const rank = sql`lpad((i % 10)::text, 18, '0')`
  await sql`
    insert into integration (id, workspace_id, name, version, rank, visibility, created_at, updated_at)
    select ${id('intver_')}, 'w', 'name' || i / 10, '0.0.' || i % 10, ${rank},
      case when i % 100 = 7 then 'public' else 'private' end, ${at}, ${at}
    from generate_series(0, ${many / 5 - 1}::int) i`.execute(db)
}

/** Returns the number of rows that were fetched from the table, and the result of the work. */
async function cost<T>(
  table: string,
  work: (db: Db) => Promise<T>,
): Promise<{ fetched: number; result: T }> {
  return db.transaction().execute(async (trx) => {
    const before = await fetchedSoFar(trx, table)
    const result = await work(trx)
    return { fetched: (await fetchedSoFar(trx, table)) - before, result }
  })
}

/** Runs prepared statements in the transaction, with the settings of their pool (open.ts). */
const hot = (db: Db): Pick<Database, 'db' | 'run'> => ({
  db,
  run: async <Row>(_: string, text: string, values: unknown[]) => {
    const set = (mode: string, scans: string) =>
      sql`
      select set_config('plan_cache_mode', ${mode}, true), set_config('enable_seqscan', ${scans}, true),
        set_config('enable_bitmapscan', ${scans}, true)`.execute(db)
    await set('force_generic_plan', 'off')
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values))
    await set('auto', 'on')
    return rows
  },
})

async function fetchedSoFar(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ fetched: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as fetched
    from pg_stat_xact_user_tables where relname = ${table}`.execute(db)
  return Number(rows[0]!.fetched)
}

const registered = {
  dev: false,
  sortBy: 'createdAt',
  direction: 'desc',
  after: null,
  limit: 21,
} as const
test.each<[string, Scope, object]>([
  ['of a workspace', { workspaceId: 'w' }, {}],
  ['by name', { workspaceId: 'w' }, { sortBy: 'name', direction: 'asc' }],
  ['by change', { workspaceId: 'w' }, { sortBy: 'updatedAt', direction: 'asc' }],
  ['from the middle', { workspaceId: 'w' }, { after: ['2026-01-01 01:00:00+00', ''] }],
  ['of a name', { workspaceId: 'w' }, { name: 'name77' }],
  ['of a name in the hub', 'hub', { name: 'name70' }],
  ['in the hub', 'hub', {}],
  ['in the hub, by name', 'hub', { sortBy: 'name', direction: 'asc' }],
])(
  'lists a page of integrations, %s, with fewer than 60 fetched rows',
  async (_, scope, more) => {
    const { fetched, result } = await cost('integration', (db) =>
      listIntegrations(db, scope, { ...registered, ...more }),
    )
    expect(result.length).toBeGreaterThan(0)
    expect(fetched).toBeLessThan(60)
  },
)

test('lists the newest version of each integration by reading about ten versions of each', async () => {
  const { fetched, result } = await cost('integration', (db) =>
    listIntegrations(db, { workspaceId: 'w' }, { ...registered, version: 'latest' }),
  )
  expect(result.map(({ version }) => version)).toEqual([
    '1.0.0',
    ...Array.from({ length: 20 }, () => '0.0.9'),
  ])
  expect(fetched).toBeLessThan(4_000)
})

const second = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 1000)
const base = { conversationId: long, position: null, limit: 21 }
const ofFiles = {
  viewer: null,
  direction: 'desc' as const,
  tags: [],
  position: null,
  limit: 21,
}
const newest = {
  sortField: 'created_at',
  direction: 'desc',
  position: null,
  limit: 21,
} as const

test.each<[string, object]>([
  ['the newest', {}],
  ['in the middle', { position: [second(many / 2).toISOString(), String(many / 2)] }],
  ['after imported messages', { position: [second(many / 2).toISOString(), '-7'] }],
  ['before a date', { before: second(100) }],
  ['after a date', { after: second(many - 5) }],
  ['between dates', { after: second(400), before: second(500) }],
  ['after all dates', { after: second(many + 5) }],
  ['with a rare tag', { tags: { 'tg:id': '40' } }],
  ['with no such tag', { tags: { 'tg:id': 'none' } }],
  ['over all conversations', { conversationId: undefined }],
  [
    'over all conversations, with a rare tag',
    { conversationId: undefined, tags: { 'tg:id': '40' } },
  ],
  [
    'over all conversations, with a tag that many have',
    {
      conversationId: undefined,
      tags: { 'tg:even': 'yes' },
      position: ['msg_0000040000'],
    },
  ],
])('lists a page of messages, %s, with fewer than 100 fetched rows', async (_, more) => {
  const { fetched } = await cost('message', (db) =>
    listMessages(hot(db), ours, null, { ...base, ...more }),
  )
  expect(fetched).toBeLessThan(100)
})

test.each<[string, string[] | null]>([
  ['the newest', null],
  ['in the middle', [second(many / 2).toISOString(), String(many / 2)]],
  ['after imported messages', [second(many / 2).toISOString(), '-7']],
])(
  'lists a page of messages for a chat user, %s, with fewer than 100 fetched rows',
  async (_, position) => {
    const conversation = { botId: ours, integration: 'tg', name: long, claim: ours }
    for (const table of ['message', 'participant', 'conversation', 'user']) {
      const { fetched, result } = await cost(table, (db) =>
        listChatMessages(hot(db), conversation, { position, limit: 20 }),
      )
      expect(result?.rows).toHaveLength(21)
      expect(fetched).toBeGreaterThan(0)
      expect(fetched).toBeLessThan(100)
    }
  },
)

test('lists a page of messages with a tag that half of them have', async () => {
  const { fetched, result } = await cost('message', (db) =>
    listMessages(hot(db), ours, null, { ...base, tags: { 'tg:even': 'yes' } }),
  )
  expect(result.map(({ number }) => Number(number))).toEqual(
    Array.from({ length: 21 }, (_, i) => many - 2 * i),
  )
  expect(fetched).toBeLessThan(1_500)
})

test('finds a message by its tag with fewer than 20 fetched rows', async () => {
  const wanted = {
    conversationId: long,
    match: { 'tg:id': '40' },
    tags: { id: '40' },
    payload: undefined,
  }
  const { fetched, result } = await cost('message', (db) =>
    getOrCreateMessage(db, ours, 'tg', wanted, () =>
      Promise.reject(new Error('It is there')),
    ),
  )
  expect(result.row.number).toBe('40')
  expect(fetched).toBeLessThan(20)
})

test.each<[string, Record<string, string>]>([
  [
    'a rare tag and one that half of the messages have',
    { 'tg:even': 'yes', 'tg:id': '40' },
  ],
  [
    'an unknown tag and one that half of the messages have',
    { 'tg:even': 'yes', 'tg:id': 'none' },
  ],
  ['a tag that half of the messages have', { 'tg:even': 'yes' }],
])(
  'finds a message of another conversation by %s with fewer than 100 fetched rows',
  async (_, tags) => {
    for (const table of ['message', 'tag_value']) {
      const { fetched } = await cost(table, (db) =>
        findByTags(db, ours, 'conv_none', tags).catch(() => null),
      )
      expect(fetched).toBeLessThan(100)
    }
  },
)

test('finds a user by its tags with fewer than 20 fetched rows', async () => {
  const wanted = { integration: 'tg', tags: { id: '77', lang: 'fr' } }
  const { fetched, result } = await cost('user', (db) =>
    getOrCreateUser(db, ours, 'tg', wanted),
  )
  expect(result.created).toBe(false)
  expect(fetched).toBeLessThan(20)
})

test.each<[string, string, (db: Db) => Promise<unknown[]>]>([
  [
    'users',
    'user',
    (db) => listUsers(db, ours, 'tg', { ...newest, rangeField: 'created_at' }),
  ],
  [
    'users before a date',
    'user',
    (db) =>
      listUsers(db, ours, null, {
        ...newest,
        rangeField: 'created_at',
        before: second(50),
      }),
  ],
  [
    'conversations',
    'conversation',
    async (db) => (await listConversations(db, ours, 'tg', newest)).rows,
  ],
  [
    'conversations by tag',
    'conversation',
    async (db) =>
      (await listConversations(db, ours, 'tg', { ...newest, tags: { id: '7' } })).rows,
  ],
  [
    'tag values of one message each',
    'tag_value',
    (db) =>
      listTagValues(db, ours, 'tg', {
        key: 'id',
        kind: 'message',
        position: '3',
        limit: 21,
      }),
  ],
  [
    'tag values of many messages',
    'tag_value',
    (db) =>
      listTagValues(db, ours, null, {
        key: 'tg:even',
        kind: 'message',
        position: null,
        limit: 21,
      }),
  ],
  ...(['key', 'size', 'createdAt', 'updatedAt', 'status'] as const).map(
    (sort) =>
      [
        `files by ${sort}`,
        'file',
        (db: Db) => listFiles(db, ours, { ...ofFiles, sort }),
      ] as [string, string, (db: Db) => Promise<unknown[]>],
  ),
  [
    'files with a tag that one file has',
    'file',
    (db) =>
      listFiles(db, ours, {
        ...ofFiles,
        sort: 'createdAt',
        tags: [['usual', { in: ['4000', 'none'] }]],
      }),
  ],
  [
    'files with a tag that half of them have',
    'file',
    (db) =>
      listFiles(db, ours, {
        ...ofFiles,
        sort: 'createdAt',
        tags: [['kind', { in: ['even'] }]],
      }),
  ],
  [
    'tags of files',
    'file_tag',
    (db) => listFileTags(db, ours, { viewer: null, position: null, limit: 21 }),
  ],
  [
    'values of a tag of files',
    'file_tag',
    (db) =>
      listFileTagValues(db, ours, 'kind', { viewer: null, position: null, limit: 21 }),
  ],
  [
    'values of a tag of files, of one file each',
    'file_tag',
    (db) =>
      listFileTagValues(db, ours, 'usual', { viewer: null, position: '5', limit: 21 }),
  ],
  ['events', 'event', (db) => listEvents(db, ours, null, { position: null, limit: 21 })],
  ['events of a conversation', 'event', (db) => listEvents(db, ours, null, base)],
  [
    'events of a message',
    'event',
    (db) =>
      listEvents(db, ours, null, {
        ...base,
        conversationId: undefined,
        messageId: 'msg_0000000040',
      }),
  ],
])('lists a page of %s with fewer than 60 fetched rows', async (_, table, list) => {
  const { fetched, result } = await cost(table, list)
  expect(result.length).toBeGreaterThan(0)
  expect(fetched).toBeLessThan(60)
})

test('deletes a conversation without reading the events of others', async () => {
  const { fetched } = await cost('event', (db) =>
    deleteConversation(db, ours, 'conv_0000000007', null),
  )
  expect(fetched).toBeLessThan(10)
})
