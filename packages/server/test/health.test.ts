import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

test('alive and ready, without a token', async () => {
  expect(await scene.call('GET', '/healthz')).toEqual({ status: 200, body: { ok: true } })
  expect(await scene.call('GET', '/readyz')).toEqual({ status: 200, body: { ready: true } })
})

test('alive, and not ready without its database', async () => {
  // What a database that was taken away looks like: every connection of the pool is gone, and no new one is let in.
  await scene.app.services.db.destroy()
  expect((await scene.call('GET', '/healthz')).status).toBe(200)
  expect(await scene.call('GET', '/readyz')).toEqual({ status: 503, body: { ready: false, troubles: ['The database cannot be reached'] } })
})
