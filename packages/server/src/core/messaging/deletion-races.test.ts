// Writes that meet the deletion of their conversation or bot: the second waits for the first, and
// no row of a deleted conversation or bot remains. Foreign keys do not guard these rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Messaging, openMessaging } from '../../../test/support/messaging-rows.ts'
import { deleteBot } from '../bots/bots.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { deleteConversation } from './conversations.ts'
import { createEvent } from './events/events.ts'
import { importMessages } from './messages/message-imports.ts'
import { createMessageWriter } from './messages/message-writer.ts'
import { deleteUser } from './users.ts'

let messaging: Messaging
let database: Database
/** What the next race is about. */
let ids: { botId: string; conversationId: string; userId: string }

beforeAll(async () => {
  messaging = await openMessaging()
  database = messaging.database
})
afterAll(() => messaging.close())
beforeEach(async () => {
  const { db } = database
  ids = {
    botId: newId('bot'),
    conversationId: newId('conversation'),
    userId: newId('user'),
  }
  const { botId, conversationId, userId } = ids
  await sql`insert into bot (id, workspace_id, name, signing_secret)
    values (${botId}, 'w', ${botId}, '')`.execute(db)
  await sql`insert into "user" (bot_id, id) values (${botId}, ${botId}), (${botId}, ${userId})`.execute(
    db,
  )
  await sql`insert into conversation (bot_id, id, integration, channel, owner_id)
    values (${botId}, ${conversationId}, 'tg', 'dm', ${userId})`.execute(db)
})

type Work = (inside: Database) => Promise<unknown>

const write = (inside: Database, count: number) => {
  const writer = createMessageWriter(inside, messaging.deliveries, {
    publish: () => {},
  } as never)
  return Promise.all(
    Array.from({ length: count }, () =>
      writer.post({
        ...ids,
        direction: 'incoming',
        type: 'text',
        payload: { text: 'hi' },
      }),
    ),
  )
}
/** The second and third message share a statement. */
const messages: [string, Work][] = [
  ['a message', (inside) => write(inside, 1)],
  ['messages in a shared statement', (inside) => write(inside, 3)],
]
const imported: [string, Work] = [
  'an imported message',
  (inside) =>
    importMessages(inside.db, ids.botId, null, [
      {
        ...ids,
        type: 'text',
        payload: { text: 'hi' },
        tags: {},
        discriminateByTags: [],
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    ]),
]
const event: [string, Work] = [
  'an event',
  (inside) =>
    createEvent(
      { database: inside, deliveries: messaging.deliveries },
      { botId: ids.botId, type: 'custom', payload: {} },
    ),
]

const ofConversation: [string, Work] = [
  'the conversation',
  ({ db }) => deleteConversation(db, ids.botId, ids.conversationId, null),
]
const ofUser: [string, Work] = [
  'its user',
  ({ db }) => deleteUser(db, ids.botId, ids.userId, null),
]
const ofBot: [string, Work] = ['the bot', ({ db }) => deleteBot(db, 'w', ids.botId)]

const races = [
  ...[ofConversation, ofUser, ofBot].flatMap((deletion) =>
    [...messages, imported].map((written) => [...written, ...deletion] as const),
  ),
  [...event, ...ofBot] as const,
]

describe.each(races)('%s', (_name, writing, what, deletion) => {
  test(`and then the deletion of ${what}`, async () => {
    await runBoth(writing, deletion)
    expect(await countRows()).toEqual({ messages: 0, events: 0 })
  })

  test(`after the deletion of ${what} began`, async () => {
    await runBoth(deletion, writing)
    expect(await countRows()).toEqual({ messages: 0, events: 0 })
  })
})

/** Starts `second` before `first` commits, and commits `first` once `second` waits for it. */
async function runBoth(first: Work, second: Work) {
  let waiting: Promise<unknown> | undefined
  await database.inTransaction(async (inside) => {
    await first(inside)
    waiting = database.inTransaction(second).catch(() => {})
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), {
      timeout: 10_000,
    })
  })
  await waiting
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
  return rows[0]!.n
}

async function countRows() {
  const { rows } = await sql`select
    (select count(*)::int from message where bot_id = ${ids.botId}) as messages,
    (select count(*)::int from event where bot_id = ${ids.botId}) as events`.execute(
    database.db,
  )
  return rows[0]
}
