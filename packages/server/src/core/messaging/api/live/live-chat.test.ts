// Typing indicators and feedback: the operations of chats beside the external contract.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '@botpress/chat'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { openScene, type Scene } from '../../../../../test/support/scene.ts'
import { openSseReader, type SseReader } from '../../../../../test/support/sse-reader.ts'

let scene: Scene
let apiUrl: string
let chat: string
let ana: { id: string; headers: Record<string, string> }
let bob: { id: string; headers: Record<string, string> }
let conversationId: string

beforeAll(async () => {
  scene = await openScene()
  apiUrl = await scene.listen()
  chat = `/chat/${scene.webhookId}`
  ;[ana, bob] = [await scene.chatUser(), await scene.chatUser()]
})
afterAll(() => scene?.close())
beforeEach(async () => {
  const made = await onChat('POST', '/conversations', {})
  conversationId = made.body.conversation.id
})

const onChat = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  { headers } = ana,
) => scene.call(method, chat + path, { headers, ...(body !== undefined && { body }) })
const onPlatform = (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers = scene.asBot,
) =>
  scene.call(method, `/v1/platform/${path}`, {
    headers,
    ...(body !== undefined && { body }),
  })

async function listen(base = chat, query = ''): Promise<SseReader> {
  const url = `${apiUrl}${base}/conversations/${conversationId}/listen${query}`
  const reader = openSseReader(() => url, ana.headers['x-user-key']!)
  await reader.open()
  return reader
}
async function sendAsBot(text: string): Promise<string> {
  const { body } = await scene.call('POST', '/v1/chat/messages', {
    headers: scene.asBot,
    body: {
      conversationId,
      userId: scene.botId,
      type: 'text',
      payload: { text },
      tags: {},
    },
  })
  return body.message.id
}
const received = ({ frames }: SseReader) =>
  frames.map(({ id, type, data }) => ({ id, type, data }))

describe('typing', () => {
  const byAna = () => ({ conversationId, userId: ana.id, isBot: false })
  const byBot = () => ({ conversationId, userId: scene.botId, isBot: true })

  test('of a user and of the bot reaches listeners, and is not stored', async () => {
    const reader = await listen()
    const path = `/conversations/${conversationId}/typing`
    expect(await onChat('POST', path, { isTyping: true })).toEqual({
      status: 200,
      body: {},
    })
    await onChat('POST', path, { isTyping: false })
    await onPlatform('POST', path.slice(1), { isTyping: true, timeout: 5_000 })
    await onPlatform('POST', path.slice(1), { isTyping: false })
    await scene.call('POST', '/v1/chat/actions', {
      headers: scene.asBot,
      body: { type: 'chat:startTypingIndicator', input: { conversationId } },
    })
    const expected = [
      { id: null, type: 'typing_started', data: { ...byAna(), timeout: 30_000 } },
      { id: null, type: 'typing_stopped', data: byAna() },
      { id: null, type: 'typing_started', data: { ...byBot(), timeout: 5_000 } },
      { id: null, type: 'typing_stopped', data: byBot() },
      { id: null, type: 'typing_started', data: { ...byBot(), timeout: 30_000 } },
    ]
    await vi.waitFor(() => expect(received(reader)).toEqual(expected))
    const later = await listen()
    await pause(200)
    expect(later.frames).toEqual([])
  })

  test('of the bot reaches a webchat, in its own form; that of users does not', async () => {
    const reader = await listen(`/webchat/${scene.webhookId}`)
    const path = `conversations/${conversationId}/typing`
    await onChat('POST', `/${path}`, { isTyping: true })
    await onPlatform('POST', path, { isTyping: true })
    await onPlatform('POST', path, { isTyping: false })
    await vi.waitFor(() =>
      expect(received(reader)).toEqual([
        { id: null, type: 'typing_started', data: {} },
        { id: null, type: 'typing_stopped', data: {} },
      ]),
    )
  })

  test('of the bot ends in a webchat when a person has the conversation', async () => {
    const reader = await listen(`/webchat/${scene.webhookId}`)
    await onPlatform('POST', `conversations/${conversationId}/typing`, { isTyping: true })
    await onPlatform('POST', 'handoffs', { conversationId })
    await vi.waitFor(() =>
      expect(received(reader)).toEqual([
        { id: null, type: 'typing_started', data: {} },
        { id: null, type: 'typing_stopped', data: {} },
      ]),
    )
  })

  test('reaches WebSockets', async () => {
    const url = `${apiUrl.replace('http', 'ws')}${chat}/conversations/${conversationId}/listen`
    const socket = new WebSocket(`${url}?x-user-key=${ana.headers['x-user-key']}`)
    const frames: string[] = []
    socket.on('message', (frame) => void frames.push(String(frame)))
    await once(socket, 'open')
    await onPlatform('POST', `conversations/${conversationId}/typing`, {
      isTyping: false,
    })
    const signal = { type: 'typing_stopped', data: byBot() }
    await vi.waitFor(() =>
      expect(frames.map((frame) => JSON.parse(frame))).toEqual([signal]),
    )
    socket.close()
  })

  test('does no harm to the official client', async () => {
    const client = await Client.connect({ apiUrl: apiUrl + chat })
    const made = await client.createConversation({})
    conversationId = made.conversation.id
    const listener = await client.listenConversation({ id: conversationId })
    const [unknown, texts]: unknown[][] = [[], []]
    listener.on('unknown', (signal) => void unknown!.push(signal))
    listener.on('message_created', ({ payload }) => void texts!.push(payload))
    await pause(100)
    await onPlatform('POST', `conversations/${conversationId}/typing`, { isTyping: true })
    await sendAsBot('after typing')
    await vi.waitFor(() =>
      expect(texts).toEqual([{ type: 'text', text: 'after typing' }]),
    )
    expect(unknown).toEqual([expect.stringContaining('"typing_started"')])
    await listener.disconnect()
  })

  test('is rejected outside of a conversation of the caller', async () => {
    const path = `/conversations/${conversationId}/typing`
    expect((await onChat('POST', path, { isTyping: true }, bob)).status).toBe(403)
    expect((await onChat('POST', path, { isTyping: 'yes' })).body.type).toBe(
      'InvalidPayload',
    )
    const unknown = await onPlatform('POST', 'conversations/conv_1/typing', {
      isTyping: true,
    })
    expect(unknown.body.type).toBe('ResourceNotFound')
  })
})

describe('feedback', () => {
  const rate = (messageId: string, body: unknown, by = ana) =>
    onChat('PUT', `/messages/${messageId}/feedback`, body, by)
  const list = async (query = '') =>
    (await onPlatform('GET', `feedback?${query}`)).body.feedback
  const own = async (by = ana) =>
    (await onChat('GET', `/conversations/${conversationId}/feedback`, undefined, by)).body
      .feedback

  test('is one object per message and author, which the author changes and deletes', async () => {
    const messageId = await sendAsBot('an answer')
    const { status, body } = await rate(messageId, {
      rating: 'negative',
      comment: 'Wrong price',
    })
    expect(status).toBe(200)
    expect(body.feedback).toEqual({
      id: expect.stringMatching(/^feedback_/),
      conversationId,
      messageId,
      userId: ana.id,
      rating: 'negative',
      comment: 'Wrong price',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await own()).toEqual([body.feedback])
    expect(await list(`messageId=${messageId}`)).toEqual([body.feedback])

    const changed = (await rate(messageId, { rating: 5 })).body.feedback
    expect(changed).toMatchObject({ id: body.feedback.id, rating: 5 })
    expect(changed).not.toHaveProperty('comment')
    expect((await onPlatform('GET', `feedback/${changed.id}`)).body).toEqual({
      feedback: changed,
    })
    expect(await onChat('DELETE', `/messages/${messageId}/feedback`)).toMatchObject({
      status: 200,
    })
    expect(await list(`messageId=${messageId}`)).toEqual([])
    expect(await onChat('DELETE', `/messages/${messageId}/feedback`)).toMatchObject({
      status: 200,
    })
    expect((await onPlatform('GET', `feedback/${changed.id}`)).status).toBe(404)
  })

  test('belongs to each participant', async () => {
    const messageId = await sendAsBot('for both')
    await onChat('POST', `/conversations/${conversationId}/participants`, {
      userId: bob.id,
    })
    await rate(messageId, { rating: 'positive' })
    await rate(messageId, { rating: 'negative' }, bob)
    const ratings = (await list(`conversationId=${conversationId}`)) as {
      rating: string
    }[]
    expect(ratings.map(({ rating }) => rating)).toEqual(['negative', 'positive'])
    expect(await own()).toMatchObject([{ userId: ana.id, rating: 'positive' }])
    await onChat('DELETE', `/messages/${messageId}/feedback`)
    expect(await own(bob)).toMatchObject([{ userId: bob.id, rating: 'negative' }])
  })

  test('is listed by conversation, user, rating and time, in pages', async () => {
    const ids: string[] = []
    for (const rating of ['positive', 'negative', 3]) {
      const messageId = await sendAsBot(`rated ${rating}`)
      ids.unshift((await rate(messageId, { rating })).body.feedback.id)
    }
    const at = `conversationId=${conversationId}`
    const listIds = async (query: string) =>
      ((await list(`${at}&${query}`)) as { id: string }[]).map(({ id }) => id)
    expect(await listIds('')).toEqual(ids)
    expect(await listIds('rating=3')).toEqual([ids[0]])
    expect(await listIds(`userId=${ana.id}&rating=positive`)).toEqual([ids[2]])
    expect(await listIds(`userId=${bob.id}`)).toEqual([])
    expect(await listIds('beforeDate=2020-01-01T00:00:00Z')).toEqual([])
    expect(await listIds('afterDate=2020-01-01T00:00:00Z')).toEqual(ids)
    const first = (await onPlatform('GET', `feedback?${at}&pageSize=2`)).body
    expect(first.feedback).toHaveLength(2)
    const next = encodeURIComponent(first.meta.nextToken)
    const second = (
      await onPlatform('GET', `feedback?${at}&pageSize=2&nextToken=${next}`)
    ).body
    expect(second.feedback.map(({ id }: { id: string }) => id)).toEqual([ids[2]])
    expect(second.meta).toEqual({})
    const other = await onPlatform('GET', `feedback?nextToken=${next}`)
    expect(other.body.type).toBe('InvalidQuery')
    expect((await onPlatform('GET', 'feedback?rating=6')).body.type).toBe('InvalidQuery')
  })

  test('of webchats writes the same objects, and tags', async () => {
    const messageId = await sendAsBot('in a webchat')
    const path = `/webchat/${scene.webhookId}/messages/${messageId}/feedback`
    const { headers } = ana
    await scene.call('PUT', path, {
      headers,
      body: { value: 'positive', comment: 'Thanks' },
    })
    expect(await list(`messageId=${messageId}`)).toMatchObject([
      { rating: 'positive', comment: 'Thanks', userId: ana.id },
    ])
    await rate(messageId, { rating: 'negative' })
    const shown = `/webchat/${scene.webhookId}/messages/${messageId}`
    expect((await scene.call('GET', shown, { headers })).body.message.feedback).toEqual({
      value: 'negative',
    })
    await scene.call('DELETE', path, { headers })
    expect(await list(`messageId=${messageId}`)).toEqual([])
  })

  test('is deleted with its message, its author and its conversation', async () => {
    const { services } = scene.app
    const count = async () =>
      (await services.db.selectFrom('message_feedback').select('id').execute()).length
    const before = await count()
    const carol = await scene.chatUser()
    await onChat('POST', `/conversations/${conversationId}/participants`, {
      userId: carol.id,
    })
    const [one, two] = [await sendAsBot('one'), await sendAsBot('two')]
    for (const [id, by] of [
      [one, ana],
      [one, carol],
      [two, ana],
    ] as const)
      await rate(id, { rating: 'positive' }, by)
    expect(await count()).toBe(before + 3)
    await onChat('DELETE', '/users/me', {}, carol)
    expect(await count()).toBe(before + 2)
    await scene.call('DELETE', `/v1/chat/messages/${one}`, { headers: scene.asBot })
    expect(await count()).toBe(before + 1)
    await onChat('DELETE', `/conversations/${conversationId}`)
    expect(await count()).toBe(before)
  })

  test('is rejected for other conversations, other bots and wrong values', async () => {
    const messageId = await sendAsBot('not for Bob')
    expect((await rate(messageId, { rating: 'positive' }, bob)).status).toBe(403)
    expect((await rate('msg_1', { rating: 'positive' })).status).toBe(404)
    expect(
      (await onChat('GET', `/conversations/${conversationId}/feedback`, undefined, bob))
        .status,
    ).toBe(403)
    for (const body of [
      {},
      { rating: 0 },
      { rating: 6 },
      { rating: 2.5 },
      { rating: 'good' },
      { rating: '__proto__' },
      { rating: 1, comment: 'x'.repeat(2_001) },
      { rating: 1, comment: 'a\u0000' },
      { rating: 1, more: true },
    ])
      expect(
        (await rate(messageId, body)).status,
        JSON.stringify(body).slice(0, 60),
      ).toBe(400)
    const { id } = (await rate(messageId, { rating: 1, comment: "𝒳 'quoted' <b>" })).body
      .feedback
    const made = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'other' },
    })
    const asOther = { ...scene.asBot, 'x-bot-id': made.body.bot.id }
    expect((await onPlatform('GET', `feedback/${id}`, undefined, asOther)).status).toBe(
      404,
    )
    expect(
      (await onPlatform('GET', 'feedback', undefined, asOther)).body.feedback,
    ).toEqual([])
  })
})
