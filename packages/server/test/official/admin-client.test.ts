// The Admin API through the official client, on a listening server with hosted code.
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
let client: Client

beforeAll(async () => {
  scene = await openScene()
  client = await scene.openClient({ workspaceId: scene.workspaceId })
})
afterAll(() => scene?.close())

/** Returns code that accepts every request and logs `register`. */
const code = (word: string) => `exports.handler = async (req) => {
  if (req.headers['x-bp-operation'] === 'register')
    console.log(${JSON.stringify(word)} + ' ' + process.env.SECRET_WORD)
  return { status: 200, body: '{}' }
}`
const logged = (botId: string, text: string) =>
  expect
    .poll(
      async () =>
        scene.app.services.db
          .selectFrom('bot_log')
          .select('message')
          .where('bot_id', '=', botId)
          .execute(),
      { timeout: 10_000 },
    )
    .toContainEqual({
      message: expect.stringContaining(text),
    })

test('creates, updates, lists and deletes a bot', async () => {
  const { bot } = await client.createBot({
    name: 'Made',
    tags: { made: 'by-client' },
    code: code('first'),
    secrets: { WORD: 'one' },
  })
  await logged(bot.id, 'first one')
  const updated = await client.updateBot({
    id: bot.id,
    code: code('second'),
    secrets: { WORD: 'two' },
    user: { tags: { vip: { title: 'VIP' } } },
  })
  expect(updated.bot).toMatchObject({
    name: 'Made',
    secrets: ['WORD'],
    user: { tags: { vip: { title: 'VIP' } } },
    deployedAt: expect.any(String),
  })
  await logged(bot.id, 'second two')
  expect((await client.getBot({ id: bot.id })).bot).toEqual(updated.bot)
  expect(
    (await client.list.bots({ tags: { made: 'by-client' } }).collect()).map(
      (one) => one.id,
    ),
  ).toEqual([bot.id])
  expect(await client.list.bots({ dev: true }).collect()).toEqual([])
  const [chatId] = Object.keys(bot.integrations)
  const configured = await client.updateBot({
    id: bot.id,
    integrations: {
      [chatId!]: { enabled: true, configuration: { encryptionKey: 'k'.repeat(40) } },
    },
  })
  expect(configured.bot.integrations[chatId!]).toMatchObject({
    configuration: { encryptionKey: 'k'.repeat(40) },
    webhookId: bot.integrations[chatId!]!.webhookId,
  })
  await client.deleteBot({ id: bot.id })
  await expect(client.getBot({ id: bot.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
    code: 404,
  })
})

test('creates, introspects and deletes tokens and keys', async () => {
  const { pat } = await client.createPersonalAccessToken({ note: 'laptop' })
  expect((await client.listPersonalAccessTokens({})).pats.map((one) => one.id)).toContain(
    pat.id,
  )
  const key = await client.createBotApiKey({ botId: scene.botId, note: 'ci' })
  expect(
    (await client.listBotApiKeys({ botId: scene.botId })).baks.map((one) => one.id),
  ).toContain(key.id)
  const asBot = new Client({
    apiUrl: scene.app.address.api,
    token: key.value,
    botId: scene.botId,
    retry: { retries: 0 },
  })
  expect(await asBot.introspect({ botId: scene.botId })).toEqual({
    workspaceId: scene.workspaceId,
    botId: scene.botId,
    userId: scene.botId,
  })
  await client.deleteBotApiKey({ id: key.id })
  await expect(asBot.introspect({ botId: scene.botId })).rejects.toMatchObject({
    type: 'Unauthorized',
  })
  await client.deletePersonalAccessToken({ id: pat.id })
})

test('changes the account, preferences and workspaces', async () => {
  await client.updateAccount({ displayName: 'Robin' })
  expect((await client.getAccount({})).account).toMatchObject({ displayName: 'Robin' })
  await client.setAccountPreference({ key: 'theme', value: 'dark' })
  expect(await client.getAccountPreference({ key: 'theme' })).toEqual({ value: 'dark' })
  const made = await client.createWorkspace({ name: 'Second' })
  await client.updateWorkspace({ id: made.id, handle: 'second' })
  expect(await client.getWorkspace({ id: made.id })).toMatchObject({
    name: 'Second',
    handle: 'second',
    botCount: 0,
  })
  expect(
    (await client.list.workspaces({ handle: 'second' }).collect()).map((one) => one.id),
  ).toEqual([made.id])
  expect(await client.checkHandleAvailability({ handle: 'second' })).toMatchObject({
    available: false,
    usedBy: made.id,
  })
})

test('deletes a bot with active conversations', async () => {
  const { bot } = await client.createBot({})
  const { webhookId } = Object.values(bot.integrations)[0]!
  const { body: user } = await scene.call('POST', `/chat/${webhookId}/users`, {
    body: {},
  })
  const headers = { 'x-user-key': user.key }
  let deleted = false
  const talk = async () => {
    const statuses: number[] = []
    const { body } = await scene.call('POST', `/chat/${webhookId}/conversations`, {
      headers,
      body: {},
    })
    while (!deleted && body.conversation) {
      const reply = await scene.call('POST', `/chat/${webhookId}/messages`, {
        headers,
        body: {
          conversationId: body.conversation.id,
          payload: { type: 'text', text: 'hi' },
        },
      })
      statuses.push(reply.status)
      if (reply.status !== 201) break
    }
    return statuses
  }
  const talks = Promise.all(Array.from({ length: 6 }, talk))
  await new Promise((resolve) => setTimeout(resolve, 300))
  await client.deleteBot({ id: bot.id }).finally(() => {
    deleted = true
  })
  const statuses = (await talks).flat()
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0)
  // 503: the server aborted a request that blocked the deletion; it had no effect.
  expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([])
})
