// Transcripts and exports of a long conversation with written and imported messages: every page in
// both directions, pages around a message, and files that are written as fast as they are read.
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { TranscriptMessage } from '@botstead/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { newId } from '../../../core/lib/ids.ts'

const written = 20_000
/** Imported before the first message, at the time of one, and between two. */
const importedTimes = [
  '2025-06-01T00:00:00Z',
  '2026-01-01T00:16:40Z',
  '2026-01-01T00:33:20.5Z',
]

let scene: RuntimeScene
let conversationId: string
let userId: string
/** Ids in order. */
let ids: string[]

beforeAll(async () => {
  scene = await openRuntimeScene()
  const made = async (url: string, body: object) =>
    (await scene.call('POST', url, { headers: scene.asTg, body })).body
  userId = (await made('/v1/chat/users', { name: 'Ana', tags: {} })).user.id
  conversationId = (await made('/v1/chat/conversations', { channel: 'dm', tags: {} }))
    .conversation.id
  const { db } = scene.app.services
  await sql`insert into participant (bot_id, conversation_id, user_id)
    values (${scene.botId}, ${conversationId}, ${userId})`.execute(db)
  const insert = (numbers: ReturnType<typeof sql>) =>
    sql`
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
      created_at, updated_at)
    select ${scene.botId}, 'msg_' || lpad(i::text, 26, '0'), ${conversationId},
      case when i % 2 = 0 then ${scene.botId} else ${userId} end, number, 'incoming', 'text',
      jsonb_build_object('text', 'Message ' || i), at, at from ${numbers}`.execute(db)
  await insert(sql`(select i, i as number, timestamptz '2026-01-01' + i * interval '1 second' as at
    from generate_series(1, ${written}) i) n`)
  await insert(sql`(select 900000 + ord as i, -ord as number, at
    from unnest(${importedTimes}::timestamptz[]) with ordinality as given (at, ord)) n`)
  await sql`update conversation set last_number = ${written}, first_number = -3,
    message_count = ${written + 3} where id = ${conversationId}`.execute(db)
  const { rows } = await sql<{ id: string }>`select id from message
    where conversation_id = ${conversationId} order by created_at, number`.execute(db)
  ids = rows.map(({ id }) => id)
}, 60_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

const get = (path: string, headers = scene.asBot) =>
  scene.call('GET', `/v1/platform/conversations/${path}`, { headers })

async function read(query = ''): Promise<{
  messages: TranscriptMessage[]
  meta: { older?: string; newer?: string }
}> {
  const { status, body } = await get(`${conversationId}/transcript?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const getIds = ({ messages }: { messages: TranscriptMessage[] }) =>
  messages.map(({ message }) => message.id)

test('begins with the last page, and names the authors', async () => {
  const page = await read('pageSize=3')
  expect(getIds(page)).toEqual(ids.slice(-3))
  expect(page.messages.map(({ author }) => author)).toMatchObject([
    { id: scene.botId, isBot: true },
    { id: userId, isBot: false, name: 'Ana', integration: 'tg' },
    { id: scene.botId, isBot: true },
  ])
})

/** Of the last message, which its integration could not send. */
async function addDeadLetter() {
  const messageId = ids.at(-1)!
  await sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, conversation_id, dead_at,
      last_error)
    values (${scene.botId}, ${conversationId}, 900, ${newId('delivery')}, 'message', ${messageId},
      ${conversationId}, now(), 'No reply')`.execute(scene.app.services.db)
  return { messageId }
}

test('returns the lists beside it as their operations do', async () => {
  await scene.call('POST', `/v1/platform/conversations/${conversationId}/notes`, {
    headers: scene.asBot,
    body: { text: 'Calls back' },
  })
  await scene.call('POST', '/v1/platform/handoffs', {
    headers: scene.asBot,
    body: { conversationId },
  })
  const list = async (url: string) =>
    (await scene.call('GET', url, { headers: scene.asBot })).body
  const { messageId } = await addDeadLetter()
  const { body } = await get(`${conversationId}/transcript?details=true&pageSize=1`)
  expect(body.details).toEqual({
    participants: await list(`/v1/chat/conversations/${conversationId}/participants`),
    feedback: await list(`/v1/platform/feedback?conversationId=${conversationId}`),
    deadLetters: await list(`/v1/platform/dead-letters?conversationId=${conversationId}`),
    failedEvents: await list(
      `/v1/chat/events?conversationId=${conversationId}&status=failed`,
    ),
    notes: await list(`/v1/platform/conversations/${conversationId}/notes`),
    openHandoffs: 1,
    lastUserMessage: (await read('pageSize=1')).messages[0]!.message,
    memberIds: [],
  })
  expect(body.details.participants.participants).toHaveLength(1)
  expect(body.details.deadLetters.deadLetters).toMatchObject([
    { messageId, reason: 'No reply' },
  ])
  expect(body.details.notes.notes).toMatchObject([{ text: 'Calls back' }])
  expect(await read('pageSize=1')).not.toHaveProperty('details')
})

test('returns every message in both directions', async () => {
  let page = await read('from=start&pageSize=100')
  const up: string[] = []
  for (
    ;
    page.messages.length > 0;
    page = await read(`pageSize=100&nextToken=${page.meta.newer}`)
  )
    up.push(...getIds(page))
  expect(up).toEqual(ids)
  page = await read('pageSize=100')
  const down = getIds(page)
  while (page.meta.older) {
    page = await read(`pageSize=100&nextToken=${page.meta.older}`)
    down.unshift(...getIds(page))
  }
  expect(down).toEqual(ids)
}, 60_000)

test('returns the page around any message, and continues in both directions', async () => {
  const imported = ids
    .map((id, at) => (id.includes('90000') ? at : -1))
    .filter((at) => at >= 0)
  const places = [
    0,
    1,
    written,
    written + 2,
    ...imported,
    ...imported.map((at) => at + 1),
    12_345,
  ]
  for (const at of places) {
    const page = await read(`around=${ids[at]}&pageSize=4`)
    expect([at, getIds(page)]).toEqual([at, ids.slice(Math.max(0, at - 2), at + 2)])
    const { older, newer } = page.meta
    if (older) {
      const before = await read(`nextToken=${older}&pageSize=3`)
      expect([at, getIds(before)]).toEqual([at, ids.slice(Math.max(0, at - 5), at - 2)])
    } else expect(at).toBeLessThanOrEqual(2)
    const after = await read(`nextToken=${newer}&pageSize=3`)
    expect([at, getIds(after)]).toEqual([at, ids.slice(at + 2, at + 5)])
  }
  expect(getIds(await read(`around=${ids[5]}&pageSize=1`))).toEqual([ids[5]])
})

test('finds later messages by the token of the last page', async () => {
  const { body } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'dm', tags: {} },
  })
  const { id } = body.conversation
  const say = (text: string) =>
    scene.call('POST', '/v1/chat/messages', {
      headers: scene.asTg,
      body: { conversationId: id, userId, type: 'text', payload: { text }, tags: {} },
    })
  const follow = async (token: string) =>
    (await get(`${id}/transcript${token && `?nextToken=${token}`}`)).body
  expect(await follow('')).toEqual({ messages: [], meta: {} })
  await say('one')
  const first = await follow('')
  const none = await follow(first.meta.newer)
  expect([first.messages.length, none.messages]).toEqual([1, []])
  await say('two')
  expect((await follow(none.meta.newer)).messages).toMatchObject([
    { message: { payload: { text: 'two' } } },
  ])
})

test('rejects messages and tokens of other conversations, and integrations', async () => {
  const { body } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'dm', tags: {} },
  })
  const other = body.conversation.id
  const findStatus = async (path: string, headers = scene.asBot) =>
    (await get(path, headers)).status
  expect(await findStatus(`${other}/transcript?around=${ids[0]}`)).toBe(404)
  expect(
    await findStatus(`${conversationId}/transcript?around=${newId('message')}`),
  ).toBe(404)
  expect(
    await findStatus(`${other}/transcript?nextToken=${(await read()).meta.older}`),
  ).toBe(400)
  for (const path of ['transcript', 'export', 'export?format=text']) {
    expect(await findStatus(`${conversationId}/${path}`, scene.asTg)).toBe(403)
    const elsewhere = scene.headersOf('strangers bot')
    expect(await findStatus(`${conversationId}/${path}`, elsewhere)).toBe(404)
  }
  expect(await findStatus(`${conversationId}/export?format=xml`)).toBe(400)
})

/** Over a socket: exports are streams. */
async function download(id: string, format: string): Promise<string> {
  const url = `${await scene.listen()}/v1/platform/conversations/${id}/export?format=${format}`
  return (await fetch(url, { headers: scene.asBot })).text()
}

test('exports a complete JSON file', async () => {
  const { conversation, participants, messages } = JSON.parse(
    await download(conversationId, 'json'),
  )
  expect(conversation).toMatchObject({ id: conversationId, messageCount: written + 3 })
  expect(participants).toMatchObject([{ id: userId, name: 'Ana' }])
  expect(getIds({ messages })).toEqual(ids)
  expect(messages[10]).toEqual(
    (await read(`around=${ids[10]}`)).messages.find(
      ({ message }) => message.id === ids[10],
    ),
  )
})

test('exports text in which no message imitates another', async () => {
  const { body } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'dm', tags: {} },
  })
  const { id } = body.conversation
  const forged =
    'yes\r\n2026-01-01T00:00:00.000Z  Bot: forged\u2028next\u001b[2J\u202etxt'
  for (const [type, payload] of [
    ['text', { text: forged }],
    ['image', { imageUrl: 'https://example.org/a.png' }],
  ] as const)
    await scene.call('POST', '/v1/chat/messages', {
      headers: scene.asTg,
      body: { conversationId: id, userId, type, payload, tags: {} },
    })
  const text = await download(id, 'text')
  expect(text.replaceAll(/\d{4}-\S+Z(?= {2}Ana)/g, '<time>').split('\n')).toEqual([
    `Conversation ${id} (tg, dm), 2 messages`,
    '',
    '<time>  Ana: yes',
    '    2026-01-01T00:00:00.000Z  Bot: forged',
    '    next�[2J�txt',
    '<time>  Ana: [image] {"imageUrl":"https://example.org/a.png"}',
    '',
  ])
})

test('reads no further than its reader', async () => {
  const url = await scene.listen()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const call = request(`${url}/v1/platform/conversations/${conversationId}/export`, {
    headers: scene.asBot,
  })
  const response = await new Promise<IncomingMessage>((resolve) =>
    call.on('response', resolve).end(),
  )
  expect(response.headers['content-disposition']).toContain(`${conversationId}.json`)
  response.pause()
  await pause(1_000)
  const pages = query.mock.calls.filter(([statement]) =>
    String((statement as { text?: string }).text).includes('author_name'),
  )
  call.destroy()
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.length).toBeLessThan(30)
})
