// How large a body each family takes, to the byte and however it is framed; and that who sent too much hears so.
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthenticatedClient, Client as ChatClient } from '@botpress/chat'
import { Client } from '@botpress/client'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUuid } from '../src/lib/ids.ts'
import { expectTyped } from './raw-http.ts'
import { openScene, type Scene } from './scene.ts'

const MB = 1_048_576

let scene: Scene
let base: string
let user: { id: string; headers: Record<string, string> }
let integration: Server
let webhook: string
/** Bytes of the last request that the integration received. */
let received = 0

beforeAll(async () => {
  scene = await openScene()
  base = await scene.listen()
  user = await scene.chatUser()
  integration = createServer((request, response) => {
    received = 0
    request.on('data', (chunk) => (received += chunk.length))
    request.on('end', () => response.end('heard'))
  })
  await new Promise<void>((resolve) => integration.listen(0, '127.0.0.1', resolve))
  webhook = await installAtUrl(`http://127.0.0.1:${(integration.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await scene.close()
  integration.closeAllConnections()
  integration.close()
})

/** An integration whose code lives at a URL, installed in the scene's bot; its webhook's id. */
async function installAtUrl(url: string): Promise<string> {
  const { db, secrets } = scene.app.services
  const definition = { title: 'Heavy', description: '', iconUrl: '', visibility: 'private', verificationStatus: 'unapproved', lifecycleStatus: 'published' }
  const ids = { integration: newUuid(), webhook: newUuid() }
  await db
    .insertInto('integration')
    .values({ id: ids.integration, workspace_id: scene.workspaceId, name: 'heavy', version: '1.0.0', url, definition })
    .execute()
  const configuration = secrets.seal('{}', `installation.configuration/${scene.botId}/heavy`)
  await db
    .insertInto('installation')
    .values({ bot_id: scene.botId, alias: 'heavy', integration_id: ids.integration, webhook_id: ids.webhook, configuration, status: 'registered' })
    .execute()
  return ids.webhook
}

interface Place {
  method: string
  path: string
  headers: Record<string, string>
}
interface Reply {
  status: number
  type: string | undefined
  body: unknown
}

const filler = Buffer.alloc(MB, ' ')

/** `{}` and as many spaces as it takes. */
function send({ method, path, headers }: Place, size: number, { chunked = false, more = {} }: { chunked?: boolean; more?: Record<string, string> } = {}) {
  return new Promise<Reply>((resolve, reject) => {
    const framing = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(size) }
    const all = { 'content-type': 'application/json', ...headers, ...framing, ...more }
    const request = httpRequest(base + path, { method, headers: all, agent: false }, (reply) => void read(reply).then(resolve, reject))
    request.on('error', reject)
    void write()
    async function write() {
      request.write('{}')
      for (let left = size - 2; left > 0; left -= MB)
        if (!request.write(left < MB ? filler.subarray(0, left) : filler)) await new Promise((drained) => request.once('drain', drained))
      request.end()
    }
  })
}

async function read(reply: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const type = reply.headers['content-type']
  return { status: reply.statusCode!, type, body: type?.startsWith('application/json') ? JSON.parse(text) : text }
}

function expectTooLarge({ status, type, body }: Reply) {
  expect([status, body]).toEqual([413, expect.anything()])
  expect(type).toBe('application/json; charset=utf-8')
  expectTyped(413, body, 'PayloadTooLarge')
}

const chatPlace = (): Place => ({ method: 'POST', path: `/chat/${scene.webhookId}/conversations`, headers: user.headers })
const runtimePlace = (): Place => ({ method: 'POST', path: '/v1/chat/users', headers: scene.asBot })

describe.each<[string, number, () => Place, number]>([
  ['Chat', 1, chatPlace, 201],
  ['Runtime', 1, runtimePlace, 400], // it misses its tags
  ['Files', 1, () => ({ method: 'PUT', path: '/v1/files', headers: scene.asBot }), 400],
  ['Admin', 50, () => ({ method: 'PUT', path: `/v1/admin/bots/${scene.botId}`, headers: scene.admin }), 200],
  ['Tables', 40, () => ({ method: 'POST', path: '/v1/tables', headers: scene.asBot }), 501],
  ['webhooks', 100, () => ({ method: 'POST', path: `/webhooks/${webhook}/in`, headers: {} }), 200],
])('the %s API takes %i MB', (_, megabytes, place, status) => {
  const limit = megabytes * MB

  test('and not a byte more, announced', async () => {
    expect((await send(place(), limit)).status).toBe(status)
    expectTooLarge(await send(place(), limit + 1))
  })

  test('and not a byte more, in chunks', async () => {
    expect((await send(place(), limit, { chunked: true })).status).toBe(status)
    expectTooLarge(await send(place(), limit + 1, { chunked: true }))
  })

  test('as they are: nothing packed', async () => {
    for (const chunked of [false, true]) {
      const { status, body } = await send(place(), 1_000, { chunked, more: { 'content-encoding': 'gzip' } })
      expect(status).toBe(415)
      expectTyped(415, body, 'UnsupportedMediaType')
    }
    expect((await send(place(), 1_000, { more: { 'content-encoding': 'identity' } })).status).toBe(status)
    expectTooLarge(await send(place(), limit + 1, { more: { 'content-encoding': 'gzip' } }))
  })
})

test('a webhook hands on all that it took', async () => {
  await send({ method: 'POST', path: `/webhooks/${webhook}/in`, headers: {} }, 3 * MB)
  expect(received).toBeGreaterThan(3 * MB)
})

test('what is too large has no effect', async () => {
  const count = async () =>
    (
      await scene.app.services.db
        .selectFrom('conversation')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n
  const before = await count()
  for (const chunked of [false, true]) expectTooLarge(await send(chatPlace(), MB + 1, { chunked }))
  expect(await count()).toBe(before)
})

// [times too large, tries]: a naive server loses about half of the answers from 5 MB on.
describe.each([
  [1.1, 12],
  [5, 8],
  [50, 2],
])('who sends %d times too much hears it', (times, tries) => {
  const size = Math.ceil(times * MB)
  const text = 'a'.repeat(size)
  const again = async (attempt: () => Promise<void>) => {
    for (let i = 0; i < tries; i++) await attempt()
  }

  test('by http, in one piece', () =>
    again(async () => {
      const { path, headers } = chatPlace()
      const reply = await new Promise<Reply>((resolve, reject) => {
        const request = httpRequest(
          base + path,
          { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
          (reply) => void read(reply).then(resolve, reject),
        )
        request.on('error', reject)
        request.end(text)
      })
      expectTooLarge(reply)
    }))

  test('by fetch', () =>
    again(async () => {
      const { path, headers } = chatPlace()
      const reply = await fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })
      expectTyped(413, await reply.json(), 'PayloadTooLarge')
    }))

  test('by undici', async () => {
    const pool = new Pool(base, { connections: 1 })
    await again(async () => {
      const { path, headers } = chatPlace()
      const reply = await pool.request({ path, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })
      expectTyped(413, await reply.body.json(), 'PayloadTooLarge')
    })
    await pool.close()
  })

  test('by the official clients', async () => {
    const client = new Client({ apiUrl: base, token: scene.token, botId: scene.botId, retry: { retries: 0 } })
    const chat: AuthenticatedClient = await ChatClient.connect({ apiUrl: `${base}/chat/${scene.webhookId}`, userKey: user.headers['x-user-key']! })
    const message = { conversationId: 'conv', userId: 'user', type: 'text', tags: {}, payload: { text } }
    await again(async () => {
      await expect(client.createMessage(message)).rejects.toMatchObject({ code: 413, type: 'PayloadTooLarge' })
      await expect(chat.createMessage({ conversationId: 'conv', payload: { type: 'text', text } })).rejects.toMatchObject({
        code: 413,
        type: 'PayloadTooLarge',
      })
    })
  })
})

// The same holds for whatever is refused before its body was read.
test.each<[string, number, () => Place & { type?: string }]>([
  ['without a key', 401, () => ({ ...chatPlace(), headers: {} })],
  ['without a bot', 400, () => ({ ...runtimePlace(), headers: { authorization: `Bearer ${scene.token}` } })],
  ['with nothing there', 404, () => ({ ...chatPlace(), path: '/nothing' })],
  ['at no integration', 404, () => ({ ...chatPlace(), path: '/webhooks/nothing' })],
  ['of a type that is none', 415, () => ({ ...chatPlace(), type: 'nonsense' })],
  ['of another type', 415, () => ({ method: 'PUT', path: `/v1/admin/bots/${scene.botId}`, headers: scene.admin, type: 'image/png' })],
  ['at an address that cannot be read', 400, () => ({ ...chatPlace(), path: '/chat/%zz/users' })],
  ['at an operation that is not served', 413, () => ({ method: 'POST', path: '/v1/chat/states/a/b/c', headers: scene.asBot })],
])('5 MB %s', async (_, status, place) => {
  const text = 'a'.repeat(5 * MB)
  for (let i = 0; i < 4; i++) {
    const { method, path, headers, type = 'application/json' } = place()
    const request = { method, headers: { 'content-type': type, ...headers }, body: text }
    const reply = await fetch(base + path, request)
    expect(reply.status).toBe(status)
    expectTyped(status, await reply.json())
    const sent = await send(place(), 5 * MB, { more: { 'content-type': type } })
    expect(sent.status).toBe(status)
  }
})
