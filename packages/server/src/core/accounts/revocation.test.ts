// Revoked access ends at once on the server that revokes it, and within a second on every other
// server on the same database, despite caches. The other server is a separate process.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningServer, runServer } from '../../../test/support/running-server.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { openSseReader } from '../../../test/support/sse-reader.ts'
import {
  asAdmin,
  bearing,
  type Headers,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'
import type { ConnectionSettings } from '../db/database.ts'

let scene: Scene
let there: RunningServer
let here: string
let tenant: Tenant

beforeAll(async () => {
  scene = await openScene()
  here = await scene.listen()
  tenant = await makeTenant(scene, 'tenant')
  const keys = {
    BOTSTEAD_CHAT_KEY: scene.chatKey,
    BOTSTEAD_MASTER_KEY: scene.masterKey.toString('hex'),
  }
  there = await runServer({ ...keys, DATABASE_URL: toAddress(scene.connection) })
}, 90_000)
afterAll(async () => {
  await there?.remove()
  await scene?.close()
}, 60_000)

/**
 * Settings as a DATABASE_URL. The test server may listen on a socket in a folder; then the host
 * name is ignored.
 */
function toAddress({
  connectionString,
  user,
  database,
  host,
  port,
  password,
}: ConnectionSettings): string {
  if (connectionString) return connectionString
  const given = {
    host: String(host),
    ...(port && { port: String(port) }),
    ...(typeof password === 'string' && { password }),
  }
  return `postgres://${user}@localhost/${database}?${new URLSearchParams(given)}`
}

interface Request {
  method?: string
  path: string
  headers: Headers
  body?: unknown
}
const send = async (server: string, { method = 'GET', path, headers, body }: Request) => {
  const json =
    body === undefined
      ? {}
      : {
          body: JSON.stringify(body),
          headers: { ...headers, 'content-type': 'application/json' },
        }
  const reply = await fetch(server + path, { method, headers, ...json })
  // biome-ignore lint/suspicious/noExplicitAny: the body of any operation
  return { status: reply.status, body: (await reply.json()) as any }
}
/** Returns the first status other than 200 within this time, else 200. */
async function rejectionWithin(
  ms: number,
  server: string,
  request: Request,
): Promise<number> {
  for (const until = performance.now() + ms; performance.now() < until; await pause(20)) {
    const { status } = await send(server, request)
    if (status !== 200) return status
  }
  return 200
}

/** The server that revokes, and the other one. */
const directions: [string, () => [near: string, far: string]][] = [
  ['here', () => [here, there.credentials.url]],
  ['by the other server', () => [there.credentials.url, here]],
]

describe.each(directions)('revoked %s, access ends for', (_, servers) => {
  test('a personal access token', async () => {
    const [near, far] = servers()
    const { body } = await send(near, {
      method: 'POST',
      path: '/v1/admin/account/pats',
      headers: bearing(tenant.token),
      body: { note: '' },
    })
    const use = {
      path: '/v1/admin/bots',
      headers: { ...asAdmin(tenant), ...bearing(body.pat.value) },
    }
    for (const server of [near, far, far])
      expect((await send(server, use)).status, server).toBe(200)
    expect(
      (
        await send(near, {
          method: 'DELETE',
          path: `/v1/admin/account/pats/${body.pat.id}`,
          headers: bearing(tenant.token),
        })
      ).status,
    ).toBe(200)
    expect((await send(near, use)).status).toBe(401)
    expect(await rejectionWithin(1_000, far, use)).toBe(401)
  })

  test('a bot key', async () => {
    const [near, far] = servers()
    const [botId] = tenant.things.bot
    const { body } = await send(near, {
      method: 'POST',
      path: '/v1/admin/bots/baks',
      headers: asAdmin(tenant),
      body: { botId },
    })
    const use = {
      path: '/v1/chat/users',
      headers: { ...bearing(body.value), 'x-bot-id': botId! },
    }
    for (const server of [near, far, far])
      expect((await send(server, use)).status, server).toBe(200)
    expect(
      (
        await send(near, {
          method: 'DELETE',
          path: `/v1/admin/bots/baks/${body.id}`,
          headers: asAdmin(tenant),
        })
      ).status,
    ).toBe(200)
    expect((await send(near, use)).status).toBe(401)
    expect(await rejectionWithin(1_000, far, use)).toBe(401)
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
    const { body } = await send(near, made)
    const use = {
      path: '/v1/chat/users',
      headers: { ...bearing(body.value), 'x-bot-id': botId! },
    }
    for (const server of [near, far, far])
      expect((await send(server, use)).status, server).toBe(200)
    expect(
      (
        await send(near, {
          method: 'DELETE',
          path: `/v1/admin/integrations/iaks/${body.id}`,
          headers: asAdmin(tenant),
        })
      ).status,
    ).toBe(200)
    expect((await send(near, use)).status).toBe(401)
    expect(await rejectionWithin(1_000, far, use)).toBe(401)
  })

  test('a member of the workspace, and one hidden from a bot by its allow-list', async () => {
    const [near, far] = servers()
    const [botId] = tenant.things.bot
    const headers = asAdmin(tenant)
    const invited = {
      method: 'POST',
      path: '/v1/admin/workspace-members',
      headers,
      body: { email: `${near.length}-${Date.now()}@example.org`, role: 'developer' },
    }
    const { body: member } = await send(near, invited)
    const { body: first } = await send(near, {
      method: 'POST',
      path: `/v1/platform/members/${member.id}/token`,
      headers,
      body: {},
    })
    const look = {
      path: '/v1/chat/users',
      headers: { ...bearing(first.pat.value), 'x-bot-id': botId! },
    }
    const list = {
      path: '/v1/admin/bots',
      headers: { ...headers, ...bearing(first.pat.value) },
    }
    for (const use of [look, list])
      for (const server of [near, far, far])
        expect((await send(server, use)).status, `${use.path} at ${server}`).toBe(200)
    const restricted = (setting: string) =>
      send(near, {
        method: 'PUT',
        path: `/v1/admin/bots/${botId}/allowlist`,
        headers,
        body: { setting },
      })
    expect((await restricted('SELECTED_USERS')).status).toBe(200)
    expect((await send(near, look)).status).toBe(404)
    expect(await rejectionWithin(1_000, far, look)).toBe(404)
    await restricted('ALL_WORKSPACE_USERS')
    expect(
      (
        await send(near, {
          method: 'DELETE',
          path: `/v1/admin/workspace-members/${member.id}`,
          headers,
        })
      ).status,
    ).toBe(200)
    expect((await send(near, list)).status).toBe(401)
    expect(await rejectionWithin(1_000, far, list)).toBe(401)
    expect(await rejectionWithin(1_000, far, look)).toBe(404)
  })

  test('a deleted bot, with its keys, integrations and chat', async () => {
    const [near, far] = servers()
    const { body: made } = await send(near, {
      method: 'POST',
      path: '/v1/admin/bots',
      headers: asAdmin(tenant),
      body: {},
    })
    const { body: key } = await send(near, {
      method: 'POST',
      path: '/v1/admin/bots/baks',
      headers: asAdmin(tenant),
      body: { botId: made.bot.id },
    })
    const [chat] = Object.values(made.bot.integrations) as { webhookId: string }[]
    const { body: user } = await send(near, {
      method: 'POST',
      path: `/chat/${chat!.webhookId}/users`,
      headers: {},
      body: {},
    })
    const uses: Request[] = [
      {
        path: '/v1/chat/users',
        headers: { ...bearing(key.value), 'x-bot-id': made.bot.id },
      },
      {
        path: '/v1/files',
        headers: { ...bearing(tenant.token), 'x-bot-id': made.bot.id },
      },
      { path: `/chat/${chat!.webhookId}/users/me`, headers: { 'x-user-key': user.key } },
    ]
    for (const use of uses)
      for (const server of [near, far, far])
        expect((await send(server, use)).status, `${use.path} at ${server}`).toBe(200)
    expect(
      (
        await send(near, {
          method: 'DELETE',
          path: `/v1/admin/bots/${made.bot.id}`,
          headers: asAdmin(tenant),
        })
      ).status,
    ).toBe(200)
    for (const use of uses)
      expect((await send(near, use)).status, use.path).toBeGreaterThan(400)
    for (const use of uses)
      expect(await rejectionWithin(1_000, far, use), use.path).toBeGreaterThan(400)
  })

  test('a removed participant, whose stream at the other server ends', async () => {
    const [near, far] = servers()
    const chat = `/chat/${tenant.things.webhook[0]}`
    const [conversationId] = tenant.things.chatConversation
    const { body: guest } = await send(near, {
      method: 'POST',
      path: `${chat}/users`,
      headers: {},
      body: {},
    })
    const owner = { 'x-user-key': tenant.userKey }
    const participants = `${chat}/conversations/${conversationId}/participants`
    expect(
      (
        await send(near, {
          method: 'POST',
          path: participants,
          headers: owner,
          body: { userId: guest.user.id },
        })
      ).status,
    ).toBe(200)
    const reader = openSseReader(
      () => `${far}${chat}/conversations/${conversationId}/listen`,
      guest.key,
    )
    expect(await reader.open()).toBe(200)
    expect(
      (
        await send(near, {
          method: 'DELETE',
          path: `${participants}/${guest.user.id}`,
          headers: owner,
        })
      ).status,
    ).toBe(200)
    expect(
      await Promise.race([reader.ended().then(() => 'ended'), pause(1_000, 'continues')]),
    ).toBe('ended')
    expect(await reader.open()).toBe(403)
  })

  test('user keys after a change of the encryption key: streams end on both servers', async () => {
    const [near, far] = servers()
    const headers = asAdmin(tenant)
    const { body: made } = await send(near, {
      method: 'POST',
      path: '/v1/admin/bots',
      headers,
      body: {},
    })
    const [[alias, { webhookId }]] = Object.entries(made.bot.integrations) as [
      [string, { webhookId: string }],
    ]
    const chat = `/chat/${webhookId}`
    const { body: user } = await send(near, {
      method: 'POST',
      path: `${chat}/users`,
      headers: {},
      body: {},
    })
    const { body: talk } = await send(near, {
      method: 'POST',
      path: `${chat}/conversations`,
      headers: { 'x-user-key': user.key },
      body: {},
    })
    const listen = `${chat}/conversations/${talk.conversation.id}/listen`
    const readers = [near, far].map((server) =>
      openSseReader(() => server + listen, user.key),
    )
    for (const reader of readers) expect(await reader.open()).toBe(200)
    const socket = new WebSocket(
      `${far.replace('http', 'ws')}${listen}?x-user-key=${user.key}`,
    )
    await once(socket, 'open')
    const ends = [...readers.map((reader) => reader.ended()), once(socket, 'close')].map(
      (end) => end.then(() => 'ended'),
    )
    const configured = (configuration: object) =>
      send(near, {
        method: 'PUT',
        path: `/v1/admin/bots/${made.bot.id}`,
        headers,
        body: { integrations: { [alias]: { configuration } } },
      })
    const outcomes = (ms: number) =>
      Promise.all(ends.map((end) => Promise.race([end, pause(ms, 'continues')])))
    expect((await configured({})).status).toBe(200)
    expect(await outcomes(100)).toEqual(['continues', 'continues', 'continues'])
    expect((await configured({ encryptionKey: 'k'.repeat(32) })).status).toBe(200)
    expect(await outcomes(2_000)).toEqual(['ended', 'ended', 'ended'])
    for (const reader of readers) expect(await reader.open()).toBe(401)
  })
})

test('both servers are running and answer for themselves', async () => {
  expect(there.pid()).not.toBe(process.pid)
  for (const server of [here, there.credentials.url])
    expect(
      (await send(server, { path: '/v1/admin/bots', headers: asAdmin(tenant) })).status,
      server,
    ).toBe(200)
})
