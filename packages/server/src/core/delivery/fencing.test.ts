// A server that is paused for longer than its lease loses its conversations to another server. When
// it resumes, its bot continues with an event that the other server has handled meanwhile. None of
// its writes may be stored.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatPeople, openChatPeople } from '../../../test/support/chat-people.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { runQuery, waitUntilDrained } from '../../../test/support/delivery-audit.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../test/support/running-server.ts'

/**
 * Waits, then writes one object of each kind. Each run has a name that is part of everything it
 * writes.
 */
const code = `
const by = Math.random().toString(36).slice(2)
const userId = process.env.BP_BOT_ID
const headers = {
  authorization: 'Bearer ' + process.env.BP_TOKEN,
  'x-bot-id': userId,
  'content-type': 'application/json',
}
const call = (method, path, body, more) =>
  fetch(process.env.BP_API_URL + path, {
    method,
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  })
const payload = { text: by }
const message = (conversationId) => ({ conversationId, userId, type: 'text', tags: {}, payload })
const writes = (conversationId) => ({
  message: ['POST', '/v1/chat/messages', message(conversationId)],
  keyed: ['POST', '/v1/chat/messages', message(conversationId), { 'idempotency-key': by }],
  event: ['POST', '/v1/chat/events', { type: 'made', payload: { by } }],
  state: ['POST', '/v1/chat/states/conversation/' + conversationId + '/memory', { payload: { by } }],
  patched: [
    ...['PATCH', '/v1/chat/states/conversation/' + conversationId + '/patched', { payload: { [by]: true } }],
  ],
  file: ['PUT', '/v1/files', { key: 'made/' + by, size: 2 }],
  rows: ['POST', '/v1/tables/MadeTable/rows', { rows: [{ by }] }],
  conversation: [
    ...['POST', '/v1/chat/conversations', { channel: 'channel', tags: { by }, integrationName: 'chat' }],
  ],
  action: ['POST', '/v1/chat/actions', { type: 'none', input: {} }],
})
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-type'] !== 'message_created') return
  const { event } = JSON.parse(body)
  const begun = { key: 'begun/' + by, size: 2, contentType: 'text/plain' }
  const { file } = await (await call('PUT', '/v1/files', begun)).json()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const statuses = {}
  for (const [name, write] of Object.entries(writes(event.conversationId)))
    statuses[name] = (await call(...write)).status
  const upload = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'ok' }
  statuses.content = (await fetch(file.uploadUrl, upload)).status
  console.log(JSON.stringify({ by, statuses }))
  if (statuses.message !== 200 && statuses.message !== 201) throw new Error('nothing could be written')
}`

let database: TestDatabase
let one: RunningServer
let other: RunningServer
let people: ChatPeople

beforeAll(async () => {
  database = await cloneDatabase()
  const env = settingsOfMany(database)
  one = await runServer(env)
  const { url, token, workspaceId, botId } = one.credentials
  const callAdmin = async (method: string, path: string, body: unknown) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-workspace-id': workspaceId,
      'x-bot-id': botId,
    }
    const reply = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    expect(reply.ok, await reply.text()).toBe(true)
  }
  await callAdmin('PUT', `/v1/admin/bots/${botId}`, { code })
  await callAdmin('POST', '/v1/tables', {
    name: 'MadeTable',
    schema: { type: 'object', properties: { by: { type: 'string' } } },
  })
  other = await runServer(env)
  people = await openChatPeople(() => one.credentials.chatUrl, 1)
}, 90_000)
afterAll(async () => {
  people?.close()
  process.kill(one.pid(), 'SIGCONT')
  await Promise.all([one?.remove(), other?.remove()])
  await database?.drop()
}, 60_000)

const selectRows = <Row extends object>(text: string) =>
  runQuery<Row & Record<string, unknown>>(database.settings, text)
const reports = async () =>
  (
    await selectRows<{ message: string }>(
      `select message from bot_log where message like '{"by%' order by id`,
    )
  ).map(
    ({ message }) =>
      JSON.parse(message) as { by: string; statuses: Record<string, number> },
  )

test('a bot whose server was paused writes nothing once another server has taken over', {
  timeout: 60_000,
}, async () => {
  const sent = await people.say(people.people[0]!, 'hello')
  expect(sent.status).toBe(201)
  const begun = () =>
    selectRows<{ key: string }>(
      `select key from file where key like 'begun/%' order by created_at`,
    )
  await expect
    .poll(async () => (await begun()).length, { timeout: 20_000, interval: 10 })
    .toBe(1)
  process.kill(one.pid(), 'SIGSTOP')
  await expect.poll(async () => (await reports()).length, { timeout: 20_000 }).toBe(1)
  await waitUntilDrained(database.settings, 20_000)
  process.kill(one.pid(), 'SIGCONT')
  await expect.poll(async () => (await reports()).length, { timeout: 20_000 }).toBe(2)
  const [after, before] = await reports()
  expect((await begun()).map(({ key }) => key)).toEqual([
    `begun/${before!.by}`,
    `begun/${after!.by}`,
  ])
  expect(after!.statuses).toEqual({
    message: 201,
    keyed: 201,
    event: 201,
    state: 200,
    patched: 200,
    file: 200,
    rows: 200,
    conversation: 201,
    action: 400,
    content: 200,
  })
  expect(new Set(Object.values(before!.statuses))).toEqual(new Set([503]))

  const { by } = after!
  const answers = `select payload ->> 'text' as by from message where direction = 'outgoing'`
  expect(await selectRows(answers)).toEqual([{ by }, { by }])
  expect(
    await selectRows(`select payload ->> 'by' as by from event where type = 'made'`),
  ).toEqual([{ by }])
  expect(await selectRows(`select payload from state order by name`)).toEqual([
    { payload: { by } },
    { payload: { [by]: true } },
  ])
  expect(await selectRows(`select key from file where key like 'made/%'`)).toEqual([
    { key: `made/${by}` },
  ])
  expect(
    await selectRows(`select key from file where status = 'upload_completed'`),
  ).toEqual([{ key: `begun/${by}` }])
  expect(await selectRows(`select count(*)::int as count from table_row`)).toEqual([
    { count: 1 },
  ])
  expect(
    await selectRows(`select tags ->> 'by' as by from conversation where tags ? 'by'`),
  ).toEqual([{ by }])
  // The failure of the paused server does not affect the event, which the other server has handled.
  expect(
    await selectRows(
      `select status, failure_reason from event where type = 'message_created'`,
    ),
  ).toEqual([{ status: 'processed', failure_reason: null }])
  expect(await selectRows(`select * from delivery_attempt`)).toEqual([])
})
