// Agents of flow bots on a real server with a stand-in for the model's provider: tools, exits, the
// ledger, and kills of the bot's process at each kind of step.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '@botpress/chat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQuery } from '../support/delivery-audit.ts'
import {
  type ModelProvider,
  openModelProvider,
  type ProviderRequest,
  type Reply,
} from '../support/model-provider.ts'
import { killHostedCode } from '../support/processes.ts'
import { createRandom, seed } from '../support/random.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

const kills = Number(process.env.CRASH_KILLS ?? 6)
const random = createRandom()

let server: RunningServer
let provider: ModelProvider
let folder: string
let answer: (request: ProviderRequest) => Reply | Promise<Reply>

beforeAll(async () => {
  console.log(`SEED=${seed}`)
  provider = await openModelProvider((request) => answer(request))
  folder = await mkdtemp(join(tmpdir(), 'botstead-agents-'))
  const models = {
    providers: { local: { type: 'openai-compatible', url: `${provider.url}/v1` } },
    models: { 'local:one': { price: { input: 2, output: 8 } } },
  }
  await writeFile(join(folder, 'models.json'), JSON.stringify(models))
  server = await runServer({
    BOTSTEAD_MODELS: join(folder, 'models.json'),
    BOTSTEAD_RETRY_SECONDS: Array(20).fill('0.2').join(),
  })
}, 90_000)
afterAll(async () => {
  await server?.remove()
  await provider?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

async function call(method: string, path: string, botId?: string, body?: unknown) {
  const { url, token, workspaceId } = server.credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-multiple-integrations': 'true',
    ...(botId === undefined ? { 'x-workspace-id': workspaceId } : { 'x-bot-id': botId }),
  }
  const reply = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(reply.status, `${method} ${path}: ${await reply.clone().text()}`).toBeLessThan(
    300,
  )
  return reply.json()
}

/** Publishes a document and opens a conversation with the official client. */
async function talkTo(document: object) {
  const { bot } = await call('POST', '/v1/admin/bots', undefined, { name: 'agent' })
  await call('POST', `/v1/admin/bots/${bot.id}/publish-from-bot-json`, undefined, {
    botJson: { kind: 'bot', version: 2, ...document },
  })
  const { integrations } = (await call('GET', `/v1/admin/bots/${bot.id}`)).bot
  const client = await Client.connect({
    apiUrl: `${server.credentials.url}/chat/${integrations.chat.webhookId}`,
  })
  const { conversation } = await client.createConversation({})
  const texts = async () => {
    const { messages } = await client.listMessages({ conversationId: conversation.id })
    return messages
      .filter(({ userId }) => userId !== client.user.id)
      .map(({ payload }) => (payload as { text: string }).text)
      .reverse()
  }
  return {
    botId: bot.id as string,
    conversationId: conversation.id,
    texts,
    say: (text: string) =>
      client.createMessage({
        conversationId: conversation.id,
        payload: { type: 'text', text },
      }),
    /** Waits until the bot has sent exactly the messages of this order. */
    hasAnswers: (order: string) =>
      expect
        .poll(async () => (await texts()).filter((text) => text.includes(`${order}.`)), {
          timeout: 30_000,
          interval: 50,
        })
        .toEqual(toMessages(order)),
    /** Waits until the table has a row of this order. */
    hasRow: (table: string, order: string) =>
      expect
        .poll(() => findRows(bot.id, table, order), { timeout: 30_000, interval: 20 })
        .toHaveLength(1),
  }
}

const findRows = async (botId: string, table: string, order: string) =>
  (await call('POST', `/v1/tables/${table}/rows/find`, botId, { filter: { order } })).rows

const killBots = () => killHostedCode(server.pid())

/** Orders by a keyed tool, and by own code with effects that the engine does not know. */
const shop = {
  tables: {
    OrdersTable: { schema: { order: { type: 'string' } } },
    SlowTable: { schema: { order: { type: 'string' } } },
  },
  actions: {
    slow: {
      title: 'Slow order',
      input: { schema: { type: 'object' } },
      output: { schema: {} },
      code:
        'await client.createTableRows({ table: "SlowTable", rows: [{ order: input.order }] }); ' +
        'await new Promise((go) => setTimeout(go, 150)); return { ok: true }',
    },
  },
  flows: {
    main: {
      variables: { order: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          // The first use of a table creates it.
          cards: [
            { type: 'table', table: 'SlowTable', operation: 'find', limit: 1 },
            { type: 'table', table: 'OrdersTable', operation: 'find', limit: 1 },
          ],
          next: 'shop',
        },
        shop: {
          type: 'agent',
          instructions: 'Take orders.',
          tools: [
            { type: 'table', table: 'OrdersTable', operations: ['create'] },
            { type: 'action', action: 'slow' },
          ],
          exits: {
            ordered: {
              description: 'Ordered',
              outputs: { order: { type: 'string', into: 'workflow.order' } },
              to: 'thanks',
            },
          },
        },
        thanks: {
          type: 'standard',
          cards: [{ type: 'send', message: 'Thanks for {{ workflow.order }}.' }],
        },
      },
    },
  },
}

interface Message {
  role: string
  content?: string
}

/** Orders with both tools after a text, then sends a text and leaves. Each reply is different. */
function orders({ body }: ProviderRequest): Reply {
  const messages = body.messages as Message[]
  const order = messages.find(({ role }) => role === 'user')!.content!
  const results = messages.filter(({ role }) => role === 'tool').length
  const id = String(random.between(1, 1e9))
  const toolCalls = (calls: [name: string, input: object][]) =>
    calls.map(([name, input], index) => ({
      id: `${id}_${index}`,
      name,
      input: JSON.stringify(input),
    }))
  if (results === 0)
    return {
      text: [`Ordering ${order}.`],
      toolCalls: toolCalls([
        ['create_OrdersTable', { row: { order } }],
        ['slow', { order }],
      ]),
    }
  return {
    text: [`Ordered ${order}.`],
    toolCalls: toolCalls([['exit_ordered', { order }]]),
  }
}

const toMessages = (order: string) => [
  `Ordering ${order}.`,
  `Ordered ${order}.`,
  `Thanks for ${order}.`,
]

test('calls tools, leaves by an exit, and records its calls in the ledger', async () => {
  answer = orders
  const user = await talkTo(shop)
  await user.say('tea')
  await user.hasAnswers('tea')
  expect(await findRows(user.botId, 'OrdersTable', 'tea')).toHaveLength(1)
  expect(await findRows(user.botId, 'SlowTable', 'tea')).toHaveLength(1)
  const { body } = provider.requests.at(-1)!
  expect(body.messages[0]).toMatchObject({ role: 'system', content: /^Take orders\./ })
  await expect
    .poll(async () => (await call('GET', '/v1/platform/model-calls', user.botId)).calls)
    .toEqual([
      expect.objectContaining({ conversationId: user.conversationId, outcome: 'ok' }),
      expect.objectContaining({ conversationId: user.conversationId, outcome: 'ok' }),
    ])
  await expect
    .poll(async () => {
      const path = `/v1/platform/observations?name=flows.turn&conversationId=${user.conversationId}`
      const { observations } = await call('GET', path, user.botId)
      return observations[0]?.data.steps.map(({ kind }: { kind: string }) => kind)
    })
    .toEqual(expect.arrayContaining(['model', 'tool', 'said']))
}, 60_000)

/** Kills the bot's process at one moment of an order. */
const moments: Record<
  string,
  (user: Awaited<ReturnType<typeof talkTo>>, order: string) => unknown
> = {
  'in the first call of the model': () => killAtRequest(1),
  'after the first message': async (user, order) => {
    await expect
      .poll(user.texts, { timeout: 30_000, interval: 5 })
      .toContain(`Ordering ${order}.`)
    return killBots()
  },
  'after the row of the keyed tool': async (user, order) => {
    await user.hasRow('OrdersTable', order)
    return killBots()
  },
  'inside of own code': async (user, order) => {
    await user.hasRow('SlowTable', order)
    return killBots()
  },
  'in the second call of the model': () => killAtRequest(2),
}

/** Kills when the provider receives the request, before it answers. Returns the number killed. */
async function killAtRequest(number: number): Promise<number> {
  let seen = 0
  let killed = 0
  answer = async (request) => {
    if (++seen === number) {
      killed = killBots()
      await pause(50)
    }
    return orders(request)
  }
  await expect.poll(() => killed, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0)
  return killed
}

test.each(Object.keys(moments))(
  'repeats no effect and no message after a kill %s',
  async (moment) => {
    answer = orders
    const user = await talkTo(shop)
    const order = `tea ${moment}`
    const killed = moments[moment]!(user, order)
    await user.say(order)
    expect(await killed).toBeGreaterThan(0)
    await user.hasAnswers(order)
    expect(await findRows(user.botId, 'OrdersTable', order)).toHaveLength(1)
    expect((await findRows(user.botId, 'SlowTable', order)).length).toBeLessThanOrEqual(1)
  },
  90_000,
)

test(
  'repeats no effect and no message after kills at random moments',
  async () => {
    answer = async (request) => {
      await pause(random.between(0, 60))
      return orders(request)
    }
    const user = await talkTo(shop)
    for (let kill = 0; kill < kills; kill++) {
      const order = `tea ${kill}`
      await user.say(order)
      await pause(random.between(0, 500))
      killBots()
      await user.hasAnswers(order)
      expect(await findRows(user.botId, 'OrdersTable', order)).toHaveLength(1)
      expect((await findRows(user.botId, 'SlowTable', order)).length).toBeLessThanOrEqual(
        1,
      )
    }
    const [events] = await runQuery<{ n: number }>(
      server.database,
      `select count(*)::int as n from event where bot_id = '${user.botId}' and status = 'failed'`,
    )
    expect(events!.n).toBe(0)
  },
  60_000 + kills * 15_000,
)
