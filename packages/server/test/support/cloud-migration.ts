// A workspace with everything that `migrate cloud` moves, and the comparison of two servers.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type Client, createClient, toRoutes } from '@botstead/client'
import { families } from '@botstead/contract'
import { expect } from 'vitest'
import { type Credentials, commandLine } from './running-server.ts'

const routes = toRoutes(families)

export function openClient(
  { url, token, workspaceId }: Credentials,
  botId?: string,
): Client {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-multiple-integrations': 'true',
    ...(botId && { 'x-bot-id': botId }),
  }
  return createClient({ routes, url, headers })
}

const start = Date.UTC(2024, 0, 1)
export const timeAt = (n: number) => new Date(start + n).toISOString()

export interface Size {
  conversations: number
  messages: number
  rows: number
}

/** Fills the first bot of a server, which has the echo bot's code and the chat. */
export async function fillBot(credentials: Credentials, size: Size): Promise<void> {
  const { botId } = credentials
  const client = openClient(credentials, botId)
  const schema = { type: 'object', properties: { n: { type: 'number' } } }
  await client.admin.updateBot({
    params: { id: botId },
    body: {
      secrets: { API_KEY: 'very-secret' },
      configuration: {
        schema: { type: 'object', properties: { mood: { type: 'string' } } },
        data: { mood: 'good' },
      },
      states: {
        ofUser: { type: 'user', schema },
        ofConversation: { type: 'conversation', schema },
        ofBot: { type: 'bot', schema },
      },
      recurringEvents: {
        tick: { type: 'tick', schedule: { cron: '0 0 1 1 *' }, payload: {} },
      },
    } as never,
  })
  await client.admin.createBotVersion({
    params: { id: botId },
    body: { name: 'First', description: 'Old' },
  })
  await client.runtime.setState({
    params: { type: 'bot', id: botId, name: 'ofBot' },
    body: { payload: { n: 1 } },
  })
  await fillConversations(client, botId, size)
  await fillContent(client, size.rows)
}

async function fillConversations(
  client: Client,
  botId: string,
  { conversations, messages }: Size,
) {
  const { user: deleted } = await client.runtime.createUser({
    body: { tags: {}, name: 'Deleted' },
  })
  const fill = async (c: number) => {
    const { user } = await client.runtime.createUser({
      body: {
        tags: { number: String(c), constructor: 'x' },
        name: `Ann ${c}`,
        properties: { lang: 'fr' },
      },
    })
    const { conversation } = await client.runtime.createConversation({
      body: { channel: 'channel', integrationName: 'chat', tags: { number: String(c) } },
    })
    const authors = [user.id, botId, ...(c === 0 ? [deleted.id] : [])]
    const perConversation = messages / conversations
    for (let at = 0; at < perConversation; at += 100)
      await client.runtime.importMessages({
        body: {
          messages: Array.from(
            { length: Math.min(100, perConversation - at) },
            (_, i) => ({
              conversationId: conversation.id,
              userId: authors[(at + i) % authors.length]!,
              type: 'text',
              payload: {
                text: `Message ${at + i} of ${c} é\u2028`,
                nested: { toString: 1 },
              },
              tags: { index: `${c} ${at + i}` },
              // Three messages share a millisecond: their order has to survive.
              createdAt: timeAt(Math.floor((at + i) / 3)),
              discriminateByTags: [],
            }),
          ),
        },
      })
    if (c % 5 !== 0) return
    // Messages with positive numbers, after those that were imported.
    for (const text of ['one', 'two'])
      await client.runtime.createMessage({
        body: {
          conversationId: conversation.id,
          userId: botId,
          type: 'text',
          payload: { text },
          tags: {},
        },
      })
    const subjects = { user: user.id, conversation: conversation.id } as const
    for (const [type, id] of Object.entries(subjects) as [
      'user' | 'conversation',
      string,
    ][])
      await client.runtime.setState({
        params: { type, id, name: type === 'user' ? 'ofUser' : 'ofConversation' },
        body: { payload: { n: c } },
      })
  }
  const left = Array.from({ length: conversations }, (_, c) => c).values()
  const workers = Array.from({ length: 8 }, async () => {
    for (const c of left) await fill(c)
  })
  await Promise.all(workers)
  await client.runtime.deleteUser({ params: { id: deleted.id } })
}

async function fillContent(client: Client, rows: number) {
  const properties = {
    name: { type: 'string' },
    n: { type: 'number' },
    at: { type: 'object' },
  }
  await client.tables.createTable({
    body: { name: 'OrdersTable', schema: { type: 'object', properties } },
  })
  for (let at = 0; at < rows; at += 500)
    await client.tables.createTableRows({
      params: { table: 'OrdersTable' },
      body: {
        rows: Array.from({ length: Math.min(500, rows - at) }, (_, i) => ({
          name: `Order ${at + i}`,
          at: { deep: [at + i] },
          ...(i % 3 > 0 && { n: at + i }),
        })),
      },
    })
  const { knowledgeBase } = await client.files.createKnowledgeBase({
    body: { name: 'Handbook', tags: { a: 'b' } },
  })
  await upload(client, 'plain.bin', Buffer.from([0, 255, 1, 254]), {
    metadata: { deep: { a: 1 } },
  })
  await upload(
    client,
    `knowledge/${knowledgeBase.id}/guide.txt`,
    Buffer.from('We open at nine.'),
    {
      tags: { kbId: knowledgeBase.id, source: 'knowledge-base' },
      index: true,
    },
  )
}

export async function upload(
  client: Client,
  key: string,
  content: Buffer<ArrayBuffer>,
  rest: object,
) {
  const { file } = await client.files.upsertFile({
    body: { key, size: content.length, ...rest },
  })
  const headers = { 'content-type': file.contentType }
  const { ok } = await fetch(file.uploadUrl, { method: 'PUT', headers, body: content })
  if (!ok) throw new Error('The server rejected the content')
}

interface Run {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the command; kills it with SIGKILL as soon as `isDue` returns true. */
export async function runCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  isDue?: () => boolean,
): Promise<Run> {
  const child = spawn(process.execPath, [commandLine, 'migrate', 'cloud', ...args], {
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'close')
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const timer = isDue && setInterval(() => isDue() && child.kill('SIGKILL'), 2)
  const [code] = await ended
  clearInterval(timer)
  return { code, stdout, stderr }
}

/** Everything of a bot that has to be the same on both servers. */
export async function describe(credentials: Credentials, botId: string) {
  const client = openClient(credentials, botId)
  const { knowledgeBases } = await client.files.listKnowledgeBases({})
  const names = new Map([
    [botId, 'the bot'],
    ...knowledgeBases.map(({ id, name }) => [id, name] as const),
  ])
  const named = (id: string) => names.get(id) ?? id
  const users = await all((query) => client.runtime.listUsers({ query }), 'users')
  const conversations = await all(
    (query) => client.runtime.listConversations({ query }),
    'conversations',
  )
  const { rows } = await client.tables.findTableRows({
    params: { table: 'OrdersTable' },
    body: { limit: 1000 },
  })
  const files = await all((query) => client.files.listFiles({ query }), 'files')
  const { bot } = await client.admin.getBot({ params: { id: botId } })
  const { versions } = await client.admin.listBotVersions({ params: { id: botId } })
  return {
    versions: versions
      .map(({ name, description }) => [name, description])
      // The document of the bot at the time of the migration.
      .filter(([name]) => name !== 'Published document'),
    configuration: bot.configuration.data,
    integrations: Object.entries(bot.integrations)
      .map(([alias, { name }]) => [alias, name])
      .sort(),
    states: bot.states,
    botState: await findState(client, 'bot', botId, 'ofBot'),
    users: await Promise.all(
      users
        .filter(({ id }) => id !== botId)
        .map(async (user) => ({
          ...user,
          state: await findState(client, 'user', user.id, 'ofUser'),
        })),
    ),
    conversations: await inTurn(conversations, (one) =>
      describeConversation(client, one, named),
    ),
    rows: rows.map(
      ({ id: _id, createdAt: _created, updatedAt: _updated, ...row }) => row,
    ),
    knowledgeBases: knowledgeBases.map(({ name, tags }) => [name, tags?.a]),
    files: await inTurn(
      files.toSorted((a, b) => (named(a.key) < named(b.key) ? -1 : 1)),
      async ({ key, url, tags, metadata, size, contentType, index }) => ({
        size,
        contentType,
        index,
        metadata,
        key: key.replace(/kb_\w+/, named),
        tags: Object.fromEntries(
          Object.entries(tags).map(([name, value]) => [name, named(value)]),
        ),
        hash: createHash('sha256')
          .update(await (await fetch(url)).bytes())
          .digest('hex'),
      }),
    ),
  }
}

const describeConversation = async (
  client: Client,
  conversation: { id: string },
  named: (id: string) => string,
) => ({
  ...conversation,
  state: await findState(client, 'conversation', conversation.id, 'ofConversation'),
  participants: (
    await client.runtime.listParticipants({ params: { id: conversation.id } })
  ).participants
    .map(({ id }) => named(id))
    .sort(),
  messages: (
    await all(
      (query) =>
        client.runtime.listMessages({
          query: { ...query, conversationId: conversation.id },
        }),
      'messages',
    )
  ).map((message) => ({ ...message, userId: named(message.userId) })),
})

const findState = async (
  client: Client,
  type: 'bot' | 'user' | 'conversation',
  id: string,
  name: string,
) =>
  client.runtime.getState({ params: { type, id, name } }).then(
    ({ state }) => state.payload,
    () => null,
  )

async function all<K extends string, Item>(
  read: (query: {
    nextToken?: string
    pageSize: number
  }) => Promise<Record<K, Item[]> & { meta: { nextToken?: string } }>,
  name: K,
): Promise<Item[]> {
  const items: Item[] = []
  let nextToken: string | undefined
  do {
    const page = await read({ pageSize: 100, ...(nextToken && { nextToken }) })
    items.push(...page[name])
    nextToken = page.meta.nextToken
  } while (nextToken)
  return items
}

async function inTurn<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** Compares in parts: the difference of two large objects takes minutes to print. */
export async function expectSame(
  source: Credentials,
  target: Credentials,
  targetBot: string,
) {
  const [from, to] = [
    await describe(source, source.botId),
    await describe(target, targetBot),
  ]
  const { conversations: expected, ...rest } = from
  const { conversations, ...moved } = to
  expect(moved).toEqual(rest)
  expect(conversations.length).toBe(expected.length)
  for (const [i, conversation] of conversations.entries())
    expect(conversation).toEqual(expected[i])
  const { events } = await openClient(target, targetBot).runtime.listEvents({})
  expect(events).toEqual([])
}
