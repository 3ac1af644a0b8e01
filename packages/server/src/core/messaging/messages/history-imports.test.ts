// importHistory: users, conversations and messages of another server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { newId } from '../../lib/ids.ts'

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene.close())

type Caller = 'asBot' | 'asTg' | 'asStranger'
const send = (body: object, as: Caller = 'asBot') =>
  scene.call('POST', '/v1/platform/history', { headers: scene[as], body })
const read = async (path: string) =>
  (await scene.call('GET', `/v1/chat/${path}`, { headers: scene.asBot })).body

const at = Date.UTC(2020, 0, 1)
const times = {
  createdAt: new Date(at).toISOString(),
  updatedAt: '2020-02-01T00:00:00.000Z',
}
const pastUser = (more: object = {}) => ({
  id: newId('user', at),
  ...times,
  tags: { 'telegram:id': '7' },
  name: 'Ann',
  integration: 'telegram',
  properties: { lang: 'fr' },
  ...more,
})
const pastConversation = (participantIds: string[], more: object = {}) => ({
  id: newId('conversation', at),
  ...times,
  integration: 'telegram',
  channel: 'dm',
  tags: { 'telegram:chat': '8' },
  participantIds,
  ...more,
})
const pastMessage = (conversationId: string, userId: string, more: object = {}) => ({
  id: newId('message', at),
  ...times,
  conversationId,
  userId,
  direction: 'incoming',
  type: 'text',
  payload: { text: 'Hi' },
  tags: {},
  ...more,
})

test('keeps ids, times, tags, participants and order, and delivers nothing', async () => {
  const user = pastUser()
  const conversation = pastConversation([user.id, scene.botId])
  const deleted = newId('user', at)
  const messages = Array.from({ length: 6 }, (_, i) =>
    pastMessage(conversation.id, [user.id, scene.botId, deleted][i % 3]!, {
      payload: { text: `${i}` },
      direction: i % 3 === 1 ? 'outgoing' : 'incoming',
    }),
  )
  const before = scene.invoked.length
  const newer = {
    users: [user],
    conversations: [conversation],
    messages: messages.slice(3),
  }
  expect((await send(newer)).body).toEqual({ users: 1, conversations: 1, messages: 3 })
  const all = { ...newer, messages }
  expect((await send(all)).body).toEqual({ users: 0, conversations: 0, messages: 3 })
  expect((await send(all)).body).toEqual({ users: 0, conversations: 0, messages: 0 })

  const { integration: _alias, ...shown } = user
  expect((await read(`users/${user.id}`)).user).toEqual(shown)
  const { participantIds, ...rest } = conversation
  expect((await read(`conversations/${conversation.id}`)).conversation).toEqual({
    ...rest,
    messageCount: 6,
  })
  const { participants } = await read(`conversations/${conversation.id}/participants`)
  expect(participants.map(({ id }: { id: string }) => id).sort()).toEqual(
    participantIds.sort(),
  )
  const listed = await read(`messages?conversationId=${conversation.id}`)
  expect(listed.messages).toEqual(messages.toReversed())
  expect((await read(`events?conversationId=${conversation.id}`)).events).toEqual([])
  expect(scene.invoked).toHaveLength(before)
})

test('concurrent imports store each message once', async () => {
  const conversation = pastConversation([])
  await send({ conversations: [conversation] })
  const messages = Array.from({ length: 50 }, () =>
    pastMessage(conversation.id, scene.botId),
  )
  const replies = await Promise.all(Array.from({ length: 8 }, () => send({ messages })))
  expect(replies.reduce((sum, { body }) => sum + body.messages, 0)).toBe(50)
  const { messageCount } = (await read(`conversations/${conversation.id}`)).conversation
  expect(messageCount).toBe(50)
  const twice = pastMessage(conversation.id, scene.botId)
  expect((await send({ messages: [twice, twice] })).body.messages).toBe(1)
})

test('rejects unknown conversations, times and ids of the future, and integrations', async () => {
  const conversation = pastConversation([])
  await send({ conversations: [conversation] })
  const later = new Date(Date.now() + 3_600_000)
  const message = (more: object) => ({
    messages: [pastMessage(conversation.id, 'x', more)],
  })
  const rejected: [object, string][] = [
    [message({ conversationId: newId('conversation', at) }), 'ResourceNotFound'],
    [message({ id: newId('message', later.getTime()) }), 'InvalidPayload'],
    [message({ createdAt: later.toISOString() }), 'InvalidPayload'],
    [message({ updatedAt: '1969-12-31T23:59:59.000Z' }), 'InvalidPayload'],
    [message({ id: 'zzz_01M8BT3K6Q2Y485TR303XARAA7' }), 'InvalidPayload'],
    [{ users: [pastUser({ id: '__proto__' })] }, 'InvalidPayload'],
    [{ users: [pastUser({ fid: 'mine' })] }, 'InvalidPayload'],
  ]
  for (const [body, type] of rejected)
    expect((await send(body)).body, JSON.stringify(body).slice(0, 200)).toMatchObject({
      type,
    })
  expect((await send(message({}), 'asTg')).status).toBe(403)
  expect((await send(message({}), 'asStranger')).status).toBeGreaterThanOrEqual(400)
  const listed = await read(`messages?conversationId=${conversation.id}`)
  expect(listed.messages).toEqual([])
})
