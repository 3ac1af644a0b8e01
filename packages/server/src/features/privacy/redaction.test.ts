// Redaction: a message, an event or a record with an e-mail address, by each way in. Afterwards no
// row of the database contains the address.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { appendBotLogs } from '../../core/bots/logs/bot-logs.ts'
import { appendIntegrationLogs } from '../../core/catalog/integrations/integration-logs.ts'
import { readTables } from '../archive/format/catalog.ts'

const mail = 'quagga@example.org'
const where = ['storage', 'logs', 'models']

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
}, 60_000)
afterAll(() => scene?.close())

const send = async (method: string, path: string, body: object, headers = scene.asTg) => {
  const reply = await scene.call(method as 'POST', path, { headers, body })
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  return reply.body
}
const redaction = (
  method: 'GET' | 'PUT' | 'POST',
  path = '',
  body?: object,
  headers = scene.asBot,
) =>
  scene.call(method, `/v1/platform/redaction${path}`, { headers, ...(body && { body }) })

/** Names the tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const { database } = scene.app.services
  const session = await database.connect()
  const tables = await readTables(session).finally(() => session.end())
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } =
      await sql`select from ${sql.table(name)} t where t::text like ${`%${text}%`}
      limit 1`.execute(database.db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function sendByEveryWay() {
  const { user } = await send('POST', '/v1/chat/users', {
    tags: { id: String(Math.random()) },
  })
  const { conversation } = await send('POST', '/v1/chat/conversations', {
    channel: 'dm',
    tags: {},
  })
  const payload = { text: `I am ${mail}`, raw: JSON.stringify({ from: [mail] }) }
  const message = {
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    tags: {},
    payload,
  }
  const created = await send('POST', '/v1/chat/messages', message)
  expect(created.message.payload).toEqual({
    text: 'I am [e-mail]',
    raw: '{"from":["[e-mail]"]}',
  })
  const keyed = { ...scene.asTg, 'idempotency-key': 'once' }
  const first = await send('POST', '/v1/chat/messages', message, keyed)
  expect(await send('POST', '/v1/chat/messages', message, keyed)).toEqual(first)
  await send('POST', '/v1/chat/messages', { ...message, schedule: { delay: 60_000 } })
  await send('POST', '/v1/chat/messages/get-or-create', {
    ...message,
    tags: { id: 'a' },
    discriminateByTags: ['id'],
  })
  await send('PUT', `/v1/chat/messages/${created.message.id}`, {
    payload: { ...payload, more: 1 },
  })
  await redeliverEdited(created.message, payload)
  await send('POST', '/v1/chat/messages/import-messages', {
    messages: [
      { ...message, createdAt: '2024-01-01T00:00:00.000Z', discriminateByTags: [] },
    ],
  })
  await send(
    'POST',
    '/v1/chat/events',
    { type: 'something', payload: { mail } },
    scene.asBot,
  )
  await send(
    'POST',
    '/v1/chat/events',
    {
      type: 'something',
      payload: { mail },
      schedule: { delay: 60_000 },
    },
    scene.asBot,
  )
  await send(
    'POST',
    '/v1/platform/handoffs',
    { conversationId: conversation.id, reason: mail, summary: mail },
    scene.asBot,
  )
  const chat = `/chat/${scene.webhookId}`
  const { headers } = await scene.chatUser()
  const mine = await send('POST', `${chat}/conversations`, {}, headers)
  const chatMessage = {
    conversationId: mine.conversation.id,
    payload: { type: 'text', text: mail },
  }
  const keyedUser = { ...headers, 'idempotency-key': 'once' }
  const said = await send('POST', `${chat}/messages`, chatMessage, keyedUser)
  expect(await send('POST', `${chat}/messages`, chatMessage, keyedUser)).toEqual(said)
  await send(
    'POST',
    `${chat}/events`,
    {
      conversationId: mine.conversation.id,
      payload: { mail },
    },
    headers,
  )

  await rateAndDescribe(mine.conversation.id, headers)

  const { issues, eventTraces, actionRuns, webhookRequests } = scene.app.services
  const { botId } = scene
  issues.report(botId, {
    code: 'code_failed',
    message: `bad ${mail}`,
    facts: { input: mail },
  })
  eventTraces.called(
    { botId, eventId: `evt_${'0'.repeat(26)}` },
    {
      at: 1,
      ms: 1,
      operation: 'o',
      subject: mail,
      integration: null,
      status: 500,
      error: `${'x'.repeat(300 - mail.length / 2)} ${mail}`,
    },
  )
  await writeLogs()
  actionRuns.record({
    botId,
    alias: 'tg',
    integration: 'telegram',
    action: 'a',
    ms: 1,
    cause: null,
    cached: false,
    startedAt: new Date(),
    error: mail,
    input: { mail },
    output: { mail },
  })
  const body = Buffer.from(`from=${encodeURIComponent(mail)}&n=1`)
  webhookRequests.record({
    botId,
    alias: 'tg',
    at: new Date(),
    ms: 1,
    error: null,
    replayOf: null,
    request: {
      method: 'POST',
      path: `/${mail}`,
      query: `who=${encodeURIComponent(mail)}`,
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', from: mail },
    },
    response: {
      status: 200,
      headers: {},
      chunks: [Buffer.from(JSON.stringify({ mail }))],
    },
  })
  await send('POST', '/v1/chat/observations', { name: 'n', data: { mail } }, scene.asBot)
}

/** Feedback with a comment by both APIs, and a visitor's data. */
async function rateAndDescribe(conversationId: string, headers: Record<string, string>) {
  const { message } = await send(
    'POST',
    '/v1/chat/messages',
    {
      conversationId,
      userId: scene.botId,
      type: 'text',
      tags: {},
      payload: { text: 'Good?' },
    },
    scene.asBot,
  )
  const [chat, webchat] = [`/chat/${scene.webhookId}`, `/webchat/${scene.webhookId}`]
  const path = `/messages/${message.id}/feedback`
  const comment = `ask ${mail}`
  await send('PUT', webchat + path, { value: 'positive', comment }, headers)
  const rated = await send('PUT', chat + path, { rating: 'negative', comment }, headers)
  expect(rated.feedback.comment).toBe('ask [e-mail]')
  const described = { userData: { mails: [mail] }, attributes: { mail, plan: 'free' } }
  const { user } = await send('POST', `${webchat}/users`, described, {})
  expect(user).toMatchObject({ data: { mails: ['[e-mail]'] } })
  const changed = await send('PUT', `${webchat}/users/me`, described, headers)
  expect(changed.user).toMatchObject({ data: { mails: ['[e-mail]'] } })
}

/** Makes a dead letter of the event of a message, and redelivers it with another payload. */
async function redeliverEdited(
  { id, conversationId }: Record<string, string>,
  payload: object,
) {
  const { db } = scene.app.services
  await sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, dead_at)
    select ${scene.botId}, ${conversationId}, 900, 'edited', 'event', e.id, now() from event e
    where e.message_id = ${id}`.execute(db)
  const body = { botId: scene.botId, payload: { ...payload, edited: true } }
  await send(
    'POST',
    '/v1/platform/dead-letters/edited/redeliver-edited',
    body,
    scene.admin,
  )
}

/** Lines of the server and of code, and the failure of a delivery. */
async function writeLogs() {
  const { services } = scene.app
  const line = { at: new Date(), level: 'info' as const, message: `is ${mail}` }
  await appendBotLogs(services, scene.botId, [line])
  await appendIntegrationLogs(services, 'intver_01J0000000000000000TELEGRAM', [
    { ...line, botId: scene.botId },
  ])
  scene.answerWith(() => ({ status: 400, body: { message: `cannot write to ${mail}` } }))
  await send('POST', '/v1/chat/events', { type: 'refused', payload: {} }, scene.asBot)
}

test('redacts before storage and logs, by every way in', async () => {
  const rules = [{ kind: 'email', where }]
  const set = await redaction('PUT', '', { rules })
  expect(set, JSON.stringify(set.body)).toMatchObject({ status: 200, body: { rules } })
  await sendByEveryWay()
  await vi.waitFor(
    async () => {
      for (const table of ['issue', 'event_trace', 'action_run', 'webhook_request'])
        expect(
          (
            await sql`select from ${sql.table(table)} limit 1`.execute(
              scene.app.services.db,
            )
          ).rows,
          table,
        ).toHaveLength(1)
      const failed = sql`select from event where type = 'refused'
        and failure_reason = 'cannot write to [e-mail]'`
      expect((await failed.execute(scene.app.services.db)).rows).toHaveLength(1)
    },
    { timeout: 10_000 },
  )
  expect(await tablesWith(mail)).toEqual([])
  expect(await tablesWith('quagga')).toEqual([])
  expect(await tablesWith(encodeURIComponent(mail))).toEqual([])
  const { rows } = await sql<{ kept: boolean }>`select original is not null as kept
    from webhook_request`.execute(scene.app.services.db)
  expect(rows).toEqual([{ kept: false }])

  // Answers stay, as does everything without rules.
  await redaction('PUT', '', { rules: [] })
  const { user } = await send('POST', '/v1/chat/users', { tags: { id: 'plain' } })
  const { conversation } = await send('POST', '/v1/chat/conversations', {
    channel: 'dm',
    tags: {},
  })
  const { message } = await send('POST', '/v1/chat/messages', {
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    tags: {},
    payload: { text: mail },
  })
  expect(message.payload).toEqual({ text: mail })
}, 60_000)

test('shows matches of a text, and rejects rules that cannot work', async () => {
  const rules = [
    { kind: 'custom', pattern: 'K-\\d+', replacement: '[customer]', where: ['logs'] },
  ]
  expect((await redaction('POST', '/try', { rules, text: 'K-12' })).body).toEqual({
    text: '[customer]',
    matches: [{ kind: 'custom', text: 'K-12', offset: 0 }],
  })
  for (const wrong of [
    { kind: 'custom', pattern: '(a', where: ['logs'] },
    { kind: 'custom', where: ['logs'] },
    { kind: 'email', where: [] },
    { kind: 'name', where: ['logs'] },
  ])
    expect((await redaction('PUT', '', { rules: [wrong] })).status).toBe(400)
  expect((await redaction('PUT', '', { rules }, scene.asTg)).status).toBe(403)
})

test('stores nothing of a text that a rule is too slow for, and names the rule in an issue', async () => {
  const pattern = '(?:[a-z]{1,100}){10}[0-9]'
  const { db } = scene.app.services
  expect(
    (await redaction('PUT', '', { rules: [{ kind: 'custom', pattern, where }] })).status,
  ).toBe(200)
  const { headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const { conversation } = await send('POST', `${chat}/conversations`, {}, headers)
  const text = 'quagga'.repeat(10_000)
  const payload = { type: 'text', text }
  const { message } = await send(
    'POST',
    `${chat}/messages`,
    { conversationId: conversation.id, payload },
    headers,
  )
  expect(message.payload).toEqual({ type: 'text', text: '[redacted: rule too slow]' })
  await vi.waitFor(async () => {
    const { body } = await scene.call('GET', '/v1/platform/issues', {
      headers: scene.asBot,
    })
    const issue = body.issues?.find(
      ({ code }: { code: string }) => code === 'redaction_rule_slow',
    )
    expect(JSON.stringify(issue)).toContain(JSON.stringify(pattern).slice(1, -1))
  })
  expect(await tablesWith('quaggaquagga')).toEqual([])
  await redaction('PUT', '', { rules: [] })
  await db.deleteFrom('issue').execute()
})

test('only people change rules or try them', async () => {
  const key = await scene.call('POST', '/v1/admin/bots/baks', {
    headers: scene.admin,
    body: { botId: scene.botId, note: '' },
  })
  const asKey = { authorization: `Bearer ${key.body.value}`, 'x-bot-id': scene.botId }
  const rules = [{ kind: 'email', where: ['logs'] }]
  expect((await redaction('GET', '', undefined, asKey)).status).toBe(200)
  for (const headers of [asKey, scene.asTg]) {
    expect((await redaction('PUT', '', { rules }, headers)).status).toBe(403)
    expect((await redaction('POST', '/try', { rules, text: 'a' }, headers)).status).toBe(
      403,
    )
  }
  expect((await redaction('GET')).body.rules).toEqual([])
})
