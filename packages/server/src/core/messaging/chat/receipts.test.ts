// Receipts of messages that people write in place of a bot, and changes of these messages for every
// client of the chat.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { openSseReader, type SseReader } from '../../../../test/support/sse-reader.ts'
import type { Change } from '../../realtime/change.ts'

let scene: Scene
let url: string
let chat: string
let user: { id: string; headers: Record<string, string> }
let stranger: typeof user
let conversationId: string
let handoff: string
/** Notes for pages. */
const notes: Change[] = []

beforeAll(async () => {
  scene = await openScene()
  url = await scene.listen()
  chat = `/chat/${scene.webhookId}`
  user = await scene.chatUser({ name: 'Ana' })
  stranger = await scene.chatUser({ name: 'Bo' })
  conversationId = (await ask('POST', '/conversations', {})).body.conversation.id
  const body = { conversationId, assign: true }
  handoff = (await platform('POST', '/handoffs', body)).body.handoff.id
  const { changeFeed } = scene.app.services
  const publish = changeFeed.publish.bind(changeFeed)
  vi.spyOn(changeFeed, 'publish').mockImplementation((change) => {
    notes.push(change)
    publish(change)
  })
}, 60_000)
afterAll(() => scene?.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, path: string, body?: object, { headers } = user) =>
  scene.call(method, `${chat}${path}`, { headers, ...(body && { body }) })
const platform = (method: Method, path: string, body?: object) =>
  scene.call(method, `/v1/platform${path}`, {
    headers: scene.asBot,
    ...(body && { body }),
  })
const answer = async (text: string) => {
  const body = { type: 'text', payload: { text } }
  return (await platform('POST', `/handoffs/${handoff}/messages`, body)).body.message
}
const say = async (text: string) =>
  (await ask('POST', '/messages', { conversationId, payload: { type: 'text', text } }))
    .body.message
const receipts = () => `/conversations/${conversationId}/receipts`
const report = (messageId: string, isRead: boolean, by = user) =>
  ask('PUT', receipts(), { messageId, isRead }, by)
const findUser = async () =>
  (await platform('GET', `/handoffs/${handoff}`)).body.handoff.user
const noted = () => notes.splice(0).filter(({ topic }) => topic === 'receipts')

test('positions of a user move forward only, and pages learn of each change once', async () => {
  const [first, second] = [await answer('one'), await answer('two')]
  expect(await findUser()).toEqual({ id: user.id, name: 'Ana' })
  noted()
  expect((await report(first.id, false)).status).toBe(200)
  expect(await findUser()).toMatchObject({ deliveredUntil: first.createdAt })
  await report(second.id, true)
  const done = { deliveredUntil: second.createdAt, readUntil: second.createdAt }
  expect(await findUser()).toMatchObject(done)
  expect(noted()).toEqual(
    Array(2).fill({ topic: 'receipts', botId: scene.botId, conversationId }),
  )
  for (const again of [first, second]) {
    await report(again.id, true)
    await report(again.id, false)
  }
  expect(noted()).toEqual([])
  expect(await findUser()).toMatchObject(done)
  const { body } = await ask('GET', receipts())
  expect(body).toEqual({
    own: done,
    person: { isHandedOver: true, assignee: { name: 'Owner' } },
  })
})

test('the user sees the name of the member who answers', async () => {
  const reader = await listen()
  const webchat = await listen(`/webchat/${scene.webhookId}`)
  const assign = (from: string | null, to: string | null) =>
    platform('POST', `/handoffs/${handoff}/assign`, { from, to })
  const person = async () => (await ask('GET', receipts())).body.person
  await assign(scene.accountId, null)
  expect(await person()).not.toHaveProperty('assignee')
  await scene.app.services.db
    .updateTable('account')
    .set({ name: 'Grace' })
    .where('id', '=', scene.accountId)
    .execute()
  await assign(null, scene.accountId)
  expect((await person()).assignee).toEqual({ name: 'Grace' })
  const end = await say('end')
  await vi.waitFor(() => expect(getIds(reader)).toContain(end.id))
  expect(reader.frames.filter(({ type }) => type === 'handoff_assigned')).toMatchObject([
    { data: { conversationId } },
    { data: { conversationId, assignee: { name: 'Grace' } } },
  ])
  // The official webchat knows no such signal.
  await vi.waitFor(() => expect(JSON.stringify(webchat.frames)).toContain(end.id))
  expect(JSON.stringify(webchat.frames)).not.toMatch(/handoff|Grace/)
  for (const one of [reader, webchat]) one.cut()
})

test('only participants report, and only messages of the conversation', async () => {
  const { id } = await answer('mine')
  expect((await report(id, true, stranger)).body.type).toBe('Forbidden')
  const read = await ask('GET', receipts(), undefined, stranger)
  expect(read.body.type).toBe('Forbidden')
  const other = (await ask('POST', '/conversations', {}, stranger)).body.conversation.id
  const elsewhere = { conversationId: other, payload: { type: 'text', text: 'x' } }
  const { message } = (await ask('POST', '/messages', elsewhere, stranger)).body
  for (const unknown of [message.id, 'msg_unknown', '__proto__'])
    expect((await report(unknown, true)).body.type, unknown).toBe('ResourceNotFound')
  expect((await findUser()).readUntil < (await answer('later')).createdAt).toBe(true)
})

test('the user learns how far a person has read', async () => {
  const [first, second] = [await say('hello'), await say('there')]
  const reader = await listen()
  const read = (messageId: string) =>
    platform('POST', `/handoffs/${handoff}/read`, { messageId })
  expect((await read(second.id)).body).toEqual({})
  await read(first.id)
  await read(second.id)
  const end = await say('end')
  await vi.waitFor(() => expect(getIds(reader)).toContain(end.id))
  const readUntil = second.createdAt
  expect(reader.frames.filter(({ type }) => type === 'messages_read')).toMatchObject([
    { data: { conversationId, readUntil } },
  ])
  reader.cut()
  const { body } = await ask('GET', receipts())
  expect(body.person).toEqual({
    readUntil,
    isHandedOver: true,
    assignee: { name: 'Grace' },
  })
  expect((await read('msg_unknown')).body.type).toBe('ResourceNotFound')
  await platform('POST', `/handoffs/${handoff}/assign`, {
    from: scene.accountId,
    to: null,
  })
  expect((await read(end.id)).body.type).toBe('ResourceLockedConflict')
  await platform('POST', `/handoffs/${handoff}/assign`, {
    from: null,
    to: scene.accountId,
  })
})

async function listen(base = chat): Promise<SseReader> {
  const address = `${url}${base}/conversations/${conversationId}/listen`
  const reader = openSseReader(() => address, user.headers['x-user-key']!)
  await reader.open()
  return reader
}
const getIds = ({ frames }: SseReader) =>
  frames.map(({ data }) => (data as { id?: string })?.id)

test('every listener and every page learns of edited and deleted messages', async () => {
  const { id } = await answer('Helo')
  const sse = await listen()
  const address = `${url.replace('http', 'ws')}${chat}/conversations/${conversationId}/listen`
  const socket = new WebSocket(`${address}?x-user-key=${user.headers['x-user-key']}`)
  const overSocket: string[] = []
  socket.on('message', (frame) => void overSocket.push(String(frame)))
  await new Promise((resolve) => socket.once('open', resolve))
  notes.length = 0
  const runtime = (method: Method, path: string, body?: object) =>
    scene.call(method, `/v1/chat/messages${path}`, {
      headers: scene.asBot,
      ...(body && { body }),
    })
  await runtime('PUT', `/${id}`, { payload: { text: 'Hello' } })
  expect(notes).toContainEqual(expect.objectContaining({ topic: 'messages', id }))
  const tags = { ticket: '7' }
  const found = { conversationId, userId: scene.botId, type: 'text', tags }
  const made = await runtime('POST', '', { ...found, payload: { text: 'A' } })
  await runtime('POST', '/get-or-create', {
    ...found,
    payload: { text: 'B' },
    discriminateByTags: ['ticket'],
  })
  await runtime('DELETE', `/${id}`)
  const own = await say('mistake')
  notes.length = 0
  await ask('DELETE', `/messages/${own.id}`)
  expect(notes).toContainEqual(expect.objectContaining({ topic: 'messages', id: own.id }))
  const expected = [
    ['message_updated', id],
    ['message_updated', made.body.message.id],
    ['message_deleted', id],
    ['message_deleted', own.id],
  ]
  const changes = (signals: { type: string; data: unknown }[]) =>
    signals
      .filter(({ type }) => type === 'message_updated' || type === 'message_deleted')
      .map(({ type, data }) => [type, (data as { id: string }).id])
  await vi.waitFor(() => {
    expect(changes(sse.frames)).toEqual(expected)
    const signals = overSocket.filter((frame) => frame !== 'ping')
    expect(changes(signals.map((frame) => JSON.parse(frame)))).toEqual(expected)
  })
  socket.close()
  sse.cut()
})

test('the user learns that a person has returned the conversation', async () => {
  const reader = await listen()
  expect((await ask('GET', receipts())).body.person.isHandedOver).toBe(true)
  await answer('Bye')
  const { body } = await platform('POST', `/handoffs/${handoff}/close`, {
    outcome: 'returned',
  })
  const { closedAt } = body.handoff
  const end = await say('and now?')
  await vi.waitFor(() => expect(getIds(reader)).toContain(end.id))
  expect(reader.frames.filter(({ type }) => type === 'handoff_closed')).toMatchObject([
    { data: { conversationId, closedAt } },
  ])
  reader.cut()
  const returnedAt = (await ask('GET', receipts())).body.person.returnedAt
  expect(returnedAt).toEqual([closedAt])
  expect(closedAt < end.createdAt).toBe(true)
})

test('the user learns when a handoff opens, and when it closes without an answer', async () => {
  const reader = await listen()
  expect((await ask('GET', receipts())).body.person.isHandedOver).toBe(false)
  const { body } = await platform('POST', '/handoffs', { conversationId })
  const { id, requestedAt } = body.handoff
  expect((await ask('GET', receipts())).body.person.isHandedOver).toBe(true)
  // Another request for the same conversation opens no further handoff.
  await platform('POST', '/handoffs', { conversationId })
  await platform('POST', `/handoffs/${id}/close`, { outcome: 'returned' })
  const end = await say('still there?')
  await vi.waitFor(() => expect(getIds(reader)).toContain(end.id))
  const changes = reader.frames.filter(({ type }) => type.startsWith('handoff_'))
  expect(changes).toMatchObject([
    { type: 'handoff_opened', data: { conversationId, openedAt: requestedAt } },
    { type: 'handoff_closed', data: { conversationId } },
  ])
  expect((await ask('GET', receipts())).body.person).toMatchObject({
    isHandedOver: false,
  })
  reader.cut()
})
