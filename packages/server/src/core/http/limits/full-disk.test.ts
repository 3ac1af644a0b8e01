// A disk that becomes full: writes are rejected, and everything that frees space works.
import { type Family, families, permissionFor } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { addsData } from './full-disk.ts'

const totalBytes = 100e9
const rejected = {
  status: 503,
  body: expect.objectContaining({
    type: 'Unavailable',
    metadata: { reason: 'diskFull' },
  }),
}
let scene: Scene
// Below 15 %, the watch looks every two seconds.
let freeBytes = 10e9
let lastLook = 0
beforeAll(async () => {
  scene = await openScene({
    readSpace: async () => {
      lastLook = freeBytes
      return { freeBytes, totalBytes }
    },
  })
})
afterAll(() => scene?.close())

/** Until the watch has read the disk. */
async function setFree(bytes: number) {
  freeBytes = bytes
  const isFull = bytes < 4 * 2 ** 30
  await vi.waitFor(() => expect(scene.app.services.isDiskFull()).toBe(isFull), 10_000)
}

test('rejects writes while the disk is nearly full, and nothing else', async () => {
  const { id, headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const file = { key: 'a.txt', size: 3, contentType: 'text/plain' }
  const upsert = () =>
    scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: { ...file, index: false },
    })
  const { body: before } = await upsert()
  expect(before.file.id).toEqual(expect.any(String))

  await setFree(4e9)
  expect(await scene.call('POST', `${chat}/users`, { body: {} })).toEqual(rejected)
  expect(
    await scene.call('POST', `${chat}/conversations`, { headers, body: {} }),
  ).toEqual(rejected)
  expect(await upsert()).toEqual(rejected)
  const { pathname, search } = new URL(before.file.uploadUrl)
  const upload = await fetch(`${await scene.listen()}${pathname}${search}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: 'abc',
  })
  expect(upload.headers.get('retry-after')).toBe('1')
  expect(await upload.json()).toEqual(rejected.body)

  expect((await scene.call('GET', `${chat}/users/me`, { headers })).body.user.id).toBe(id)
  expect(await scene.call('GET', '/readyz')).toEqual({
    status: 200,
    body: { ready: true },
  })
  expect(
    (await scene.call('DELETE', `/v1/files/${before.file.id}`, { headers: scene.asBot }))
      .status,
  ).toBe(200)
  // Without valid credentials, callers learn nothing about the disk.
  expect((await scene.call('PUT', '/v1/files', { body: file })).status).toBe(401)

  await setFree(50e9)
  expect((await scene.call('POST', `${chat}/users`, { body: {} })).status).toBe(201)
}, 60_000)

test('knows for each operation whether it adds data', () => {
  const adding: Record<string, boolean> = {}
  for (const [family, { served }] of Object.entries(families) as [string, Family][])
    for (const group of Object.values(served))
      for (const [id, operation] of Object.entries(group)) {
        const name = `${family}.${id}`
        const permission = permissionFor(family, operation)
        adding[name] = addsData({ ...operation, name, permission })
      }
  for (const name of [
    'runtime.createMessage',
    'chat.createUser',
    'tables.createTableRows',
  ])
    expect(adding[name], name).toBe(true)
  for (const name of [
    'runtime.deleteMessage',
    'tables.deleteTableRows',
    'tables.findTableRows',
    'platform.signInWithPassword',
    'platform.erasePersonalData',
    'platform.setRetention',
    'platform.discardDeadLetters',
    'platform.discardFailures',
    'admin.deleteAccount',
  ])
    expect(adding[name], name).toBe(false)
})

test.for([
  [
    'an error of the database',
    "do $$ begin raise exception using errcode = '53100'; end $$",
  ],
  ['a broken connection', 'select pg_terminate_backend(pg_backend_pid())'],
] as const)('looks at the disk at once after %s', async ([_, text]) => {
  const { db } = scene.app.services
  // Above 15 %, the watch looks once a minute.
  await setFree(50e9)
  await vi.waitFor(() => expect(lastLook).toBe(50e9))
  freeBytes = 1e9
  expect(scene.app.services.isDiskFull()).toBe(false)
  await sql
    .raw(text)
    .execute(db)
    .catch(() => {})
  await vi.waitFor(() => expect(scene.app.services.isDiskFull()).toBe(true), 2_000)
  await setFree(50e9)
})
