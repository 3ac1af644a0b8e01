import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let chat: string
beforeAll(async () => {
  scene = await openScene()
  chat = `/chat/${scene.webhookId}`
})
afterAll(() => scene.close())

test('a user talks in a conversation', async () => {
  const ann = await scene.chatUser({ id: 'ann', name: 'Ann' })
  expect(ann.id).toBe('ann')
  const { status, body } = await scene.call('POST', `${chat}/conversations`, { headers: ann.headers, body: { id: 'first' } })
  expect([status, body.conversation.id]).toEqual([201, 'first'])
  const sent = await scene.call('POST', `${chat}/messages`, {
    headers: ann.headers,
    body: { conversationId: 'first', payload: { type: 'text', text: 'hello' }, metadata: { a: 1 } },
  })
  expect(sent).toMatchObject({
    status: 201,
    body: { message: { userId: 'ann', conversationId: 'first', payload: { type: 'text', text: 'hello' }, metadata: { a: 1 } } },
  })
  const listed = await scene.call('GET', `${chat}/conversations/first/messages`, { headers: ann.headers })
  expect(listed.body).toEqual({ messages: [sent.body.message], meta: {} })
})
