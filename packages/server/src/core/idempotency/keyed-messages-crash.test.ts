// A server that is killed while the database executes its statement with a keyed message: the
// message is written once, and a repetition gets a response that names it.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../test/support/running-server.ts'

let database: TestDatabase
let server: RunningServer
/**
 * Connections that hold locks and that observe. The observer is separate, because a transaction
 * does not see later statistics.
 */
let other: pg.Client
let outside: pg.Client
let headers: Record<string, string>
let conversationId: string

beforeAll(async () => {
  database = await cloneDatabase()
  server = await runServer({
    ...settingsOfMany(database),
    BOTSTEAD_SHUTDOWN_SECONDS: '2',
  })
  const { token, botId } = server.credentials
  headers = {
    authorization: `Bearer ${token}`,
    'x-bot-id': botId,
    'content-type': 'application/json',
  }
  const body = { channel: 'channel', tags: {}, integrationName: 'chat' }
  conversationId = (await send('/v1/chat/conversations', body)).body.conversation.id
  ;[other, outside] = [new pg.Client(database.settings), new pg.Client(database.settings)]
  await Promise.all([other.connect(), outside.connect()])
}, 90_000)
afterAll(async () => {
  await Promise.all([other?.end(), outside?.end()])
  await server?.remove()
  await database?.drop()
}, 60_000)

async function send(path: string, body: object, more = {}) {
  const reply = await fetch(server.credentials.url + path, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields of responses
  const answer = (await reply.json()) as any
  return {
    status: reply.status,
    body: answer,
    replayed: reply.headers.has('idempotency-replayed'),
  }
}

const waiting = async () => {
  const { rows } = await outside.query(
    `select query from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%numbered as%'`,
  )
  return rows.length
}

test.each([
  ['commits', true],
  ['aborts', false],
])(
  'a key whose statement the database %s after kill -9',
  { timeout: 60_000 },
  async (_, commits) => {
    const text = randomUUID()
    const { botId: userId } = server.credentials
    const message = { conversationId, userId, type: 'text', tags: {}, payload: { text } }
    const post = () => send('/v1/chat/messages', message, { 'idempotency-key': text })
    await other.query('begin')
    await other.query('select 1 from conversation where id = $1 for update', [
      conversationId,
    ])
    const unanswered = post().catch(() => null)
    await expect.poll(waiting, { interval: 10 }).toBe(1)
    await server.stop('SIGKILL')
    expect(await unanswered).toBeNull()
    if (!commits)
      await outside.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`,
      )
    await other.query('rollback')
    await expect.poll(waiting).toBe(0)
    await server.start()

    const [first, second] = [await post(), await post()]
    expect([first.status, first.replayed]).toEqual([201, commits])
    expect(second).toEqual({ ...first, replayed: true })
    const { rows } = await outside.query(
      `select m.id, k.message_id from message m left join idempotency_key k on k.message_id = m.id
      where m.payload ->> 'text' = $1`,
      [text],
    )
    expect(rows).toEqual([
      { id: first.body.message.id, message_id: first.body.message.id },
    ])
  },
)
