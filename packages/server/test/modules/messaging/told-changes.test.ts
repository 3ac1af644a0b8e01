// An integration that asks for it (`extraOperations`) is told of what the bot changes in what it said, and in conversations, in their order.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'

let scene: RuntimeScene
let conversationId: string

const ask = (operations: string[]) =>
  sql`
    update integration set definition = definition || ${JSON.stringify({ extraOperations: Object.fromEntries(operations.map((name) => [name, { enabled: true }])) })}::jsonb
    where name = 'telegram'`.execute(scene.app.services.db)

beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene?.close())
beforeEach(async () => {
  await ask(['message_updated', 'conversation_updated'])
  conversationId = (await the('POST', 'conversations', { channel: 'dm', tags: { id: '1' } }, scene.asTg))
    .conversation.id
})
afterEach(() => scene.answerWith(() => ({})))

async function the(method: 'POST' | 'PUT' | 'GET', path: string, body?: object, headers = scene.asBot) {
  const answer = await scene.call(method, `/v1/chat/${path}`, { headers, body })
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  return answer.body
}
const say = async (text: string) =>
  (
    await the('POST', 'messages', {
      conversationId,
      userId: scene.botId,
      type: 'text',
      payload: { text },
      tags: {},
    })
  ).message.id as string
/** Of this conversation, in order. */
const told = () =>
  scene.invoked
    .filter(({ body }) =>
      [body.conversation, body.currentConversation].some((one) => one?.id === conversationId),
    )
    .map(({ headers, body }) => [
      headers['x-bp-operation'],
      body.payload?.text ?? body.currentConversation?.properties,
    ])
const soon = { timeout: 20_000 }

test('of what the bot said, and of the conversation’s properties, after what was said before', async () => {
  const id = await say('one')
  await the('PUT', `messages/${id}`, { payload: { text: 'two' } })
  await the('PUT', `conversations/${conversationId}`, { properties: { mood: 'good' } })
  await the('PUT', `messages/${id}`, { payload: { text: 'three' } })
  await expect.poll(told, soon).toEqual([
    ['message_created', 'one'],
    ['message_updated', 'two'],
    ['conversation_updated', { mood: 'good' }],
    ['message_updated', 'three'],
  ])
  const bodyOf = (operation: string) =>
    scene.invoked.findLast(
      ({ headers, body }) =>
        headers['x-bp-operation'] === operation && JSON.stringify(body).includes(conversationId),
    )!.body
  expect(bodyOf('message_updated')).toMatchObject({
    ...{ type: 'text', payload: { text: 'three' }, user: { id: scene.botId } },
    conversation: { id: conversationId, channel: 'dm', tags: { id: '1' } },
    currentMessage: { id, payload: { text: 'three' }, direction: 'outgoing' },
    previousMessage: { id, payload: { text: 'two' } },
  })
  expect(bodyOf('conversation_updated')).toMatchObject({
    currentConversation: { properties: { mood: 'good' } },
    previousConversation: { id: conversationId },
  })
  await expect
    .poll(
      async () => (await scene.app.services.db.selectFrom('told_change').select('id').execute()).length,
      soon,
    )
    .toBe(0)
})

test('not of what it cannot see, nor of what did not change, nor of its own doings', async () => {
  const id = await say('one')
  await the('PUT', `messages/${id}`, { payload: { text: 'one' } })
  await the('PUT', `messages/${id}`, { tags: { mine: 'x' } })
  await the('PUT', `messages/${id}`, { payload: { text: 'own' } }, scene.asTg)
  await the('PUT', `conversations/${conversationId}`, { tags: { mine: 'x' } })
  await the('PUT', `conversations/${conversationId}`, { properties: { mood: 'own' } }, scene.asTg)
  const user = await the('POST', 'users', { tags: {} }, scene.asTg)
  const incoming = await the(
    'POST',
    'messages',
    { conversationId, userId: user.user.id, type: 'text', payload: { text: 'in' }, tags: {} },
    scene.asTg,
  )
  await the('PUT', `messages/${incoming.message.id}`, { payload: { text: 'in, changed' } })
  await ask([])
  await the('PUT', `messages/${id}`, { payload: { text: 'nobody asked' } })
  await say('last')
  await expect.poll(told, soon).toEqual([
    ['message_created', 'one'],
    ['message_created', 'last'],
  ])
})

test('one that cannot be told waits as all deliveries do, and is a dead letter at last', async () => {
  const id = await say('one')
  await expect.poll(told, soon).toHaveLength(1)
  scene.answerWith(() => ({ status: 500, body: { error: 'asleep' } }))
  await the('PUT', `messages/${id}`, { payload: { text: 'two' } })
  const letters = async () =>
    (await scene.call('GET', '/v1/platform/dead-letters?kind=change', { headers: scene.asBot })).body
      .deadLetters
  await expect.poll(letters, soon).toMatchObject([{ kind: 'change', reason: 'asleep', attempts: 3 }])
  scene.answerWith(() => ({}))
  const [{ id: letter }] = await letters()
  await scene.call('POST', `/v1/platform/dead-letters/${letter}/redeliver`, {
    headers: scene.asBot,
    body: {},
  })
  await expect.poll(() => told().length, soon).toBe(5)
  expect(await letters()).toEqual([])
})
