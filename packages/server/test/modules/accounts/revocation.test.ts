// What is taken back is taken back everywhere: here at once, and within a second in every other server on the same database, whatever it
// remembers. The other server is a process of its own, as it would be.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ConnectionSettings } from '../../../src/infra/db/open.ts'
import { type RunningServer, runServer } from '../../support/running-server.ts'
import { openScene, type Scene } from '../../support/scene.ts'
import { makeReader } from '../../support/sse-reader.ts'
import { asAdmin, bearing, type Headers, makeTenant, type Tenant } from '../../support/tenants.ts'

let scene: Scene
let there: RunningServer
let here: string
let tenant: Tenant

beforeAll(async () => {
  scene = await openScene()
  here = await scene.listen()
  tenant = await makeTenant(scene, 'tenant')
  const keys = { BOTSTEAD_CHAT_KEY: scene.chatKey, BOTSTEAD_MASTER_KEY: scene.masterKey.toString('hex') }
  there = await runServer({ ...keys, DATABASE_URL: addressOf(scene.connection) })
}, 90_000)
afterAll(async () => {
  await there?.remove()
  await scene?.close()
}, 60_000)

/** As DATABASE_URL says it. The test's own server is behind a socket in a folder: then the host in front is a word only. */
function addressOf({ connectionString, user, database, host, port, password }: ConnectionSettings): string {
  if (connectionString) return connectionString
  const given = {
    host: String(host),
    ...(port && { port: String(port) }),
    ...(typeof password === 'string' && { password }),
  }
  return `postgres://${user}@localhost/${database}?${new URLSearchParams(given)}`
}

interface Asked {
  method?: string
  path: string
  headers: Headers
  body?: unknown
}
const ask = async (server: string, { method = 'GET', path, headers, body }: Asked) => {
  const json =
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
  const reply = await fetch(server + path, { method, headers, ...json })
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
  return { status: reply.status, body: (await reply.json()) as any }
}
/** What a server answers once it no longer answers 200, if that is within a second. */
async function refusalWithin(ms: number, server: string, asked: Asked): Promise<number> {
  for (const until = performance.now() + ms; performance.now() < until; await pause(20)) {
    const { status } = await ask(server, asked)
    if (status !== 200) return status
  }
  return 200
}

/** Where it is revoked, and who has to hear of it. */
const directions: [string, () => [string, string]][] = [
  ['here', () => [here, there.credentials.url]],
  ['by the other server', () => [there.credentials.url, here]],
]

describe.each(directions)('revoked %s', (_, servers) => {
  test('a personal access token', async () => {
    const [near, far] = servers()
    const { body } = await ask(near, {
      method: 'POST',
      path: '/v1/admin/account/pats',
      headers: bearing(tenant.token),
      body: { note: '' },
    })
    const use = { path: '/v1/admin/bots', headers: { ...asAdmin(tenant), ...bearing(body.pat.value) } }
    for (const server of [near, far, far]) expect((await ask(server, use)).status).toBe(200)
    expect(
      (
        await ask(near, {
          method: 'DELETE',
          path: `/v1/admin/account/pats/${body.pat.id}`,
          headers: bearing(tenant.token),
        })
      ).status,
    ).toBe(200)
    expect((await ask(near, use)).status).toBe(401)
    expect(await refusalWithin(1_000, far, use)).toBe(401)
  })

  test('a bot key', async () => {
    const [near, far] = servers()
    const [botId] = tenant.things.bot
    const { body } = await ask(near, {
      method: 'POST',
      path: '/v1/admin/bots/baks',
      headers: asAdmin(tenant),
      body: { botId },
    })
    const use = { path: '/v1/chat/users', headers: { ...bearing(body.value), 'x-bot-id': botId! } }
    for (const server of [near, far, far]) expect((await ask(server, use)).status).toBe(200)
    expect(
      (
        await ask(near, {
          method: 'DELETE',
          path: `/v1/admin/bots/baks/${body.id}`,
          headers: asAdmin(tenant),
        })
      ).status,
    ).toBe(200)
    expect((await ask(near, use)).status).toBe(401)
    expect(await refusalWithin(1_000, far, use)).toBe(401)
  })

  test('an integration key', async () => {
    const [near, far] = servers()
    const [botId] = tenant.things.bot
    const made = {
      method: 'POST',
      path: '/v1/admin/integrations/iaks',
      headers: asAdmin(tenant),
      body: { integrationId: tenant.things.integration[0] },
    }
    const { body } = await ask(near, made)
    const use = { path: '/v1/chat/users', headers: { ...bearing(body.value), 'x-bot-id': botId! } }
    for (const server of [near, far, far]) expect((await ask(server, use)).status).toBe(200)
    expect(
      (
        await ask(near, {
          method: 'DELETE',
          path: `/v1/admin/integrations/iaks/${body.id}`,
          headers: asAdmin(tenant),
        })
      ).status,
    ).toBe(200)
    expect((await ask(near, use)).status).toBe(401)
    expect(await refusalWithin(1_000, far, use)).toBe(401)
  })

  test('a place in the workspace, and sight of a bot', async () => {
    const [near, far] = servers()
    const [botId] = tenant.things.bot
    const headers = asAdmin(tenant)
    const invited = {
      method: 'POST',
      path: '/v1/admin/workspace-members',
      headers,
      body: { email: `${near.length}-${Date.now()}@example.org`, role: 'developer' },
    }
    const { body: member } = await ask(near, invited)
    const { body: first } = await ask(near, {
      method: 'POST',
      path: `/v1/platform/members/${member.id}/token`,
      headers,
      body: {},
    })
    const look = { path: '/v1/chat/users', headers: { ...bearing(first.pat.value), 'x-bot-id': botId! } }
    const list = { path: '/v1/admin/bots', headers: { ...headers, ...bearing(first.pat.value) } }
    for (const use of [look, list])
      for (const server of [near, far, far]) expect((await ask(server, use)).status).toBe(200)
    const restricted = (setting: string) =>
      ask(near, { method: 'PUT', path: `/v1/admin/bots/${botId}/allowlist`, headers, body: { setting } })
    expect((await restricted('SELECTED_USERS')).status).toBe(200)
    expect((await ask(near, look)).status).toBe(404)
    expect(await refusalWithin(1_000, far, look)).toBe(404)
    await restricted('ALL_WORKSPACE_USERS')
    expect(
      (await ask(near, { method: 'DELETE', path: `/v1/admin/workspace-members/${member.id}`, headers }))
        .status,
    ).toBe(200)
    expect((await ask(near, list)).status).toBe(401)
    expect(await refusalWithin(1_000, far, list)).toBe(401)
    expect(await refusalWithin(1_000, far, look)).toBe(404)
  })

  test('a bot, with its keys, its integrations and its chat', async () => {
    const [near, far] = servers()
    const { body: made } = await ask(near, {
      method: 'POST',
      path: '/v1/admin/bots',
      headers: asAdmin(tenant),
      body: {},
    })
    const { body: key } = await ask(near, {
      method: 'POST',
      path: '/v1/admin/bots/baks',
      headers: asAdmin(tenant),
      body: { botId: made.bot.id },
    })
    const [chat] = Object.values(made.bot.integrations) as { webhookId: string }[]
    const { body: user } = await ask(near, {
      method: 'POST',
      path: `/chat/${chat!.webhookId}/users`,
      headers: {},
      body: {},
    })
    const uses = [
      { path: '/v1/chat/users', headers: { ...bearing(key.value), 'x-bot-id': made.bot.id } },
      { path: '/v1/files', headers: { ...bearing(tenant.token), 'x-bot-id': made.bot.id } },
      { path: `/chat/${chat!.webhookId}/users/me`, headers: { 'x-user-key': user.key } },
    ]
    for (const use of uses)
      for (const server of [near, far, far]) expect((await ask(server, use)).status).toBe(200)
    expect(
      (await ask(near, { method: 'DELETE', path: `/v1/admin/bots/${made.bot.id}`, headers: asAdmin(tenant) }))
        .status,
    ).toBe(200)
    for (const use of uses) expect((await ask(near, use)).status).toBeGreaterThan(400)
    for (const use of uses) expect(await refusalWithin(1_000, far, use)).toBeGreaterThan(400)
  })

  test("a user's part in a conversation: the stream that the other server holds ends", async () => {
    const [near, far] = servers()
    const chat = `/chat/${tenant.things.webhook[0]}`
    const [conversationId] = tenant.things.chatConversation
    const { body: guest } = await ask(near, { method: 'POST', path: `${chat}/users`, headers: {}, body: {} })
    const owner = { 'x-user-key': tenant.userKey }
    const place = `${chat}/conversations/${conversationId}/participants`
    expect(
      (await ask(near, { method: 'POST', path: place, headers: owner, body: { userId: guest.user.id } }))
        .status,
    ).toBe(200)
    const reader = makeReader(() => `${far}${chat}/conversations/${conversationId}/listen`, guest.key)
    expect(await reader.open()).toBe(200)
    expect(
      (await ask(near, { method: 'DELETE', path: `${place}/${guest.user.id}`, headers: owner })).status,
    ).toBe(200)
    expect(await Promise.race([reader.ended().then(() => 'ended'), pause(1_000, 'goes on')])).toBe('ended')
    expect(await reader.open()).toBe(403)
  })

  test('an encryption key: streams of keys that it did not sign end, here and there', async () => {
    const [near, far] = servers()
    const headers = asAdmin(tenant)
    const { body: made } = await ask(near, { method: 'POST', path: '/v1/admin/bots', headers, body: {} })
    const [[alias, { webhookId }]] = Object.entries(made.bot.integrations) as [
      [string, { webhookId: string }],
    ]
    const chat = `/chat/${webhookId}`
    const { body: user } = await ask(near, { method: 'POST', path: `${chat}/users`, headers: {}, body: {} })
    const { body: talk } = await ask(near, {
      method: 'POST',
      path: `${chat}/conversations`,
      headers: { 'x-user-key': user.key },
      body: {},
    })
    const listen = `${chat}/conversations/${talk.conversation.id}/listen`
    const readers = [near, far].map((server) => makeReader(() => server + listen, user.key))
    for (const reader of readers) expect(await reader.open()).toBe(200)
    const socket = new WebSocket(`${far.replace('http', 'ws')}${listen}?x-user-key=${user.key}`)
    await once(socket, 'open')
    const ends = [...readers.map((reader) => reader.ended()), once(socket, 'close')].map((end) =>
      end.then(() => 'ended'),
    )
    const configured = (configuration: object) =>
      ask(near, {
        method: 'PUT',
        path: `/v1/admin/bots/${made.bot.id}`,
        headers,
        body: { integrations: { [alias]: { configuration } } },
      })
    const outcomes = (ms: number) => Promise.all(ends.map((end) => Promise.race([end, pause(ms, 'goes on')])))
    expect((await configured({})).status).toBe(200)
    expect(await outcomes(100)).toEqual(['goes on', 'goes on', 'goes on'])
    expect((await configured({ encryptionKey: 'k'.repeat(32) })).status).toBe(200)
    expect(await outcomes(2_000)).toEqual(['ended', 'ended', 'ended'])
    for (const reader of readers) expect(await reader.open()).toBe(401)
  })
})

test('both are alive, and each answers for itself', async () => {
  expect(there.pid()).not.toBe(process.pid)
  for (const server of [here, there.credentials.url])
    expect((await ask(server, { path: '/v1/admin/bots', headers: asAdmin(tenant) })).status).toBe(200)
})
