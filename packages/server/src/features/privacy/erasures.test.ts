// Export and erasure of one person's data: Ana writes alone and in a group with Ben. After her
// erasure no row of the database contains what she wrote, and nothing of Ben is missing.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Erasure } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { tableRules } from '../../app/tables.ts'
import { readTables } from '../archive/format/catalog.ts'
import type { TextResult } from '../models/gateway/call.ts'
import { eraseBatch } from './batches.ts'
import { findUndecided, listPersonSteps } from './person-data.ts'

/** In everything that Ana causes. */
const secret = 'quagga-of-ana'
const kept = 'okapi-of-ben'

let scene: RuntimeScene
let recorded: string
let asViewer: Record<string, string>

beforeAll(async () => {
  recorded = await mkdtemp(join(tmpdir(), 'botstead-recordings-'))
  scene = await openRuntimeScene({ config: { modelsRecord: recorded } })
  const asAdmin = { headers: scene.admin }
  const member = await scene.call('POST', '/v1/admin/workspace-members', {
    ...asAdmin,
    body: { email: 'viewer@example.org', role: 'viewer' },
  })
  const path = `/v1/platform/members/${member.body.id}/token`
  const { pat } = (await scene.call('POST', path, { ...asAdmin, body: {} })).body
  asViewer = { ...scene.asBot, authorization: `Bearer ${pat.value}` }
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await rm(recorded, { recursive: true })
})

const db = () => scene.app.services.db
const chat = async (path: string, body: object, headers = scene.asTg) => {
  const reply = await scene.call('POST', path, { headers, body })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}
const platform = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  headers = scene.asBot,
) => scene.call(method, `/v1/platform${path}`, { headers, ...(body && { body }) })

interface People {
  ana: string
  ben: string
  /** Conversations of Ana alone, and of both. */
  own: string
  group: string
  tableId: string
}

const createUser = async (name: string) =>
  (await chat('/v1/chat/users', { name, tags: { id: `${name} ${Math.random()}` } })).user
    .id

async function createPeople(): Promise<People> {
  const [ana, ben] = [await createUser(secret), await createUser(kept)]
  const createConversation = async () =>
    (await chat('/v1/chat/conversations', { channel: 'dm', tags: {} })).conversation.id
  const [own, group] = [await createConversation(), await createConversation()]
  for (const [conversationId, userId] of [
    [own, ana],
    [group, ana],
    [group, ben],
  ])
    await sql`insert into participant (bot_id, conversation_id, user_id)
      values (${scene.botId}, ${conversationId}, ${userId})`.execute(db())
  const say = (conversationId: string, userId: string, text: string) =>
    chat('/v1/chat/messages', {
      conversationId,
      userId,
      type: 'text',
      tags: {},
      payload: { type: 'text', text },
    })
  for (const conversationId of [own, group]) {
    await say(conversationId, ana, secret)
    await say(conversationId, ana, `${secret} again`)
  }
  await say(group, ben, kept)
  const table = await chat(
    '/v1/tables',
    {
      name: `Orders${Math.floor(Math.random() * 1e9)}Table`,
      schema: {
        customer: { type: 'string', 'x-zui': { userId: true } },
        note: { type: 'string', searchable: true },
      },
    },
    scene.asBot,
  )
  const tableId = table.table.id
  await chat(
    `/v1/tables/${tableId}/rows`,
    {
      rows: [
        { customer: ana, note: secret },
        { customer: ben, note: kept },
      ],
    },
    scene.asBot,
  )
  await createRecords({ ana, ben, own, group, tableId })
  return { ana, ben, own, group, tableId }
}

/** Rows that bots, integrations and the server write about Ana. */
async function createRecords({ ana, ben, own, group }: People) {
  const { botId, workspaceId } = scene
  const { rows } = await sql<{ id: string }>`select id from event
    where user_id = ${ana} and conversation_id = ${group}`.execute(db())
  const event = rows[0]!.id
  const unique = createHash('sha256').update(ana).digest('hex').slice(0, 20)
  const text = JSON.stringify({ text: secret })
  await sql`insert into event_trace (bot_id, id, event_id, calls, changes)
    values (${botId}, ${`t${unique}`}, ${event}, ${text}, '[]')`.execute(db())
  await sql`insert into action_run (bot_id, id, action, succeeded, ms, input, input_truncated,
      output_truncated, cause, started_at)
    values (${botId}, ${`r${unique}`}, 'a', true, 1, ${text}, false, false, ${event}, now())`.execute(
    db(),
  )
  await sql`insert into bot_log (bot_id, level, message, user_id) values
    (${botId}, 'info', ${secret}, ${ana}), (${botId}, 'info', ${kept}, ${ben}),
    (${botId}, 'info', ${`${secret} is ${ana}`}, null)`.execute(db())
  await sql`insert into integration_log (integration_id, at, level, message, bot_id, user_id)
    values ('intver_01J0000000000000000TELEGRAM', now(), 'info', ${secret}, ${botId}, ${ana})`.execute(
    db(),
  )
  await sql`insert into observation (bot_id, id, name, data, event_id)
    values (${botId}, ${`o${unique}`}, 'n', ${text}, ${event})`.execute(db())
  await sql`insert into model_call (workspace_id, id, bot_id, user_id, kind, model, provider,
      fallback_path, input_tokens, output_tokens, cost, ms, cached, outcome, error, created_at)
    values (${workspaceId}, ${`m${unique}`}, ${botId}, ${ana}, 'text', 'm', 'p', '{}', 1, 1, 0, 1,
      false, 'failed', ${secret}, now())`.execute(db())
  const toText = (raw: string) => JSON.stringify({ message: { raw } })
  for (const id of [`i${unique}`, `j${unique}`])
    await sql`insert into issue (bot_id, id, code, message, fingerprint, grouped_data, events_count)
      values (${botId}, ${id}, 'c', ${secret}, ${Buffer.from(id)}, ${toText(secret)}, 1)`.execute(
      db(),
    )
  const failed = (raw: string, conversationId: string) =>
    JSON.stringify({ message: { raw }, conversationId: { raw: conversationId } })
  await sql`insert into issue_event (bot_id, issue_id, id, data) values
    (${botId}, ${`i${unique}`}, 'e', ${failed(secret, own)}),
    (${botId}, ${`j${unique}`}, 'e', ${failed(secret, own)}),
    (${botId}, ${`j${unique}`}, 'f', ${failed(`${kept} 7\n…`, group)})`.execute(db())
  await sql`insert into rate_window (key, counts) values
    (${`userMessagesPerMinute ["${scene.webhookId}","${ana}"]`}, '1'),
    (${`userMessagesPerMinute ["${scene.webhookId}","${ben}"]`}, '1')`.execute(db())
  await sql`insert into told_change (bot_id, id, alias, operation, body)
    values (${botId}, ${`c${unique}`}, 'tg', 'o', ${JSON.stringify({ secret, ana })})`.execute(
    db(),
  )
  await sql`insert into webhook_request (bot_id, alias, id, at, method, path, ms, content)
    values (${botId}, 'tg', ${`w${unique}`}, now(), 'POST', '/', 1, ${text})`.execute(
    db(),
  )
  await sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, dead_at, last_error,
      conversation_id)
    values (${botId}, ${group}, 900, ${`d${unique}`}, 'event', ${event}, now(), ${secret},
      ${group})`.execute(db())
  await sql`insert into delivery_attempt (bot_id, delivery_id, attempt, started_at, ms, error)
    values (${botId}, ${`d${unique}`}, 1, now(), 1, ${secret})`.execute(db())
  await sql`insert into message_feedback (bot_id, id, conversation_id, message_id, user_id, rating, comment)
    select bot_id, ${`f${unique}`}, conversation_id, id, ${ana}, 'positive', ${secret} from message
    where user_id = ${ben} and conversation_id = ${group}`.execute(db())
  await sql`insert into conversation_note (bot_id, id, conversation_id, text)
    values (${botId}, ${`n${unique}`}, ${own}, ${secret})`.execute(db())
  await sql`insert into scheduled_message (bot_id, id, conversation_id, user_id, direction, type,
      payload, due_at)
    values (${botId}, ${`s${unique}`}, ${group}, ${ana}, 'incoming', 'text', ${text},
      now() + interval '1 day')`.execute(db())
  await sql`insert into workflow (bot_id, id, name, status, user_id, input, timeout_at)
    values (${botId}, ${`wf${unique}`}, 'w', 'listening', ${ana}, ${text},
      now() + interval '1 day')`.execute(db())
  for (const [type, id] of [
    ['user', ana],
    ['conversation', own],
  ])
    await sql`insert into state (bot_id, type, subject_id, name, id, payload, revision, expiry_given)
      values (${botId}, ${type}, ${id}, 'memory', ${`st${type}${unique}`}, ${text}, 'r', false)`.execute(
      db(),
    )
  const file = await scene.call('PUT', '/v1/files', {
    headers: scene.asBot,
    body: {
      key: `${secret}/${unique}.txt`,
      size: secret.length,
      contentType: 'text/plain',
    },
  })
  await recordCalls({ ana, ben, own, event })
  await upload(file.body.file.uploadUrl)
  const sent = await scene.call('PUT', '/v1/files', {
    headers: scene.asBot,
    body: {
      key: `inbox/${own}/1/answer.txt`,
      size: secret.length,
      contentType: 'text/plain',
    },
  })
  await upload(sent.body.file.uploadUrl)
  await sql`update file set owner = ${JSON.stringify({ type: 'user', id: ana, name: secret })}
    where id = ${file.body.file.id}`.execute(db())
}

/** Recordings that know the user, the conversation or the event; one of Ben; one of another bot. */
async function recordCalls({
  ana,
  ben,
  own,
  event,
}: Record<'ana' | 'ben' | 'own' | 'event', string>) {
  const { recordings } = scene.app.services.models.deps
  const record = (text: string, caller: { botId?: string } & Record<string, string>) =>
    recordings!.store({
      caller: {
        botId: scene.botId,
        eventId: null,
        conversationId: null,
        userId: null,
        ...caller,
      },
      request: { text, caller },
      response: {} as TextResult,
      pieces: [],
    })
  await record(secret, { userId: ana })
  await record(secret, { conversationId: own })
  await record(secret, { eventId: event })
  await record(kept, { userId: ben })
  await record(kept, { botId: scene.strangerBotId, userId: ana })
}

async function recordedTexts(): Promise<string[]> {
  const names = await readdir(recorded)
  const texts = names.map(async (name) =>
    JSON.parse(await readFile(join(recorded, name), 'utf8')),
  )
  return (await Promise.all(texts)).map(({ request }) => request.text)
}

async function upload(url: string) {
  const { pathname, search } = new URL(url)
  const headers = { 'content-type': 'text/plain' }
  const sent = { method: 'PUT', headers, body: secret }
  const reply = await fetch((await scene.listen()) + pathname + search, sent)
  expect(reply.status).toBe(200)
}

/** Names the tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const session = await scene.app.services.database.connect()
  const tables = await readTables(session).finally(() => session.end())
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } =
      await sql`select from ${sql.table(name)} t where t::text like ${`%${text}%`} limit 1`.execute(
        db(),
      )
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function issueTexts() {
  const { rows } = await sql<{
    message: string
    grouped_data: { message: { raw: string } }
  }>`
    select message, grouped_data from issue where bot_id = ${scene.botId}`.execute(db())
  expect(rows.map(({ grouped_data: { message } }) => message.raw)).toEqual(
    rows.map(({ message }) => message),
  )
  return rows.map(({ message }) => message)
}

const erased = (id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await platform('GET', `/erasures/${id}`)
      expect(body.erasure.state, JSON.stringify(body)).toBe('done')
      return body.erasure as Required<Erasure>
    },
    { timeout: 20_000, interval: 100 },
  )

test('every table with ids of people is erased or explicitly left out', async () => {
  const session = await scene.app.services.database.connect()
  const tables = await readTables(session).finally(() => session.end())
  expect(findUndecided(tables, tableRules)).toEqual([])
  const added = { name: 'visit', columns: [{ name: 'user_id' }] }
  expect(findUndecided([...tables, added], tableRules)).toEqual(['visit'])
})

test('counts, exports and erases everything of a person, and nothing of another', async () => {
  const { ana, ben, own, group, tableId } = await createPeople()
  const counted = await platform('GET', `/users/${ana}/personal-data`)
  expect(counted.status, JSON.stringify(counted.body)).toBe(200)
  expect(counted.body).toMatchObject({
    backups: [],
    counts: {
      users: 1,
      conversations: 1,
      messages: 4,
      states: 2,
      files: 2,
      tableRows: 1,
      traces: 1,
      actionRuns: 1,
      logs: 3,
      observations: 1,
      modelCalls: 1,
      issueEvents: 2,
      issues: 1,
      rateCounters: 1,
      notifications: 1,
      webhookRequests: 1,
      deadLetters: 1,
      deliveryAttempts: 1,
      feedback: 1,
      notes: 1,
      scheduledMessages: 1,
      workflows: 1,
      recordings: 3,
    },
  })

  const exported = await openExport(ana)
  expect(exported.names).toEqual(
    expect.arrayContaining([
      'export.json',
      'messages.jsonl',
      'tableRows.jsonl',
      'logs.jsonl',
    ]),
  )
  const kindsInside = exported.names.filter((name) => name.endsWith('.jsonl'))
  for (const name of kindsInside) expect(exported.text).toContain(`${name}: `)
  expect(exported.lines('messages')).toHaveLength(4)
  expect(exported.lines('tableRows')[0]).toMatchObject({
    data: { customer: ana, note: secret },
  })
  expect(
    exported
      .lines('participations')
      .map(({ conversationId }) => conversationId)
      .sort(),
  ).toEqual([own, group].sort())
  expect(exported.names.filter((name) => name.startsWith('contents/'))).toHaveLength(2)
  expect(exported.lines('recordings')).toHaveLength(3)
  expect(exported.text).not.toContain(kept)

  const started = await platform('POST', `/users/${ana}/erasures`)
  expect(started.status, JSON.stringify(started.body)).toBe(201)
  const { receipt, counts } = await erased(started.body.erasure.id)
  expect(counts).toEqual(counted.body.counts)
  expect(await tablesWith(secret)).toEqual([])
  expect(await recordedTexts()).toEqual([kept, kept])
  expect((await tablesWith(ana)).sort()).toEqual(['audit_record', 'erasure'])
  const transcript = await platform('GET', `/conversations/${group}/transcript`)
  expect(
    transcript.body.messages.map(({ author }: { author: { id: string } }) => author.id),
  ).toEqual([ben])
  const conversation = await scene.call('GET', `/v1/chat/conversations/${group}`, {
    headers: scene.asBot,
  })
  expect(conversation.status).toBe(200)
  const { rows } = await sql<{ data: object }>`select data from table_row
    where bot_table_id = ${tableId}`.execute(db())
  expect(rows).toHaveLength(1)
  expect(await issueTexts()).toEqual([`${kept} <n>`])
  expect(await tablesWith(kept)).toEqual(
    expect.arrayContaining(['bot_log', 'message', 'table_row', 'user']),
  )

  expect(receipt).toMatchObject({
    botId: scene.botId,
    userId: ana,
    requestedBy: scene.accountId,
    counts,
    backups: [],
  })
  expect(JSON.stringify(receipt)).not.toContain(secret)
  const verify = async (value: object) =>
    (await platform('POST', '/erasure-receipts/verify', { receipt: value }, scene.admin))
      .body
  expect(await verify(receipt)).toMatchObject({ isValid: true })
  expect(
    await verify(Object.fromEntries(Object.entries(receipt).reverse())),
  ).toMatchObject({
    isValid: true,
  })
  expect(await verify({ ...receipt, userId: ben })).toMatchObject({
    isValid: false,
    reason: 'MODIFIED',
  })
  expect(await verify({})).toEqual({ isValid: false, reason: 'MALFORMED' })
  expect((await platform('GET', `/users/${ana}/personal-data`)).status).toBe(404)
}, 60_000)

test('erases files of the inbox that only messages to the person name', async () => {
  const { ana, own, group } = await createPeople()
  const send = async (name: string, conversationIds: string[], headers = scene.asBot) => {
    const { body } = await scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: {
        key: `inbox/01J0/${name}`,
        size: secret.length,
        contentType: 'text/plain',
        accessPolicies: ['public_content'],
      },
    })
    await upload(body.file.uploadUrl)
    const userId = headers === scene.asBot ? scene.botId : ana
    for (const conversationId of conversationIds)
      await chat(
        '/v1/chat/messages',
        {
          conversationId,
          userId,
          type: 'text',
          tags: {},
          payload: { type: 'text', text: `See ${body.file.url}.` },
        },
        headers,
      )
    return body.file.id
  }
  const ofAna = await send('ana.txt', [own])
  const others = [
    await send('both.txt', [own, group]),
    await send('other.txt', [group]),
    await send('unsent.txt', []),
    // a person can name any file
    await send('named.txt', [own], scene.asTg),
  ]
  const { body } = await platform('POST', `/users/${ana}/erasures`)
  const { counts } = await erased(body.erasure.id)
  expect(counts.files).toBe(3)
  const { rows } = await sql<{
    id: string
  }>`select id from file where key like 'inbox/01J0/%'`.execute(db())
  expect(rows.map(({ id }) => id).sort()).toEqual(others.sort())
  expect(rows).not.toContainEqual({ id: ofAna })
}, 60_000)

test('erases by a receipt what a restored backup brought back', async () => {
  const { ana } = await createPeople()
  const { body } = await platform('POST', `/users/${ana}/erasures`)
  const { receipt } = await erased(body.erasure.id)
  await sql`insert into bot_log (bot_id, level, message, user_id)
    values (${scene.botId}, 'info', ${secret}, ${ana})`.execute(db())
  const again = await platform('POST', '/erasures', { receipt })
  expect(again.status).toBe(201)
  expect((await erased(again.body.erasure.id)).counts).toEqual({ logs: 1 })
  const forged = await platform('POST', '/erasures', {
    receipt: { ...receipt, userId: scene.botId },
  })
  expect(forged).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } })
}, 60_000)

test('continues after a batch, and erases what arrives meanwhile', async () => {
  const { ana, group } = await createPeople()
  const { db: pool } = scene.app.services
  const person = {
    botId: scene.botId,
    userId: ana,
    shownId: ana,
    integration: 'tg',
    conversations: [],
    events: [],
    until: new Date(),
  }
  const messages = listPersonSteps(tableRules).find(({ kind }) => kind === 'messages')!
  // As a server that was killed in the middle of a pass would leave it.
  const { next } = await eraseBatch(pool, person, messages, '')
  expect(next).toBe('walk:')
  await eraseBatch(pool, person, messages, next!)
  const { body } = await platform('POST', `/users/${ana}/erasures`)
  await sql`insert into bot_log (bot_id, level, message, conversation_id, user_id)
    values (${scene.botId}, 'info', ${secret}, ${group}, ${ana})`.execute(db())
  const writers = writeUntilErased(ana, group)
  await erased(body.erasure.id)
  expect(await writers).toEqual({ messages: 400, states: 400 })
  expect(await tablesWith(secret)).toEqual([])
}, 60_000)

/** Writes messages and states of Ana until the server rejects both. Returns the last statuses. */
async function writeUntilErased(ana: string, group: string) {
  const [headers, text] = [scene.asTg, secret]
  const message = {
    conversationId: group,
    userId: ana,
    type: 'text',
    tags: {},
    payload: { text },
  }
  const state = { payload: { text }, expiry: null }
  const writers = {
    messages: () => scene.call('POST', '/v1/chat/messages', { headers, body: message }),
    states: () =>
      scene.call('POST', `/v1/chat/states/user/${ana}/later`, {
        headers: scene.asBot,
        body: state,
      }),
  }
  const untilRejected = async (write: () => Promise<{ status: number }>) => {
    for (;;) {
      const { status } = await write()
      if (status >= 300) return status
    }
  }
  const [messages, states] = await Promise.all([
    untilRejected(writers.messages),
    untilRejected(writers.states),
  ])
  return { messages, states }
}

test('rejects viewers, integrations, the user of the bot and users of other bots', async () => {
  const ana = await createUser(secret)
  const paths = [
    `/users/${ana}/personal-data`,
    `/users/${ana}/personal-data/export`,
    '/erasures',
  ]
  for (const headers of [asViewer, scene.asTg]) {
    for (const path of paths)
      expect((await platform('GET', path, undefined, headers)).status, path).toBe(403)
    expect((await platform('POST', `/users/${ana}/erasures`, {}, headers)).status).toBe(
      403,
    )
  }
  const elsewhere = { ...scene.asBot, 'x-bot-id': scene.strangerBotId }
  for (const path of paths.slice(0, 2))
    expect((await platform('GET', path, undefined, elsewhere)).status, path).toBe(404)
  expect((await platform('POST', `/users/${ana}/erasures`, {}, elsewhere)).status).toBe(
    404,
  )
  expect((await platform('POST', `/users/${scene.botId}/erasures`)).status).toBe(403)
})

/** Unpacks an export with the system's tar. */
async function openExport(userId: string) {
  const path = `/v1/platform/users/${userId}/personal-data/export`
  const reply = await fetch((await scene.listen()) + path, { headers: scene.asBot })
  expect(reply.status).toBe(200)
  const folder = await mkdtemp(join(tmpdir(), 'botstead-export-'))
  try {
    await writeFile(
      join(folder, 'export.tar.gz'),
      new Uint8Array(await reply.arrayBuffer()),
    )
    const run = promisify(execFile)
    const { stdout } = await run('tar', ['xvzf', 'export.tar.gz'], { cwd: folder })
    const names = stdout.trim().split('\n')
    const texts = new Map<string, string>()
    for (const name of names) texts.set(name, await readFile(join(folder, name), 'utf8'))
    return {
      names,
      text: [...texts.values()].join('\n'),
      lines: (kind: string): Record<string, unknown>[] =>
        texts
          .get(`${kind}.jsonl`)!
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
