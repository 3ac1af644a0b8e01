// Hosted bots and bots at a URL: the requests that they receive, the handling of their responses,
// logs and webhooks of the chat.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

/** Answers each text with its secret and its configuration; fails on `fail 4xx` and `fail 5xx`. */
const code = `
const http = require('http')
const post = (path, body) => new Promise((resolve, reject) => {
  const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
  const headers = {
    authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
  }
  const request = http.request(BP_API_URL + path, { method: 'POST', headers }, (reply) => {
    reply.resume()
    reply.on('end', resolve)
  })
  request.on('error', reject)
  request.end(JSON.stringify(body))
})
exports.handler = async (req) => {
  const operation = req.headers['x-bp-operation']
  if (operation === 'register') {
    console.log(JSON.stringify({ msg: 'registered', level: 'info', options: {} }))
    return { status: 200 }
  }
  const { event } = JSON.parse(req.body)
  const { message } = event.payload
  const { text } = message.payload
  const error = { id: 'err_x', code: 400, type: 'Runtime', message: 'I would rather not' }
  if (text === 'fail 4xx') return { status: 400, body: JSON.stringify(error) }
  if (text === 'fail 5xx') return { status: 500, body: '{}' }
  const { payload } = JSON.parse(Buffer.from(req.headers['x-bp-configuration'], 'base64'))
  const { conversationId } = event
  console.log(JSON.stringify({ msg: 'answering ' + text, level: 'warn', options: { conversationId } }))
  const answer = { text: [text, process.env.SECRET_WORD, payload].join(' ') }
  const userId = process.env.BP_BOT_ID
  await post('/v1/chat/messages', { conversationId, userId, type: 'text', tags: {}, payload: answer })
  return { status: 200 }
}`

let scene: Scene
let user: { id: string; headers: Record<string, string> }
beforeAll(async () => {
  scene = await openScene({ code })
  user = await scene.chatUser()
  const change = { secrets: { WORD: 'sesame' }, configuration: { data: { a: 1 } } }
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: change,
  })
})
afterAll(() => scene.close())

const converse = async () =>
  (
    await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers: user.headers,
      body: {},
    })
  ).body.conversation.id as string
const say = (conversationId: string, text: string) =>
  scene.call('POST', `/chat/${scene.webhookId}/messages`, {
    headers: user.headers,
    body: { conversationId, payload: { type: 'text', text } },
  })
const heard = async (conversationId: string) => {
  const { body } = await scene.call(
    'GET',
    `/chat/${scene.webhookId}/conversations/${conversationId}/messages`,
    { headers: user.headers },
  )
  return body.messages
    .map(({ payload }: { payload: { text: string } }) => payload.text)
    .reverse()
}
const events = async (status: string) =>
  (await scene.call('GET', `/v1/chat/events?status=${status}`, { headers: scene.asBot }))
    .body.events

test('runs hosted code with its own key, its secrets and its configuration', async () => {
  const conversationId = await converse()
  await say(conversationId, 'hello')
  await vi.waitFor(
    async () =>
      expect(await heard(conversationId)).toEqual(['hello', 'hello sesame {"a":1}']),
    10_000,
  )
  await vi.waitFor(async () =>
    expect(
      (await events('processed')).map(
        ({ conversationId }: { conversationId: string }) => conversationId,
      ),
    ).toContain(conversationId),
  )
})

test('stores printed lines in the log of the bot', async () => {
  const lines = async () =>
    (await scene.app.services.db
      .selectFrom('bot_log')
      .select(['level', 'message', 'conversation_id'])
      .where('bot_id', '=', scene.botId)
      .execute()) as unknown[]
  await vi.waitFor(async () =>
    expect(await lines()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          level: 'warn',
          message: 'answering hello',
          conversation_id: expect.stringMatching(/^conv_/),
        }),
      ]),
    ),
  )
})

test('fails an event on 4xx, retries it on 5xx up to the limit, then delivers the next message', async () => {
  const conversationId = await converse()
  for (const text of ['fail 4xx', 'fail 5xx', 'still there?'])
    await say(conversationId, text)
  await vi.waitFor(
    async () =>
      expect(await heard(conversationId)).toContain('still there? sesame {"a":1}'),
    10_000,
  )
  await vi.waitFor(async () => {
    const failed = (await events('failed')).map(
      ({ failureReason }: { failureReason: string }) => failureReason,
    )
    expect(failed.sort()).toEqual(['Answered 500: {}', 'I would rather not'])
  })
  const dead = await scene.app.services.db
    .selectFrom('delivery')
    .select(['attempts', 'last_error'])
    .where('dead_at', 'is not', null)
    .execute()
  expect(dead).toEqual([{ attempts: 3, last_error: 'Answered 500: {}' }])
  const attempts = await scene.app.services.db
    .selectFrom('delivery_attempt')
    .select(['attempt', 'error'])
    .orderBy('attempt')
    .execute()
  expect(attempts).toEqual(
    [1, 2, 3].map((attempt) => ({ attempt, error: 'Answered 500: {}' })),
  )
})

test('stores the handled event as the cause of what the bot creates', async () => {
  const caused = await scene.app.services.db
    .selectFrom('message')
    .innerJoin('event', 'event.id', 'message.cause')
    .select('event.type')
    .where('message.direction', '=', 'outgoing')
    .execute()
  expect(new Set(caused.map(({ type }) => type))).toEqual(new Set(['message_created']))
})

test('answers with new code after a deployment, and not at all once it is blocked', async () => {
  const conversationId = await converse()
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { code: code.replace('[text, ', "['second', ") },
  })
  await say(conversationId, 'hello')
  await vi.waitFor(
    async () => expect(await heard(conversationId)).toContain('second sesame {"a":1}'),
    10_000,
  )
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { blocked: true },
  })
  await say(conversationId, 'ignored')
  await vi.waitFor(async () =>
    expect(
      (await events('ignored')).map(
        ({ failureReason }: { failureReason: string }) => failureReason,
      ),
    ).toEqual(['The bot is blocked']),
  )
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { blocked: false },
  })
})

test('retries events while the code exports no handler, until it does', async () => {
  const deploy = (body: object) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body })
  await deploy({ code: 'console.log(1)' })
  const conversationId = await converse()
  await say(conversationId, 'anyone?')
  const pending = async () =>
    (await scene.call('GET', '/v1/platform/queue/deliveries', { headers: scene.asBot }))
      .body.deliveries
  await expect.poll(pending, { timeout: 15_000 }).toMatchObject([
    {
      conversation: conversationId,
      lastError: 'The code exports no function named "handler"',
    },
  ])
  await deploy({ code })
  await vi.waitFor(
    async () => expect(await heard(conversationId)).toContain('anyone? sesame {"a":1}'),
    10_000,
  )
})

/** Opens a server that records its requests. */
async function receive(answer: { status?: number; body?: string } = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: tests only compare the body
  const requests: { headers: IncomingHttpHeaders; url: string; body: any }[] = []
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({
        headers: request.headers,
        url: request.url!,
        body: JSON.parse(Buffer.concat(chunks).toString() || 'null'),
      })
      reply
        .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        .end(answer.body ?? '{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

test('posts signed events to a bot at a URL', async () => {
  const receiver = await receive()
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    body: { name: 'far', url: `${receiver.url}/bot?x=1` },
  })
  const { id, integrations } = body.bot
  const chat = `/chat/${integrations.chat.webhookId}`
  const { body: made } = await scene.call('POST', `${chat}/users`, {
    body: { name: 'Ann' },
  })
  const headers = { 'x-user-key': made.key }
  const { body: opened } = await scene.call('POST', `${chat}/conversations`, {
    headers,
    body: {},
  })
  await scene.call('POST', `${chat}/messages`, {
    headers,
    body: {
      conversationId: opened.conversation.id,
      payload: { type: 'text', text: 'hi' },
      metadata: { m: 1 },
    },
  })
  await vi.waitFor(() =>
    expect(receiver.requests.map(({ headers }) => headers['x-bp-type'])).toEqual([
      'register',
      'message_created',
    ]),
  )
  const { url, headers: sent, body: posted } = receiver.requests[1]!
  expect(url).toBe('/bot?x=1')
  expect(sent).toMatchObject({
    'x-bot-id': id,
    'x-bot-user-id': id,
    'x-bp-operation': 'event_received',
    'x-bp-type': 'message_created',
    'x-bp-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
  })
  expect(posted.event).toMatchObject({
    type: 'message_created',
    status: 'pending',
    conversationId: opened.conversation.id,
    userId: made.user.id,
    payload: {
      message: {
        type: 'text',
        payload: { text: 'hi', metadata: { m: 1 } },
        direction: 'incoming',
        conversationId: opened.conversation.id,
        userId: made.user.id,
      },
      user: { id: made.user.id, name: 'Ann' },
      conversation: {
        id: opened.conversation.id,
        integration: 'chat',
        channel: 'channel',
        messageCount: 1,
      },
    },
  })
  await receiver.close()
})

test('posts each signal to the webhook of the chat’s configuration', async () => {
  const receiver = await receive()
  const configuration = { webhookUrl: `${receiver.url}/hook`, webhookSecret: 's3cret' }
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  const { body: before } = await scene.call('GET', `/v1/admin/bots/${scene.botId}`, {
    headers,
  })
  const { status } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers,
    body: {
      integrations: {
        chat: { integrationId: before.bot.integrations.chat.id, configuration },
      },
    },
  })
  expect(status).toBe(200)
  const conversationId = await converse()
  await say(conversationId, 'to everybody')
  await vi.waitFor(
    () => expect(receiver.requests.length).toBeGreaterThanOrEqual(2),
    10_000,
  )
  expect(
    receiver.requests.map(({ url, headers, body }) => [
      url,
      headers['x-secret-key'],
      body.type,
      body.data.isBot,
    ]),
  ).toEqual([
    ['/hook/', 's3cret', 'message_created', false],
    ['/hook/', 's3cret', 'message_created', true],
  ])
  expect(receiver.requests[0]!.body.data).toMatchObject({
    conversationId,
    userId: user.id,
    payload: { type: 'text', text: 'to everybody' },
  })
  await receiver.close()
})

test('posts signals to the webhook of the conversation’s chat, with any alias', async () => {
  const receiver = await receive()
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers,
    body: { name: 'two chats' },
  })
  const { id: integrationId } = body.bot.integrations.chat
  const hook = (path: string) => ({
    integrationId,
    enabled: true,
    configuration: { webhookUrl: `${receiver.url}/${path}` },
  })
  const { status, body: installed } = await scene.call(
    'PUT',
    `/v1/admin/bots/${body.bot.id}`,
    {
      headers,
      body: { integrations: { chat: hook('default'), 'web-site': hook('site') } },
    },
  )
  expect(status).toBe(200)
  for (const [alias, path] of [
    ['web-site', '/site/'],
    ['chat', '/default/'],
  ] as const) {
    const chat = `/chat/${installed.bot.integrations[alias].webhookId}`
    const { body: made } = await scene.call('POST', `${chat}/users`, { body: {} })
    const asUser = { headers: { 'x-user-key': made.key } }
    const { body: opened } = await scene.call('POST', `${chat}/conversations`, {
      ...asUser,
      body: {},
    })
    const conversationId = opened.conversation.id
    await scene.call('POST', `${chat}/messages`, {
      ...asUser,
      body: { conversationId, payload: { type: 'text', text: alias } },
    })
    const seen = () =>
      receiver.requests.filter(({ body }) => body.data.conversationId === conversationId)
    await vi.waitFor(() => expect(seen()).not.toEqual([]), 10_000)
    expect(new Set(seen().map(({ url }) => url))).toEqual(new Set([path]))
  }
  await receiver.close()
})

test('ends streams when the bot is deleted', async () => {
  const url = await scene.listen()
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    body: { name: 'gone' },
  })
  const chat = `/chat/${body.bot.integrations.chat.webhookId}`
  const { body: made } = await scene.call('POST', `${chat}/users`, { body: {} })
  const headers = { 'x-user-key': made.key }
  const { body: opened } = await scene.call('POST', `${chat}/conversations`, {
    headers,
    body: {},
  })
  const stream = await fetch(
    `${url}${chat}/conversations/${opened.conversation.id}/listen`,
    {
      headers,
    },
  )
  expect(stream.status).toBe(200)
  expect(
    (
      await scene.call('DELETE', `/v1/admin/bots/${body.bot.id}`, {
        headers: scene.admin,
      })
    ).status,
  ).toBe(200)
  for await (const _ of stream.body!); // The test times out if the stream does not end.
  expect((await scene.call('GET', `${chat}/hello`)).status).toBe(404)
})
