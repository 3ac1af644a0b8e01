// Retention: old data of each kind beside new data and data in flight. A dry run counts exactly the
// rows that the server then deletes.
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RetentionKind } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { tableRules } from '../../app/tables.ts'
import { removeOldRecordings } from './retention-recordings.ts'
import { runSweeps } from './retention-sweeps.ts'

let scene: RuntimeScene
let recorded: string
beforeAll(async () => {
  recorded = await mkdtemp(join(tmpdir(), 'botstead-recordings-'))
  scene = await openRuntimeScene({ config: { modelsRecord: recorded } })
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await rm(recorded, { recursive: true })
})

const db = () => scene.app.services.db
const platform = (
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: object,
  headers = scene.asBot,
) => scene.call(method, `/v1/platform/${path}`, { headers, ...(body && { body }) })

const old = sql`now() - interval '40 days'`
const young = sql`now() - interval '20 days'`
const oldId = (prefix: string, n: number) => `${prefix}_01J0000000000000000000000${n}`

async function createConversation(id: string, at = old) {
  await sql`insert into conversation (bot_id, id, integration, channel, message_count, last_number,
      last_message_at, created_at, updated_at, updated_slot)
    values (${scene.botId}, ${id}, 'tg', 'dm', 3, 3, ${at}, ${at}, ${at},
      date_bin('10 minutes', ${at}, timestamptz '2000-01-01 00:00:00+00'))`.execute(db())
  await sql`insert into message (bot_id, id, conversation_id, user_id, number, direction, type,
    payload,
      created_at, updated_at)
    select ${scene.botId}, 'msg_01J00000' || n || ${id}, ${id}, 'u', n, 'incoming', 'text',
      '{}', ${at}, ${at}
      from generate_series(1, 3) n`.execute(db())
  await sql`insert into event (bot_id, id, type, conversation_id, status, created_at)
    values (${scene.botId}, ${`evt_01J00000${id}`}, 'e', ${id}, 'processed', ${at})`.execute(
    db(),
  )
}

const listIds = async (table: string) => {
  const { rows } = await sql<{
    id: string
  }>`select id::text as id from ${sql.table(table)}
    where bot_id = ${scene.botId} order by id`.execute(db())
  return rows.map(({ id }) => id)
}

/** Old data of each kind beside young data and data in flight. */
async function fillBot() {
  const { botId } = scene
  await sql`insert into analytics_progress (bot_id, through) values (${botId}, current_date - 1)
    on conflict (bot_id) do update set through = excluded.through`.execute(db())
  for (const id of ['idle', 'held', 'delivering', 'running', 'scheduled'])
    await createConversation(id)
  await createConversation('young', young)
  await sql`insert into handoff (bot_id, id, conversation_id, bot_receives)
    values (${botId}, 'h', 'held', 'nothing')`.execute(db())
  await sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, dead_at) values
    (${botId}, 'delivering', 1, 'dead', 'event', 'x', ${young}),
    (${botId}, 'elsewhere', 1, 'old dead', 'event', 'y', ${old})`.execute(db())
  await sql`insert into workflow (bot_id, id, name, status, conversation_id, timeout_at) values
    (${botId}, 'w', 'w', 'listening', 'running', now() + interval '1 day'),
    (${botId}, 'ended', 'w', 'completed', 'idle', now())`.execute(db())
  await sql`insert into scheduled_message (bot_id, id, conversation_id, user_id, direction,
    type, payload,
      due_at)
    values (${botId}, 's', 'scheduled', 'u', 'incoming', 'text', '{}',
      now() + interval '1 day')`.execute(db())
  await sql`insert into "user" (bot_id, id, updated_at) values
    (${botId}, 'gone', ${old}), (${botId}, 'here', ${old}), (${botId}, 'new', ${young})`.execute(
    db(),
  )
  await sql`insert into participant (bot_id, conversation_id, user_id)
    values (${botId}, 'young', 'here')`.execute(db())
  await sql`insert into file (bot_id, id, key, content_type, status, owner, updated_at) values
    (${botId}, 'photo', 'photo', 'image/png', 'upload_completed', '{"type": "user",
      "id": "gone"}', ${old}),
    (${botId}, 'manual', 'manual', 'image/png', 'upload_completed', '{"type": "bot"}',
      ${old})`.execute(db())
  await sql`insert into bot_log (bot_id, level, message, at) values
    (${botId}, 'info', 'old', ${old}), (${botId}, 'info', 'young', ${young})`.execute(
    db(),
  )
  await sql`insert into observation (bot_id, id, name, data, created_at) values
    (${botId}, ${oldId('obs', 1)}, 'n', '{}', ${old}),
    (${botId}, ${oldId('obs', 2)}, 'n',
      '{}', ${young})`.execute(db())
  await sql`insert into event_trace (bot_id, id, event_id, calls, changes, created_at)
    values (${botId}, ${oldId('evtrace', 1)}, 'x', '[]', '[]', ${old})`.execute(db())
  await sql`insert into issue (bot_id, id, code, message, fingerprint, grouped_data,
    events_count, last_seen_at)
    values (${botId}, 'i', 'c', 'm', 'f', '{}', 1, ${old})`.execute(db())
  await sql`insert into webhook_request (bot_id, alias, id, at, method, path, ms, content) values
    (${botId}, 'tg', 'w1', ${old}, 'POST', '/', 1, '{}'),
    (${botId}, 'tg', 'w2', ${young},
      'POST', '/', 1, '{}')`.execute(db())
}

test('deletes what the dry run counts, and nothing in flight', async () => {
  await fillBot()
  const days = Object.fromEntries(
    (
      [
        'conversations',
        'users',
        'files',
        'deadLetters',
        'webhookRequests',
      ] as RetentionKind[]
    )
      .concat('logs', 'traces', 'issues')
      .map((kind) => [kind, 25]),
  )

  const { body, status } = await platform('POST', 'retention/dry-run', days)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.counts).toEqual({
    conversations: { count: 1 },
    users: { count: 1 },
    files: { count: 1 },
    logs: { count: 1 },
    traces: { count: 2 },
    issues: { count: 1 },
    deadLetters: { count: 1 },
    webhookRequests: { count: 1 },
  })
  expect(await listIds('conversation')).toHaveLength(6)

  const set = await platform('PUT', 'retention', days)
  expect(set, JSON.stringify(set.body)).toMatchObject({
    status: 200,
    body: { rules: days },
  })
  await sweep()
  expect(await listIds('conversation')).toEqual([
    'delivering',
    'held',
    'running',
    'scheduled',
    'young',
  ])
  expect(await listIds('message')).toHaveLength(15)
  expect(await listIds('event')).not.toContain('evt_01J00000idle')
  expect(await listIds('workflow')).toEqual(['w'])
  const users = await listIds('user')
  expect(users).toEqual(expect.arrayContaining(['here', 'new']))
  expect(users).not.toContain('gone')
  expect(await listIds('file')).toEqual(['manual'])
  expect(await listIds('bot_log')).toHaveLength(1)
  expect(await listIds('observation')).toEqual([oldId('obs', 2)])
  expect(await listIds('event_trace')).toEqual([])
  expect(await listIds('issue')).toEqual([])
  expect(await listIds('webhook_request')).toEqual(['w2'])
  expect(await listIds('delivery')).toEqual(['dead'])

  // Only of messages and events: the conversations stay.
  await platform('PUT', 'retention', { messages: 25, events: 25 })
  await sweep()
  expect((await listIds('message')).filter((id) => !id.endsWith('young'))).toEqual(
    [1, 2, 3].map((n) => `msg_01J00000${n}delivering`),
  )
  expect(await listIds('event')).toEqual(['evt_01J00000delivering', 'evt_01J00000young'])
}, 60_000)

test('deletes table rows that name a user', async () => {
  const tables = (path: string, body: object) =>
    scene.call('POST', `/v1/tables${path}`, { headers: scene.asBot, body })
  const make = async (name: string, customer: object) => {
    const schema = { customer, note: { type: 'string', searchable: true } }
    const { body } = await tables('', { name, schema })
    const rows = ['ana', 'ben', null].map((user) => ({
      customer: user,
      note: `for ${user}`,
    }))
    await tables(`/${body.table.id}/rows`, { rows })
    await sql`update table_row set updated_at = ${old}
      where bot_table_id = ${body.table.id} and row_id <> 2`.execute(db())
    return body.table.id as string
  }
  const orders = await make('OrdersTable', { type: 'string', 'x-zui': { userId: true } })
  const prices = await make('PricesTable', { type: 'string' })
  const findRows = async (id: string, body: object = {}) =>
    (await tables(`/${id}/rows/find`, body)).body.rows.map(
      (row: { note: string }) => row.note,
    )

  const rules = { tableRows: 25 }
  const counted = await platform('POST', 'retention/dry-run', rules)
  expect(counted.body.counts).toMatchObject({ tableRows: { count: 1 } })
  expect(await platform('PUT', 'retention', rules)).toMatchObject({
    status: 200,
    body: { rules },
  })
  await sweep()
  expect(await findRows(orders)).toEqual(['for ben', 'for null'])
  expect(await findRows(orders, { search: 'ana' })).toEqual([])
  expect(await findRows(prices)).toHaveLength(3)
  const { rows } = await sql`select c.row_count::int as rows, (
      select count(*)::int from table_row_terms t where t.bot_table_id = c.bot_table_id) as terms
    from table_counter c where c.bot_table_id = ${orders}`.execute(db())
  expect(rows).toEqual([{ rows: 2, terms: 2 }])
})

test('deletes recordings of model calls by the rule of their bot', async () => {
  const { recordings } = scene.app.services.models.deps
  const record = async (botId: string, text: string, days: number) => {
    const known = await readdir(recorded)
    const caller = { botId, userId: null, conversationId: null, eventId: null }
    await recordings!.store({
      caller,
      request: { text },
      response: {} as never,
      pieces: [],
    })
    const [name] = (await readdir(recorded)).filter((one) => !known.includes(one))
    const at = new Date(Date.now() - days * 86_400_000)
    await utimes(join(recorded, name!), at, at)
    return name!
  }
  const old = [await record(scene.botId, 'a', 40), await record(scene.botId, 'b', 26)]
  const kept = [
    await record(scene.botId, 'c', 24),
    await record(scene.strangerBotId, 'd', 40),
    'notes.json',
  ]
  await writeFile(join(recorded, 'notes.json'), '{}')
  await utimes(join(recorded, 'notes.json'), 0, 0)

  const rules = { recordings: 25 }
  const { body } = await platform('POST', 'retention/dry-run', rules)
  expect(body.counts).toMatchObject({ recordings: { count: 2 } })
  const remove = () => removeOldRecordings(db(), recordings)
  await remove()
  expect((await readdir(recorded)).sort()).toEqual([...old, ...kept].sort())
  expect(await platform('PUT', 'retention', rules)).toMatchObject({
    status: 200,
    body: { rules },
  })
  await remove()
  expect((await readdir(recorded)).sort()).toEqual(kept.sort())
})

/** The app's own task works, too: waits until the sweep has ended. */
const sweep = () =>
  vi.waitFor(
    async () => {
      await runSweeps({
        database: scene.app.services.database,
        limits: {},
        tableRules,
        onUserDeleted: () => {},
      })
      const { rows } =
        await sql`select from retention_sweep where next_at <= now()`.execute(db())
      expect(rows).toHaveLength(0)
    },
    { timeout: 20_000, interval: 50 },
  )

test('deletes a conversation with many messages in batches', async () => {
  await createConversation('long')
  await sql`insert into message (bot_id, id, conversation_id, user_id, number, direction, type,
    payload,
      created_at, updated_at)
    select ${scene.botId}, 'long' || n, 'long', 'u', n, 'incoming', 'text', '{}', ${old}, ${old}
      from generate_series(4, 1600) n`.execute(db())
  await platform('PUT', 'retention', { conversations: 25 })
  await sweep()
  expect(await listIds('conversation')).not.toContain('long')
}, 60_000)

test('rejects longer times than the installation allows, and callers without the permission', async () => {
  const { status, body } = await platform('PUT', 'retention', { logs: 31 })
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: '`logs` must be at most 30 days, the limit of this installation; it is 31',
  })
  expect((await platform('PUT', 'retention', { logs: 0 })).status).toBe(400)
  expect((await platform('PUT', 'retention', { tables: 3 })).status).toBe(400)
  expect((await platform('PUT', 'retention', { logs: 3 }, scene.asTg)).status).toBe(403)
  const { body: stored } = await platform('GET', 'retention')
  expect(stored.limits).toMatchObject({ logs: 30, traces: 30, issues: 30 })
  expect(stored.effective).toEqual({ ...stored.limits, ...stored.rules })
})

test('a sweep that fails lets those of other bots continue', async () => {
  const other = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  const otherId = other.body.bot.id
  await sql`create function fail_sweep() returns trigger language plpgsql as
    'begin raise exception ''broken''; end'`.execute(db())
  await sql`create trigger fail_sweep before update on retention_sweep for each row
    when (old.bot_id = '${sql.raw(scene.botId)}' and new.step > old.step)
    execute function fail_sweep()`.execute(db())
  await sql`insert into retention_sweep (bot_id, next_at) values
    (${scene.botId}, now() - interval '1 hour'), (${otherId}, now() - interval '1 minute')
    on conflict (bot_id) do update set next_at = excluded.next_at, step = 0`.execute(db())
  const deps = {
    database: scene.app.services.database,
    limits: { users: 30 },
    tableRules,
  }
  const sweep = () => runSweeps({ ...deps, onUserDeleted: () => {} })
  await expect(sweep()).rejects.toThrow('broken')
  await sweep()
  const { rows } =
    await sql`select bot_id, next_at > now() + interval '5 minutes' as later
    from retention_sweep where bot_id in (${scene.botId}, ${otherId}) order by next_at`.execute(
      db(),
    )
  expect(rows).toEqual([
    { bot_id: scene.botId, later: true },
    { bot_id: otherId, later: true },
  ])
  await sql`drop trigger fail_sweep on retention_sweep`.execute(db())
})
