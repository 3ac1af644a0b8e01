import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'
import { createPerson, signIn } from '../support/sign-in.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

test('reports alive and ready without a token', async () => {
  expect(await scene.call('GET', '/healthz')).toEqual({ status: 200, body: { ok: true } })
  expect(await scene.call('GET', '/readyz')).toEqual({
    status: 200,
    body: { ready: true },
  })
})

test('returns the health and the isolation of hosted code to callers with a token', async () => {
  const { status, body } = await scene.call('GET', '/v1/platform/health', {
    headers: scene.admin,
  })
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
    (
      await scene.call('GET', '/v1/platform/health', {
        headers: { authorization: 'Bearer bp_pat_wrong' },
      })
    ).status,
  ).toBe(401)
})

test('tells facts of the installation only to owners of the first workspace', async () => {
  const owner = await signIn(scene.app, await createPerson(scene))
  const headers = { authorization: scene.admin.authorization! }
  const made = await owner.call('POST', '/v1/admin/workspaces', { body: { name: 'Own' } })
  expect(made.status).toBe(200)
  const people = [owner]
  for (const role of ['viewer', 'administrator'] as const)
    people.push(await signIn(scene.app, await createPerson(scene, role)))
  for (const person of people) {
    const { status, body } = await person.call('GET', '/v1/platform/health')
    expect(status).toBe(200)
    expect(body).toEqual({ health: { ready: true, troubles: [] } })
  }
  const { body } = await scene.call('GET', '/v1/platform/health', { headers })
  expect(body.health).toHaveProperty('sandbox.tier')
})

test('answers within two seconds while the database is busy, and asks it once', {
  timeout: 30_000,
}, async () => {
  const { db } = scene.app.services
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const busy = Array.from({ length: 10 }, () => sql`select pg_sleep(4)`.execute(db))
  await pause(200)
  const begun = performance.now()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => scene.call('GET', '/readyz')),
  )
  expect(performance.now() - begun).toBeLessThan(2_000)
  for (const reply of replies)
    expect(reply).toEqual({
      status: 503,
      body: { ready: false, troubles: ['The database does not respond'] },
    })
  await Promise.all(busy)
  expect((await scene.call('GET', '/readyz')).status).toBe(200)
  const texts = query.mock.calls.map((values) => String((values as unknown[])[0]))
  query.mockRestore()
  // One for the twenty requests, and one for the last unless it shares that.
  expect([1, 2]).toContain(texts.filter((text) => text === 'select 1').length)
})

test('reports alive but not ready without its database', async () => {
  // As without a database: the pool has no connections and opens none.
  await scene.app.services.db.destroy()
  expect((await scene.call('GET', '/healthz')).status).toBe(200)
  expect(await scene.call('GET', '/readyz')).toEqual({
    status: 503,
    body: { ready: false, troubles: ['The database cannot be reached'] },
  })
  const health = await scene.app.services.health.read()
  expect(health).toMatchObject({
    ready: false,
    troubles: ['The database cannot be reached'],
  })
})
