// An integration that enables `extraOperations` receives the bot's changes to its messages and
// conversations, in order.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
let conversationId: string

function enableOperations(operations: string[]) {
  const extraOperations = Object.fromEntries(
    operations.map((name) => [name, { enabled: true }]),
  )
  return sql`
    update integration set definition = definition || ${JSON.stringify({ extraOperations })}::jsonb
    where name = 'telegram'`.execute(scene.app.services.db)
}

beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene?.close())
beforeEach(async () => {
  await enableOperations(['message_updated', 'conversation_updated'])
  conversationId = (
    await call('POST', 'conversations', { channel: 'dm', tags: { id: '1' } }, scene.asTg)
  ).conversation.id
})
afterEach(() => scene.answerWith(() => ({})))

async function call(
  method: 'POST' | 'PUT' | 'GET',
  path: string,
  body?: object,
  headers = scene.asBot,
) {
  const answer = await scene.call(method, `/v1/chat/${path}`, { headers, body })
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  return answer.body
}
const say = async (text: string) =>
  (
    await call('POST', 'messages', {
      conversationId,
      userId: scene.botId,
      type: 'text',
      payload: { text },
      tags: {},
    })
  ).message.id as string
/** Deliveries for this conversation, in order. */
const deliveries = () =>
  scene.invoked
    .filter(({ body }) =>
      [body.conversation, body.currentConversation].some(
        (one) => one?.id === conversationId,
      ),
    )
    .map(({ headers, body }) => [
      headers['x-bp-operation'],
      body.payload?.text ?? body.currentConversation?.properties,
    ])
const soon = { timeout: 20_000 }

test('delivers changes of messages and conversation properties in order', async () => {
  const id = await say('one')
  await call('PUT', `messages/${id}`, { payload: { text: 'two' } })
  await call('PUT', `conversations/${conversationId}`, { properties: { mood: 'good' } })
  await call('PUT', `messages/${id}`, { payload: { text: 'three' } })
  await expect.poll(deliveries, soon).toEqual([
    ['message_created', 'one'],
    ['message_updated', 'two'],
    ['conversation_updated', { mood: 'good' }],
    ['message_updated', 'three'],
  ])
  const findBody = (operation: string) =>
    scene.invoked.findLast(
      ({ headers, body }) =>
        headers['x-bp-operation'] === operation &&
        JSON.stringify(body).includes(conversationId),
    )!.body
  expect(findBody('message_updated')).toMatchObject({
    type: 'text',
    payload: { text: 'three' },
    user: { id: scene.botId },
    conversation: { id: conversationId, channel: 'dm', tags: { id: '1' } },
    currentMessage: { id, payload: { text: 'three' }, direction: 'outgoing' },
    previousMessage: { id, payload: { text: 'two' } },
  })
  expect(findBody('conversation_updated')).toMatchObject({
    currentConversation: { properties: { mood: 'good' } },
    previousConversation: { id: conversationId },
  })
  await expect
    .poll(
      async () =>
        (await scene.app.services.db.selectFrom('told_change').select('id').execute())
          .length,
      soon,
    )
    .toBe(0)
})

test('does not deliver invisible changes, unchanged values or its own changes', async () => {
  const id = await say('one')
  await call('PUT', `messages/${id}`, { payload: { text: 'one' } })
  await call('PUT', `messages/${id}`, { tags: { mine: 'x' } })
  await call('PUT', `messages/${id}`, { payload: { text: 'own' } }, scene.asTg)
  await call('PUT', `conversations/${conversationId}`, { tags: { mine: 'x' } })
  await call(
    'PUT',
    `conversations/${conversationId}`,
    { properties: { mood: 'own' } },
    scene.asTg,
  )
  const user = await call('POST', 'users', { tags: {} }, scene.asTg)
  const incoming = await call(
    'POST',
    'messages',
    {
      conversationId,
      userId: user.user.id,
      type: 'text',
      payload: { text: 'in' },
      tags: {},
    },
    scene.asTg,
  )
  await call('PUT', `messages/${incoming.message.id}`, {
    payload: { text: 'in, changed' },
  })
  await enableOperations([])
  await call('PUT', `messages/${id}`, { payload: { text: 'not subscribed' } })
  await say('last')
  await expect.poll(deliveries, soon).toEqual([
    ['message_created', 'one'],
    ['message_created', 'last'],
  ])
})

test('retries a change that fails and makes it a dead letter in the end', async () => {
  const id = await say('one')
  await expect.poll(deliveries, soon).toHaveLength(1)
  scene.answerWith(() => ({ status: 500, body: { error: 'asleep' } }))
  await call('PUT', `messages/${id}`, { payload: { text: 'two' } })
  const letters = async () =>
    (
      await scene.call('GET', '/v1/platform/dead-letters?kind=change', {
        headers: scene.asBot,
      })
    ).body.deadLetters
  await expect
    .poll(letters, soon)
    .toMatchObject([{ kind: 'change', reason: 'asleep', attempts: 3 }])
  scene.answerWith(() => ({}))
  const [{ id: letter }] = await letters()
  await scene.call('POST', `/v1/platform/dead-letters/${letter}/redeliver`, {
    headers: scene.asBot,
    body: {},
  })
  await expect.poll(() => deliveries().length, soon).toBe(5)
  expect(await letters()).toEqual([])
})
