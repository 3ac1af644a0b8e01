// Older bots let an integration create users and conversations: the server calls the integration,
// which creates them with its third party and then calls the server's API.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
let made = 0

const enable = { enabled: true, requiredTags: ['id'] }
beforeAll(async () => {
  scene = await openRuntimeScene()
  await sql`
    update integration
    set definition = jsonb_set(
      jsonb_set(definition, '{channels,dm,conversation,creation}', ${JSON.stringify(enable)}::jsonb),
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

/** Lets the integration return an object that was created before, as if it had called the API. */
async function answering(path: string, what: string, given: object) {
  made++
  const { body } = await call(scene.asTg, path, {
    ...given,
    tags: { id: `made-${made}` },
  })
  scene.answerWith(({ headers }) => ({
    body:
      headers['x-bp-operation'] === `create_${what}`
        ? { [what]: { id: body[what].id } }
        : {},
  }))
  return { id: body[what].id as string, tag: `made-${made}` }
}

test.each(both)(
  '%s: calls the integration with its own tag names and returns the object that it created',
  async (path, what, given) => {
    const { id } = await answering(path, what, given)
    const request = { ...given, integrationName: 'tg', tags: { 'tg:id': '555' } }
    const { status, body } = await call(scene.asBot, path, request)
    expect([status, body[what].id]).toEqual([201, id])
    const invocation = scene.invoked.findLast(
      ({ headers }) => headers['x-bp-operation'] === `create_${what}`,
    )
    expect(invocation?.body).toEqual({ ...given, tags: { id: '555' } })
    expect(invocation?.headers['x-integration-alias']).toBe('tg')
  },
)

test.each(both)(
  '%s: returns an existing object, or lets the integration create it, with an idempotency key only once',
  async (path, what, given) => {
    const { id, tag } = await answering(path, what, given)
    const before = scene.invoked.length
    const wanted = { ...given, integrationName: 'tg' }
    const got = await call(scene.asBot, `${path}/get-or-create`, {
      ...wanted,
      tags: { 'tg:id': tag },
    })
    expect([got.body[what].id, got.body.meta, scene.invoked.length]).toEqual([
      id,
      { created: false },
      before,
    ])
    const headers = { ...scene.asBot, 'idempotency-key': `once-${path}` }
    for (const attempt of ['first', 'repeated']) {
      const { status, body } = await call(headers, `${path}/get-or-create`, {
        ...wanted,
        tags: { 'tg:id': 'another' },
      })
      expect([status, body[what]?.id, body.meta, scene.invoked.length], attempt).toEqual([
        200,
        id,
        { created: true },
        before + 1,
      ])
    }
  },
)

test.each(both)(
  '%s: requires the needed tags, and returns errors and missing results of the integration',
  async (path, what, given) => {
    const wanted = { ...given, integrationName: 'tg', tags: { 'tg:id': '7' } }
    const findError = async (body: object) => {
      const answer = await call(scene.asBot, path, body)
      return `${answer.status} ${answer.body.type}: ${answer.body.message}`
    }
    const before = scene.invoked.length
    expect(await findError({ ...wanted, tags: {} })).toBe(
      `400 InvalidPayload: Integration "tg" requires the tag "id" to create a ${what}`,
    )
    expect(scene.invoked.length).toBe(before)
    for (const body of [
      {},
      { [what]: {} },
      { [what]: { id: 'unknown' } },
      { [what]: 'x' },
      'no json',
    ]) {
      scene.answerWith(() => ({ body }))
      expect(await findError(wanted), JSON.stringify(body)).toBe(
        `400 InvalidPayload: Integration "tg" created no ${what} for these tags`,
      )
    }
    scene.answerWith(() => ({
      status: 400,
      body: { code: 400, type: 'Runtime', id: 'err_1', message: 'Not on our lists' },
    }))
    expect(await findError(wanted)).toBe('400 Runtime: Not on our lists')
  },
)

test.each(both)(
  '%s: an integration creates its own without being called',
  async (path, what, given) => {
    const before = scene.invoked.length
    const { status, body } = await call(scene.asTg, path, {
      ...given,
      tags: { id: 'own' },
    })
    expect([status, body[what].tags, scene.invoked.length]).toEqual([
      201,
      { id: 'own' },
      before,
    ])
  },
)
