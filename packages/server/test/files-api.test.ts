// The Files API through the whole app, as the official client and plain HTTP callers meet it.
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let client: Client
let url: string
beforeAll(async () => {
  scene = await openScene()
  url = await scene.listen()
  client = new Client({ apiUrl: url, token: scene.token, botId: scene.botId, retry: { retries: 0 } })
})
afterAll(() => scene?.close())

test('the official client uploads, finds, lists and deletes', async () => {
  const key = 'a folder/Ärger & Freude #1?.txt'
  const { file } = await client.uploadFile({
    key,
    content: 'Grüße',
    tags: { kind: 'greeting' },
    metadata: { n: 1 },
    accessPolicies: ['public_content'],
    publicContentImmediatelyAccessible: true,
  })
  expect(file).toMatchObject({ key, size: 7, contentType: 'text/plain', tags: { kind: 'greeting' }, owner: { type: 'user', id: scene.accountId } })
  expect((await client.getFile({ id: file.id })).file).toMatchObject({ status: 'upload_completed', size: 7, metadata: { n: 1 } })
  expect((await client.getFile({ id: key })).file.id).toBe(file.id)
  const content = await fetch(file.url)
  expect([await content.text(), content.headers.get('content-security-policy'), content.headers.get('cache-control')]).toEqual([
    'Grüße',
    "sandbox; default-src 'none'",
    'no-cache',
  ])

  await client.uploadFile({ key: 'other.bin', content: new Uint8Array([1, 2, 3]) })
  expect((await client.listFiles({ tags: { kind: 'greeting' } })).files.map((one) => one.id)).toEqual([file.id])
  for (const [tags, count] of [
    [{ kind: ['greeting', 'x'] }, 1],
    [{ kind: { not: 'greeting' } }, 1],
    [{ kind: { exists: false } }, 1],
    ['{"kind":"greeting"}', 1],
    [{}, 2],
  ] as const)
    expect((await client.listFiles({ tags })).files.length).toBe(count)
  await expect(client.listFiles({ tags: { kind: { like: 'g' } } })).rejects.toMatchObject({ code: 400, type: 'InvalidQuery' })
  expect((await client.listFiles({ ids: [file.id], sortField: 'key', sortDirection: 'asc' })).files.length).toBe(1)
  expect((await client.list.files({}).collect()).length).toBe(2)

  expect((await fetch(file.url.replace(file.id, 'a%00b'))).status).toBe(400)
  expect(await client.deleteFile({ id: key })).toEqual({})
  await expect(client.getFile({ id: file.id })).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' })
  expect((await fetch(file.url)).status).toBe(404)
  await client.deleteFile({ id: 'other.bin' })
})

test('a list is read to its end page by page', async () => {
  for (let i = 0; i < 25; i++) await client.upsertFile({ key: `page ${i}`, size: 1 })
  expect((await client.listFiles({})).files.length).toBe(20)
  expect(new Set((await client.list.files({}).collect()).map((file) => file.key)).size).toBe(25)
})

test.each(['GET', 'DELETE'] as const)('%s of a file: no token, a wrong one, another bot, an unknown file, a NUL', async (method) => {
  const { body } = await scene.call('PUT', '/v1/files', { headers: scene.asBot, body: { key: 'kept', size: 1 } })
  const path = `/v1/files/${body.file.id}`
  expect((await scene.call(method, path, { headers: { 'x-bot-id': scene.botId } })).status).toBe(401)
  expect((await scene.call(method, path, { headers: { ...scene.asBot, authorization: 'Bearer nonsense' } })).status).toBe(401)
  const { body: other } = await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: { name: 'other' } })
  const asOther = { ...scene.asBot, 'x-bot-id': other.bot.id }
  expect((await scene.call(method, path, { headers: asOther })).body).toMatchObject({ code: 404, type: 'ResourceNotFound' })
  expect((await scene.call(method, '/v1/files/kept', { headers: asOther })).status).toBe(404)
  expect((await scene.call(method, '/v1/files/nope', { headers: scene.asBot })).status).toBe(404)
  expect((await scene.call(method, '/v1/files/a%00b', { headers: scene.asBot })).status).toBe(400)
  expect((await scene.call('GET', path, { headers: scene.asBot })).status).toBe(200)
})

test('deleteFile takes a body of {} or none, and a long key', async () => {
  const key = 'ü'.repeat(512)
  for (const body of [undefined, {}]) {
    expect((await scene.call('PUT', '/v1/files', { headers: scene.asBot, body: { key, size: 1 } })).status).toBe(200)
    expect(await scene.call('DELETE', `/v1/files/${encodeURIComponent(key)}`, { headers: scene.asBot, body })).toEqual({ status: 200, body: {} })
  }
})

test('an integration of the bot sees its own files only', async () => {
  const asChat = { ...scene.asBot, 'x-integration-alias': 'chat' }
  const { body: made } = await scene.call('PUT', '/v1/files', { headers: asChat, body: { key: 'of the chat', size: 1 } })
  expect(made.file.owner).toMatchObject({ type: 'integration', alias: 'chat' })
  expect((await scene.call('GET', '/v1/files', { headers: asChat })).body.files.map((file: { key: string }) => file.key)).toEqual(['of the chat'])
  expect((await scene.call('GET', '/v1/files/kept', { headers: asChat })).status).toBe(404)
  expect((await scene.call('GET', `/v1/files/${made.file.id}`, { headers: scene.asBot })).status).toBe(200)
})

test.each([
  [{}, 400],
  [{ key: 'k' }, 400],
  [{ key: 'k', size: -1 }, 400],
  [{ key: 'k', size: '1' }, 400],
  [{ key: 'k', size: 1, unknown: true }, 400],
  [{ key: 'k', size: 1, tags: { a: 1 } }, 400],
  [{ key: 'k', size: 1, tags: { a: 'x'.repeat(1001) } }, 400],
  [{ key: 'k', size: 1, accessPolicies: ['everybody'] }, 400],
  [{ key: 'k', size: 1, expiresAt: 'soon' }, 400],
  [{ key: 'k', size: 1, metadata: 'x' }, 400],
  [{ key: 'k\0', size: 1 }, 400],
  [{ key: 'k', size: 2 ** 31 }, 413],
])('upsertFile with %j answers %i', async (body, status) => {
  expect((await scene.call('PUT', '/v1/files', { headers: scene.asBot, body })).status).toBe(status)
})
