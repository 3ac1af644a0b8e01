// Bots of old have users and conversations made by an integration that says it can: it is asked, makes them with its third party, and calls us back.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'

let scene: RuntimeScene
let made = 0

const enable = { enabled: true, requiredTags: ['id'] }
beforeAll(async () => {
  scene = await openRuntimeScene()
  await sql`
    update integration set definition = jsonb_set(jsonb_set(definition, '{channels,dm,conversation,creation}', ${JSON.stringify(enable)}::jsonb),
      '{user,creation}', ${JSON.stringify(enable)}::jsonb)
    where name = 'telegram'`.execute(scene.app.services.db)
})
afterAll(() => scene?.close())
afterEach(() => scene.answerWith(() => ({})))

const call = (as: Record<string, string>, path: string, body: object) =>
  scene.call('POST', `/v1/chat/${path}`, { headers: as, body })
const both = [
  ['conversations', 'conversation', { channel: 'dm' }],
  ['users', 'user', {}],
] as const

/** What it is asked for it makes before, as if it called back. */
async function answering(path: string, what: string, given: object) {
  made++
  const { body } = await call(scene.asTg, path, { ...given, tags: { id: `made-${made}` } })
  scene.answerWith(({ headers }) => ({
    body: headers['x-bp-operation'] === `create_${what}` ? { [what]: { id: body[what].id } } : {},
  }))
  return { id: body[what].id as string, tag: `made-${made}` }
}

test.each(both)(
  '%s: the integration is asked in its own words, and what it made is the answer',
  async (path, what, given) => {
    const { id } = await answering(path, what, given)
    const asked = { ...given, integrationName: 'tg', tags: { 'tg:id': '555' } }
    const { status, body } = await call(scene.asBot, path, asked)
    expect([status, body[what].id]).toEqual([201, id])
    const told = scene.invoked.findLast(({ headers }) => headers['x-bp-operation'] === `create_${what}`)
    expect(told?.body).toEqual({ ...given, tags: { id: '555' } })
    expect(told?.headers['x-integration-alias']).toBe('tg')
  },
)

test.each(both)(
  '%s: one that is there is got, one that is not is made; with an idempotency-key once',
  async (path, what, given) => {
    const { id, tag } = await answering(path, what, given)
    const before = scene.invoked.length
    const wanted = { ...given, integrationName: 'tg' }
    const got = await call(scene.asBot, `${path}/get-or-create`, { ...wanted, tags: { 'tg:id': tag } })
    expect([got.body[what].id, got.body.meta, scene.invoked.length]).toEqual([id, { created: false }, before])
    const headers = { ...scene.asBot, 'idempotency-key': `once-${path}` }
    for (const _ of [1, 2]) {
      const { status, body } = await call(headers, `${path}/get-or-create`, {
        ...wanted,
        tags: { 'tg:id': 'somebody else' },
      })
      expect([status, body[what]?.id, body.meta, scene.invoked.length]).toEqual([
        200,
        id,
        { created: true },
        before + 1,
      ])
    }
  },
)

test.each(both)(
  '%s: without the tags that are needed nobody is asked; who makes nothing, or refuses, says so',
  async (path, what, given) => {
    const wanted = { ...given, integrationName: 'tg', tags: { 'tg:id': '7' } }
    const refusal = async (body: object) => {
      const answer = await call(scene.asBot, path, body)
      return `${answer.status} ${answer.body.type}: ${answer.body.message}`
    }
    const before = scene.invoked.length
    expect(await refusal({ ...wanted, tags: {} })).toBe(
      `400 InvalidPayload: Integration "tg" requires the tag "id" to create a ${what}`,
    )
    expect(scene.invoked.length).toBe(before)
    for (const body of [{}, { [what]: {} }, { [what]: { id: 'nobody' } }, { [what]: 'x' }, 'no json']) {
      scene.answerWith(() => ({ body }))
      expect(await refusal(wanted)).toBe(
        `400 InvalidPayload: Integration "tg" created no ${what} for these tags`,
      )
    }
    scene.answerWith(() => ({
      status: 400,
      body: { code: 400, type: 'Runtime', id: 'err_1', message: 'Not on our lists' },
    }))
    expect(await refusal(wanted)).toBe('400 Runtime: Not on our lists')
  },
)

test.each(both)('%s: an integration makes its own without being asked', async (path, what, given) => {
  const before = scene.invoked.length
  const { status, body } = await call(scene.asTg, path, { ...given, tags: { id: 'own' } })
  expect([status, body[what].tags, scene.invoked.length]).toEqual([201, { id: 'own' }, before])
})
