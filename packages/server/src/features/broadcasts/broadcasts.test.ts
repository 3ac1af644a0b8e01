// Broadcasts in the built-in chat, by the API: audience, variables, times, stops, opt-outs, reports.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addPeople, broadcastMessages } from '../../../test/support/broadcast-people.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
let botId: string
let asBot: Record<string, string>
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

/** Each test has another bot, so that its audience is known. */
beforeEach(async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  botId = body.bot.id
  asBot = { ...scene.asBot, 'x-bot-id': botId }
})

const soon = { timeout: 15_000, interval: 50 }
const audience = { integration: 'chat', channel: 'channel' }
const text = (value: string) => ({ type: 'text', payload: { text: value } })
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  scene.call(method, `/v1/platform/${path}`, { headers: asBot, ...(body && { body }) })
const database = () => scene.app.services.db
const people = (count: number) => addPeople(database(), botId, count)
const messages = (id: string) => broadcastMessages(database(), botId, id)

async function create(body: object): Promise<string> {
  const usual = { name: 'News', audience, message: text('Hi'), perMinute: 30_000 }
  const created = await call('POST', 'broadcasts', { ...usual, ...body })
  if (created.status !== 201) throw new Error(created.body.message)
  return created.body.broadcast.id
}
const show = async (id: string) => (await call('GET', `broadcasts/${id}`)).body
const isDone = (id: string) =>
  vi.waitFor(async () => {
    const { broadcast, report } = await show(id)
    expect(broadcast.state).toBe('done')
    return report
  }, soon)
const send = async (body: object) => {
  const id = await create(body)
  return { id, report: await isDone(id) }
}
const recipients = async (id: string, query = '') =>
  (await call('GET', `broadcasts/${id}/recipients${query}`)).body.recipients

/** Creates a user of the chat with conversations; the last one was used last. */
async function chatPerson(tags: object, conversations = 1) {
  const { body: bot } = await scene.call('GET', `/v1/admin/bots/${botId}`, {
    headers: scene.admin,
  })
  const [{ webhookId }] = Object.values(bot.bot.integrations) as [{ webhookId: string }]
  const made = await scene.call('POST', `/chat/${webhookId}/users`, {
    body: { name: 'Ana' },
  })
  const headers = { 'x-user-key': made.body.key }
  const userId = made.body.user.id as string
  await sql`update "user" set tags = ${JSON.stringify(tags)}::jsonb where bot_id = ${botId}
    and id = ${userId}`.execute(database())
  const say = (conversationId: string, said: string) =>
    scene.call('POST', `/chat/${webhookId}/messages`, {
      headers,
      body: { conversationId, payload: { type: 'text', text: said } },
    })
  let conversationId = ''
  for (let n = 0; n < conversations; n++) {
    const path = `/chat/${webhookId}/conversations`
    conversationId = (await scene.call('POST', path, { headers, body: {} })).body
      .conversation.id
    await say(conversationId, 'hello')
  }
  return { userId, conversationId, say: (said: string) => say(conversationId, said) }
}

test('each person gets one message, where they wrote last, with their variables', async () => {
  const ana = await chatPerson({ city: 'Rome' }, 3)
  const ben = await chatPerson({ city: 'Oslo', first: 'Ben' })
  const nobody = await chatPerson({})
  const message = text('Hi {{ user.tags.first ?? user.name }} of @user.tags.city!')
  const { id, report } = await send({ message })
  expect(await messages(id)).toEqual(
    [
      { conversation_id: ana.conversationId, text: 'Hi Ana of Rome!' },
      { conversation_id: ben.conversationId, text: 'Hi Ben of Oslo!' },
    ].sort((one, other) => (one.conversation_id < other.conversation_id ? -1 : 1)),
  )
  expect(report).toMatchObject({ total: 3, sent: 2, skipped: 1, waiting: 0, failed: 0 })
  expect(report.skipReasons).toEqual({ missing_variable: 1 })
  expect(await recipients(id, '?state=skipped')).toEqual([
    {
      userId: nobody.userId,
      userName: 'Ana',
      conversationId: nobody.conversationId,
      state: 'skipped',
      reason: 'missing_variable',
      detail: '@user.tags.city',
    },
  ])
})

test('tags of users and conversations select the audience', async () => {
  await people(30)
  await sql`update conversation set tags = '{"vip": "yes"}' where bot_id = ${botId}
    and id in ('conv_person-7', 'conv_person-8')`.execute(database())
  const one = await send({ audience: { ...audience, userTags: { n: '7' } } })
  expect(await messages(one.id)).toMatchObject([{ conversation_id: 'conv_person-7' }])
  const two = await send({ audience: { ...audience, conversationTags: { vip: 'yes' } } })
  expect(two.report.total).toBe(2)
  const none = await send({ audience: { ...audience, userTags: { n: '31' } } })
  expect(none.report).toMatchObject({ total: 0, sent: 0 })
})

test('rows of a table name people, and have variables', async () => {
  await people(5)
  const schema = { properties: { who: { type: 'string' }, price: { type: 'number' } } }
  const table = { name: 'OffersTable', schema: { type: 'object', ...schema } }
  await scene.call('POST', '/v1/tables', { headers: asBot, body: table })
  const rows = [
    { who: 'user_person-1', price: 10 },
    { who: 'conv_person-2', price: 20 },
    { who: 'user_person-1', price: 11 },
    { who: 'user_person-3' },
    { who: 'nobody', price: 30 },
    { who: 'user_person-4', price: 999 },
  ]
  await scene.call('POST', '/v1/tables/OffersTable/rows', {
    headers: asBot,
    body: { rows },
  })
  await sql`update conversation set channel = 'other' where bot_id = ${botId}
    and id = 'conv_person-3'`.execute(database())
  const offers = {
    audience: {
      ...audience,
      table: {
        table: 'OffersTable',
        column: 'who',
        filter: { price: { $not: { $gt: 100 } } },
      },
    },
    message: text('{{ row.price }} €'),
  }
  const preview = await call('POST', 'broadcasts/preview', offers)
  expect(preview.body).toMatchObject({ total: 3, recipients: 2, unknownRows: 1 })
  const { id, report } = await send(offers)
  expect(await messages(id)).toEqual([
    { conversation_id: 'conv_person-1', text: '10 €' },
    { conversation_id: 'conv_person-2', text: '20 €' },
  ])
  expect(report).toMatchObject({ skipReasons: { no_conversation: 1 }, unknownRows: 1 })
})

test('a dry run counts as the broadcast does, shows five messages and stores nothing', async () => {
  await people(1_200)
  await sql`update "user" set tags = '{}' where bot_id = ${botId}
    and id like 'user_person-11%'`.execute(database())
  const body = { audience, message: text('Number {{ user.tags.n }}') }
  const { body: preview } = await call('POST', 'broadcasts/preview', body)
  expect(preview).toMatchObject({
    total: 1_200,
    recipients: 1_089,
    skipped: 111,
    hasMore: false,
  })
  expect(preview.skipReasons).toEqual({ missing_variable: 111 })
  expect(preview.messages).toHaveLength(5)
  expect(preview.messages[0]).toEqual({
    userId: 'user_person-1',
    conversationId: 'conv_person-1',
    type: 'text',
    payload: { text: 'Number 1' },
  })
  expect((await call('GET', 'broadcasts')).body.broadcasts).toEqual([])
  for (const table of ['broadcast_recipient', 'message'])
    expect(
      (
        await sql`select from ${sql.table(table)} where bot_id = ${botId}`.execute(
          database(),
        )
      ).rows,
    ).toEqual([])
  const { report } = await send(body)
  expect([report.sent, report.skipped]).toEqual([preview.recipients, preview.skipped])
})

test('stops at once, sends nothing afterwards, and resumes where it was', async () => {
  await people(1_000)
  const id = await create({})
  await vi.waitFor(
    async () => expect((await messages(id)).length).toBeGreaterThan(100),
    soon,
  )
  const from = performance.now()
  const stopped = await call('POST', `broadcasts/${id}/stop`, {})
  expect(performance.now() - from).toBeLessThan(1_000)
  expect(stopped.body.broadcast.state).toBe('stopped')
  const sent = (await messages(id)).length
  expect(sent).toBeLessThan(1_000)
  await pause(500)
  expect((await messages(id)).length).toBe(sent)
  expect((await show(id)).report).toMatchObject({
    sent,
    waiting: 1_000 - sent,
    total: 1_000,
  })
  expect((await call('POST', `broadcasts/${id}/stop`, {})).body.broadcast.state).toBe(
    'stopped',
  )
  expect((await call('POST', `broadcasts/${id}/resume`, {})).status).toBe(200)
  expect(await isDone(id)).toMatchObject({ sent: 1_000, waiting: 0 })
  expect(new Set((await messages(id)).map((one) => one.conversation_id)).size).toBe(1_000)
  expect(await messages(id)).toHaveLength(1_000)
  for (const path of ['stop', 'resume'])
    expect((await call('POST', `broadcasts/${id}/${path}`)).body.type).toBe(
      'RelationConflict',
    )
  expect((await call('DELETE', `broadcasts/${id}`)).status).toBe(200)
  expect((await call('GET', `broadcasts/${id}`)).status).toBe(404)
})

test('keeps to the messages per minute, and to the time', async () => {
  await people(10)
  const later = await create({ startAt: new Date(Date.now() + 3_600_000).toISOString() })
  const slow = await create({ perMinute: 60 })
  await pause(2_500)
  const { report } = await show(slow)
  expect(report.sent).toBeGreaterThan(0)
  expect(report.sent).toBeLessThanOrEqual(4)
  expect(await show(later)).toMatchObject({
    broadcast: { state: 'scheduled' },
    report: { total: 0 },
  })
})

test('people in quiet hours wait for their end', async () => {
  await people(3)
  await sql`update "user" set tags = '{"tz": "Pacific/Kiritimati"}' where bot_id = ${botId}
    and id = 'user_person-2'`.execute(database())
  // Kiritimati is 14 hours ahead of UTC.
  const hour = new Date().getUTCHours()
  const at = (hours: number) => `${String((hour + hours + 24) % 24).padStart(2, '0')}:00`
  const quietHours = { from: at(-1), to: at(2), timezone: 'UTC', timezoneTag: 'tz' }
  const id = await create({ quietHours })
  await vi.waitFor(async () => {
    expect(await messages(id)).toMatchObject([{ conversation_id: 'conv_person-2' }])
    expect(
      (await recipients(id, '?state=waiting')).map((one: object) => Object.keys(one)),
    ).toEqual(Array(2).fill(['userId', 'userName', 'conversationId', 'state', 'dueAt']))
  }, soon)
  const [{ dueAt }] = await recipients(id, '?state=waiting')
  expect(new Date(dueAt).getUTCHours()).toBe((hour + 2) % 24)
  expect((await show(id)).broadcast.state).toBe('sending')
})

test('people who write STOP get no broadcasts, also none that runs, until they write START', async () => {
  const ana = await chatPerson({})
  const ben = await chatPerson({})
  const handsOver = { timezone: 'UTC', open: [], message: 'Closed', handsOver: true }
  await call('PUT', 'handoff-rules', { keywords: ['stop'], hours: handsOver })
  const running = await create({ startAt: new Date(Date.now() + 600_000).toISOString() })
  await sql`update broadcast set next_at = now(), start_at = now() where bot_id = ${botId}
    and id = ${running}`.execute(database())
  const stopMessage = await ana.say('Stop!')
  const report = await isDone(running)
  const listed = (await call('GET', 'opt-outs')).body.optOuts
  expect(listed).toEqual([
    {
      integration: 'chat',
      channel: 'channel',
      userId: ana.userId,
      userName: 'Ana',
      messageId: stopMessage.body.message.id,
      createdAt: expect.any(String),
    },
  ])
  expect(report.total).toBe(2)
  const later = await send({})
  expect(await messages(later.id)).toMatchObject([
    { conversation_id: ben.conversationId },
  ])
  expect(later.report.skipReasons).toEqual({ opted_out: 1 })
  await ana.say('/start')
  expect((await call('GET', 'opt-outs')).body.optOuts).toEqual([])
  expect((await send({})).report).toMatchObject({ sent: 2, skipped: 0 })
})

test('an opt-out takes people out of a broadcast that waits', async () => {
  await people(3)
  const id = await create({ perMinute: 1 })
  await vi.waitFor(async () => expect(await messages(id)).toHaveLength(1), soon)
  const [waiting, other] = await recipients(id, '?state=waiting')
  const person = { integration: 'chat', channel: 'channel', userId: waiting.userId }
  const added = await call('POST', 'opt-outs', person)
  expect(added.body.optOut).toMatchObject({ ...person, notedBy: scene.accountId })
  expect(await recipients(id, '?state=skipped')).toMatchObject([
    { userId: waiting.userId, reason: 'opted_out' },
  ])
  // The entry stays as it is, for another channel there is another one.
  expect((await call('POST', 'opt-outs', person)).body).toEqual(added.body)
  await call('POST', 'opt-outs', { ...person, channel: 'other', userId: other.userId })
  expect(
    (await recipients(id, '?state=waiting')).map((one: { userId: string }) => one.userId),
  ).toEqual([other.userId])
  expect((await call('POST', 'opt-outs/remove', person)).status).toBe(200)
  expect((await call('POST', 'opt-outs/remove', person)).status).toBe(404)
  const { body } = await call('POST', 'opt-outs', { ...person, userId: botId })
  expect(body.type).toBe('ReferenceNotFound')
})

test('a bot has its own words', async () => {
  const ana = await chatPerson({})
  expect((await call('GET', 'opt-out-words')).body).toMatchObject({ isDefault: true })
  for (const [words, problem] of [
    [{ stop: ['!!'], start: [] }, '`words.stop[0]` has no letter or digit'],
    [
      { stop: ['Tschüss'], start: ['tschuss!'] },
      'is in `words.stop` and in `words.start`',
    ],
    [{ stop: [], start: [] }, '`words.stop` must have at least one word'],
  ] as const) {
    const { body } = await call('PUT', 'opt-out-words', { words })
    expect([body.type, body.message]).toEqual([
      'InvalidPayload',
      expect.stringContaining(problem),
    ])
  }
  const words = { stop: ['Ruhe'], start: ['Weiter'] }
  expect((await call('PUT', 'opt-out-words', { words })).body).toEqual({
    words,
    isDefault: false,
  })
  await ana.say('stop')
  expect((await call('GET', 'opt-outs')).body.optOuts).toEqual([])
  await ana.say('RUHE')
  expect((await call('GET', `opt-outs?userId=${ana.userId}`)).body.optOuts).toHaveLength(
    1,
  )
  expect((await call('PUT', 'opt-out-words', {})).body).toMatchObject({ isDefault: true })
  await ana.say('start')
  expect((await call('GET', 'opt-outs')).body.optOuts).toEqual([])
})

test.each([
  [
    { audience: { integration: 'none', channel: 'channel' } },
    'ReferenceNotFound',
    '`audience.integration`',
  ],
  [
    { audience: { integration: 'chat', channel: 'none' } },
    'ReferenceNotFound',
    '"channel"',
  ],
  [
    { audience: { ...audience, table: { table: 'None', column: 'who' } } },
    'ReferenceNotFound',
    '`audience.table.table`',
  ],
  [{ message: text('{{ process.env }}') }, 'InvalidPayload', '`message.payload.text`'],
  [{ message: text('{{ row.price }}') }, 'InvalidPayload', '`audience.table` is missing'],
  [{ message: text('x'.repeat(40_000)) }, 'InvalidPayload', 'at most 32000 characters'],
  [
    { quietHours: { from: '08:00', to: '08:00', timezone: 'UTC' } },
    'InvalidPayload',
    '`quietHours.to`',
  ],
  [
    { quietHours: { from: '08:00', to: '09:00', timezone: 'Mars' } },
    'InvalidPayload',
    '`quietHours.timezone`',
  ],
])('rejects a broadcast %#: %s %s', async (input, type, problem) => {
  const body = { name: 'News', audience, message: text('Hi'), ...input }
  const { name: _, ...preview } = body
  for (const [path, given] of [
    ['broadcasts', body],
    ['broadcasts/preview', preview],
  ] as const) {
    const answer = await call('POST', path, given)
    expect([answer.body.type, answer.body.message]).toEqual([
      type,
      expect.stringContaining(problem),
    ])
  }
})

test('a broadcast whose table is deleted meanwhile fails with the reason, and can be resumed', async () => {
  await people(1)
  const schema = { type: 'object', properties: { who: { type: 'string' } } }
  await scene.call('POST', '/v1/tables', {
    headers: asBot,
    body: { name: 'GoneTable', schema },
  })
  const startAt = new Date(Date.now() + 700).toISOString()
  const table = { table: 'GoneTable', column: 'who' }
  const id = await create({ audience: { ...audience, table }, startAt })
  await scene.call('DELETE', '/v1/tables/GoneTable', { headers: asBot })
  await vi.waitFor(async () => {
    const { broadcast } = await show(id)
    expect(broadcast).toMatchObject({
      state: 'failed',
      reason: 'Table "GoneTable" was not found',
    })
  }, soon)
  expect((await call('POST', `broadcasts/${id}/resume`, {})).body.broadcast.state).toBe(
    'resolving',
  )
})

test('recipients as CSV do not run as formulas, and receipts are reported', async () => {
  await people(2)
  await sql`update "user" set name = '=HYPERLINK("x")' where bot_id = ${botId}
    and id = 'user_person-1'`.execute(database())
  const { id } = await send({})
  await sql`update participant set delivered_until = now(), read_until = now() where bot_id = ${botId}
    and user_id = 'user_person-2'`.execute(database())
  expect((await show(id)).report).toMatchObject({
    sent: 1,
    delivered: 0,
    read: 1,
    total: 2,
  })
  const { csv, meta } = (await call('GET', `broadcasts/${id}/recipients/export`)).body
  const lines = csv.split('\r\n')
  expect(meta).toEqual({})
  expect(lines[0]).toBe(
    'userId,userName,conversationId,messageId,state,reason,detail,sentAt',
  )
  expect(lines[1]).toMatch(
    /^user_person-1,"'=HYPERLINK\(""x""\)",conv_person-1,msg_\w+,sent,/,
  )
  expect(lines[2]).toContain(',read,')
})

test('lists broadcasts and recipients in pages', async () => {
  await people(5)
  const first = await send({ name: 'First' })
  const second = await create({ name: 'Second', startAt: '2100-01-01T00:00:00Z' })
  const page = (await call('GET', 'broadcasts?pageSize=1')).body
  expect(page.broadcasts).toMatchObject([
    { id: second, name: 'Second', perMinute: 30_000 },
  ])
  const next = (
    await call('GET', `broadcasts?pageSize=1&nextToken=${page.meta.nextToken}`)
  ).body
  expect(next).toMatchObject({ broadcasts: [{ id: first.id }], meta: {} })
  const seen: string[] = []
  for (let query = '?pageSize=2&state=sent'; query !== ''; ) {
    const { body } = await call('GET', `broadcasts/${first.id}/recipients${query}`)
    seen.push(...body.recipients.map((one: { userId: string }) => one.userId))
    query = body.meta.nextToken
      ? `?pageSize=2&state=sent&nextToken=${body.meta.nextToken}`
      : ''
  }
  expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => `user_person-${n}`))
})
