// The exact body limit of each API family, with a declared length and in chunks.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import {
  openIntegration,
  type UrlIntegration,
} from '../../../../test/support/url-integration.ts'

const MB = 1_048_576

let scene: Scene
let base: string
let user: { id: string; headers: Record<string, string> }
let integration: UrlIntegration
let webhook: string

beforeAll(async () => {
  scene = await openScene()
  base = await scene.listen()
  user = await scene.chatUser()
  integration = await openIntegration(scene, { name: 'heavy' })
  webhook = await integration.install(scene.botId, 'heavy')
})
afterAll(async () => {
  await scene.close()
  integration.close()
})

interface Target {
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

/** Sends `{}`, then spaces up to the size. */
function send(
  { method, path, headers }: Target,
  size: number,
  {
    chunked = false,
    more = {},
  }: { chunked?: boolean; more?: Record<string, string> } = {},
) {
  return new Promise<Reply>((resolve, reject) => {
    const framing = chunked
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(size) }
    const all = { 'content-type': 'application/json', ...headers, ...framing, ...more }
    const request = httpRequest(
      base + path,
      { method, headers: all, agent: false },
      (reply) => void read(reply).then(resolve, reject),
    )
    request.on('error', reject)
    void write()
    async function write() {
      request.write('{}')
      for (let left = size - 2; left > 0; left -= MB)
        if (!request.write(left < MB ? filler.subarray(0, left) : filler))
          await new Promise((drained) => request.once('drain', drained))
      request.end()
    }
  })
}

async function read(reply: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const type = reply.headers['content-type']
  return {
    status: reply.statusCode!,
    type,
    body: type?.startsWith('application/json') ? JSON.parse(text) : text,
  }
}

function expectTooLarge({ status, type, body }: Reply) {
  expect([status, body]).toEqual([413, expect.anything()])
  expect(type).toBe('application/json; charset=utf-8')
  expectTyped(413, body, 'PayloadTooLarge')
}

const chatTarget = (): Target => ({
  method: 'POST',
  path: `/chat/${scene.webhookId}/conversations`,
  headers: user.headers,
})
const runtimeTarget = (): Target => ({
  method: 'POST',
  path: '/v1/chat/users',
  headers: scene.asBot,
})

describe.each<[string, number, () => Target, number]>([
  ['Chat', 1, chatTarget, 201],
  ['Runtime', 1, runtimeTarget, 400], // The body has no tags.
  ['Files', 1, () => ({ method: 'PUT', path: '/v1/files', headers: scene.asBot }), 400],
  [
    'Admin',
    50,
    () => ({
      method: 'PUT',
      path: `/v1/admin/bots/${scene.botId}`,
      headers: scene.admin,
    }),
    200,
  ],
  [
    'Tables',
    40,
    () => ({ method: 'POST', path: '/v1/tables', headers: scene.asBot }),
    400,
  ],
  [
    'webhooks',
    100,
    () => ({ method: 'POST', path: `/webhooks/${webhook}/in`, headers: {} }),
    200,
  ],
])('body limit of %s: %i MB', { timeout: 60_000 }, (_, megabytes, getTarget, status) => {
  const limit = megabytes * MB

  test('rejects a declared body one byte over the limit', async () => {
    expect((await send(getTarget(), limit)).status).toBe(status)
    expectTooLarge(await send(getTarget(), limit + 1))
  })

  test('rejects a chunked body one byte over the limit', async () => {
    expect((await send(getTarget(), limit, { chunked: true })).status).toBe(status)
    expectTooLarge(await send(getTarget(), limit + 1, { chunked: true }))
  })

  test.each([
    ['declared', false],
    ['chunked', true],
  ])('rejects a compressed %s body', async (_, chunked) => {
    const { status, body } = await send(getTarget(), 1_000, {
      chunked,
      more: { 'content-encoding': 'gzip' },
    })
    expect(status).toBe(415)
    expectTyped(415, body, 'UnsupportedMediaType')
  })

  test('accepts a body with the encoding "identity"', async () => {
    expect(
      (await send(getTarget(), 1_000, { more: { 'content-encoding': 'identity' } }))
        .status,
    ).toBe(status)
  })
})

test('forwards the complete body of a webhook', async () => {
  await send({ method: 'POST', path: `/webhooks/${webhook}/in`, headers: {} }, 3 * MB)
  expect(integration.calls.at(-1)!.raw.length).toBeGreaterThan(3 * MB)
})

test.each([
  ['declared', false],
  ['chunked', true],
])('creates nothing from a %s body that is too large', async (_, chunked) => {
  const count = async () =>
    (
      await scene.app.services.db
        .selectFrom('conversation')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n
  const before = await count()
  expectTooLarge(await send(chatTarget(), MB + 1, { chunked }))
  expect(await count()).toBe(before)
})
