import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

test('alive and ready, without a token', async () => {
  expect(await scene.call('GET', '/healthz')).toEqual({ status: 200, body: { ok: true } })
  expect(await scene.call('GET', '/readyz')).toEqual({ status: 200, body: { ready: true } })
})

test('who has a token may read how the server is, and what holds around hosted code', async () => {
  const { status, body } = await scene.call('GET', '/v1/platform/health', { headers: scene.admin })
  expect(status).toBe(200)
  expect(body.health).toMatchObject({
    ready: true,
    troubles: [],
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    database: { embedded: true, version: expect.stringMatching(/^\d+/) },
    sandbox: {
      tier: expect.any(Number),
      stops: expect.arrayContaining(['read files', 'start programs']),
      processes: 0,
      running: 0,
    },
  })
  expect(body.health.disk.freeBytes).toBeLessThan(body.health.disk.totalBytes)
  expect((await scene.call('GET', '/v1/platform/health')).status).toBe(401)
  expect(
    (await scene.call('GET', '/v1/platform/health', { headers: { authorization: 'Bearer bp_pat_wrong' } }))
      .status,
  ).toBe(401)
})

test('alive, and not ready without its database', async () => {
  // What a database that was taken away looks like: every connection of the pool is gone, and no new one is let in.
  await scene.app.services.db.destroy()
  expect((await scene.call('GET', '/healthz')).status).toBe(200)
  expect(await scene.call('GET', '/readyz')).toEqual({
    status: 503,
    body: { ready: false, troubles: ['The database cannot be reached'] },
  })
  const health = await scene.app.services.health.read()
  expect(health).toMatchObject({ ready: false, troubles: ['The database cannot be reached'] })
})
