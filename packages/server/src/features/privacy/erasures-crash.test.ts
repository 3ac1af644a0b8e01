// An erasure of many messages continues after `kill -9` of its server, and erases what arrived before.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningServer, runServer } from '../../../test/support/running-server.ts'

const written = 30_000

let server: RunningServer
let database: pg.Client

beforeAll(async () => {
  server = await runServer()
  database = new pg.Client(server.database)
  await database.connect()
}, 60_000)
afterAll(async () => {
  await database?.end()
  await server?.remove()
}, 60_000)

const count = async (table: string, userId: string) => {
  const query = `select count(*)::int as count from ${table} where user_id = $1`
  return (await database.query<{ count: number }>(query, [userId])).rows[0]!.count
}

test('continues after a kill', async () => {
  const { url, token, botId } = server.credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'x-bot-id': botId,
    'content-type': 'application/json',
  }
  const call = async (method: string, path: string) =>
    (
      await fetch(`${url}/v1/${path}`, {
        method,
        headers,
        ...(method !== 'GET' && { body: '{}' }),
      })
    ).json()
  const ana = 'user_01J000000000000000000000AN'
  await database.query(
    `with b as (select id from bot where id = $1),
      u as (insert into "user" (bot_id, id)
        select id, $2::text from b union all select id, 'user_ben' from b),
      c as (insert into conversation (bot_id, id, integration, channel, last_number, message_count)
        select id, 'conv_group', 'chat', 'channel', $3::int, $3::int from b),
      p as (insert into participant (bot_id, conversation_id, user_id)
        select id, 'conv_group', $2::text from b union all select id, 'conv_group', 'user_ben' from b)
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
      created_at, updated_at)
    select $1::text, 'msg_' || lpad(i::text, 26, '0'), 'conv_group',
      case i % 10 when 0 then 'user_ben' else $2::text end,
      i, 'incoming', 'text', '{"text":"hello"}', now(), now() from generate_series(1, $3::int) i`,
    [botId, ana, written],
  )
  const { erasure } = await call('POST', `platform/users/${ana}/erasures`)
  await vi.waitFor(
    async () => expect(await count('message', ana)).toBeLessThan(written * 0.9 - 1_000),
    { timeout: 20_000, interval: 5 },
  )
  await server.stop('SIGKILL')
  const left = await count('message', ana)
  expect(left).toBeGreaterThan(0)
  await database.query(
    `insert into bot_log (bot_id, level, message, user_id) values ($1, 'info', 'late', $2)`,
    [botId, ana],
  )
  await server.start()
  const done = await vi.waitFor(
    async () => {
      const { erasure: now } = await call('GET', `platform/erasures/${erasure.id}`)
      expect(now.state).toBe('done')
      return now
    },
    { timeout: 30_000, interval: 200 },
  )
  expect(done.counts).toEqual({ messages: written * 0.9, logs: 1, users: 1 })
  expect(await count('message', ana)).toBe(0)
  expect(await count('message', 'user_ben')).toBe(written / 10)
  const { rows } = await database.query('select message_count from conversation')
  expect(rows).toContainEqual({ message_count: written / 10 })
}, 90_000)
