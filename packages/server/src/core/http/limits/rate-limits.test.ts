// Rate limits, exact to one request, on a clock that the test advances.
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { openApp } from '../../../app/app.ts'
import { createTokenValue } from '../../accounts/token-format.ts'
import { readConfig } from '../../config/config.ts'

const clock = { now: 1_000_000 }
const later = (seconds: number) => {
  clock.now += seconds * 1_000
}
const limited = (limits: Record<string, number>) => {
  const env = Object.entries(limits).map(([name, value]) => [
    `BOTSTEAD_LIMIT_${name}`,
    String(value),
  ])
  const {
    limits: read,
    publicLimits,
    trustProxy,
  } = readConfig({
    BOTSTEAD_TRUST_PROXY: '1',
    ...Object.fromEntries(env),
  })
  return { clock: () => clock.now, config: { limits: read, publicLimits, trustProxy } }
}
interface Reply {
  statusCode: number
  headers: Record<string, unknown>
  json(): unknown
}
const shown = ({ headers }: Reply) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map(
    (name) => headers[name],
  )

function expectRefused(reply: Reply, limit: number, seconds: number) {
  expect([reply.statusCode, shown(reply)]).toEqual([
    429,
    [String(limit), '0', String(seconds), String(seconds)],
  ])
  expectTyped(429, reply.json(), 'RateLimited')
}

async function call(
  scene: Scene,
  method: InjectOptions['method'],
  url: string,
  headers: Record<string, string>,
  payload?: object,
  remoteAddress = '127.0.0.1',
) {
  return scene.app.server.inject({
    method: method!,
    url,
    headers,
    remoteAddress,
    ...(payload && { payload }),
  })
}
const countRows = async (scene: Scene, table: 'message' | 'event' | 'user') =>
  Number(
    (
      await scene.app.services.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('without settings', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('limits nothing and sends no rate-limit headers', async () => {
    const replies = await Promise.all(
      Array.from({ length: 110 }, () =>
        call(scene, 'GET', '/v1/chat/users/none', scene.asBot),
      ),
    )
    expect(
      replies.filter(
        (reply) =>
          reply.statusCode !== 404 || shown(reply).some((value) => value !== undefined),
      ),
    ).toEqual([])
  })
})

describe('requests', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(limited({ REQUESTS_PER_SECOND: 5 }))
  })
  afterAll(() => scene.close())
  const list = (headers: Record<string, string>, address?: string) =>
    call(scene, 'GET', '/v1/chat/users', headers, undefined, address)

  test('accepts the allowed number and rejects one more until the second ends', async () => {
    later(10)
    for (let left = 4; left >= 0; left--) {
      const reply = await list(scene.asBot)
      expect([reply.statusCode, shown(reply)]).toEqual([
        200,
        ['5', String(left), left > 0 ? '1' : '2', undefined],
      ])
    }
    expectRefused(await list(scene.asBot), 5, 2)
    later(0.5)
    expectRefused(await list(scene.asBot), 5, 1)
    later(0.52)
    expect((await list(scene.asBot)).statusCode).toBe(200)
  })

  test('counts each token and each chat user separately', async () => {
    later(10)
    const [ann, bob] = [await scene.chatUser(), await scene.chatUser()]
    const mine = (headers: Record<string, string>) =>
      call(scene, 'GET', `/chat/${scene.webhookId}/users/me`, headers)
    for (let i = 0; i < 5; i++)
      expect([
        (await list(scene.asBot)).statusCode,
        (await mine(ann.headers)).statusCode,
      ]).toEqual([200, 200])
    expectRefused(await mine(ann.headers), 5, 2)
    expect((await mine(bob.headers)).statusCode).toBe(200)
    const { body } = await scene.call('POST', '/v1/admin/bots/baks', {
      headers: scene.admin,
      body: { botId: scene.botId, note: 'more' },
    })
    expect([body.type ?? 'made']).toEqual(['RateLimited'])
  })

  test('counts callers without valid credentials by address, and sends the limits with errors', async () => {
    later(10)
    const wrong = { authorization: 'Bearer wrong' }
    for (let i = 0; i < 5; i++) {
      const reply = await list(wrong, '1.1.1.1')
      expect([reply.statusCode, shown(reply)[1]]).toEqual([401, String(4 - i)])
    }
    expectRefused(await list({}, '1.1.1.1'), 5, 2)
    expect((await list({}, '1.1.1.2')).statusCode).toBe(401)
    expect((await list(scene.asBot, '1.1.1.1')).statusCode).toBe(200)
  })
})

describe('messages', () => {
  let scene: RuntimeScene
  beforeAll(async () => {
    scene = await openRuntimeScene(
      limited({ MESSAGES_PER_MINUTE: 6, USER_MESSAGES_PER_MINUTE: 4 }),
    )
  })
  afterAll(() => scene.close())

  test('of one bot: rejects those over the limit, without effect', async () => {
    later(120)
    const [ann, bob] = [await scene.chatUser(), await scene.chatUser()]
    const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers: ann.headers,
      body: {},
    })
    const conversationId = body.conversation.id
    await scene.call(
      'POST',
      `/chat/${scene.webhookId}/conversations/${conversationId}/participants`,
      {
        headers: ann.headers,
        body: { userId: bob.id },
      },
    )
    const say = (headers: Record<string, string>) =>
      call(scene, 'POST', `/chat/${scene.webhookId}/messages`, headers, {
        conversationId,
        payload: { type: 'text', text: 'x' },
      })
    const nod = (headers: Record<string, string>) =>
      call(scene, 'POST', `/chat/${scene.webhookId}/events`, headers, {
        conversationId,
        payload: { type: 'custom', data: {} },
      })
    const before = [
      await countRows(scene, 'message'),
      await countRows(scene, 'event'),
    ] as const

    for (let i = 0; i < 3; i++) expect((await say(ann.headers)).statusCode).toBe(201)
    expect((await nod(ann.headers)).statusCode).toBe(201)
    expectRefused(await say(ann.headers), 4, 61)
    expectRefused(await nod(ann.headers), 4, 61)
    // Invalid bodies are not counted.
    for (let i = 0; i < 5; i++)
      expect(
        (await call(scene, 'POST', `/chat/${scene.webhookId}/messages`, bob.headers, {}))
          .statusCode,
      ).toBe(400)
    for (let i = 0; i < 2; i++) expect((await say(bob.headers)).statusCode).toBe(201)
    expectRefused(await say(bob.headers), 6, 61)
    expect([await countRows(scene, 'message'), await countRows(scene, 'event')]).toEqual([
      before[0] + 5,
      before[1] + 6,
    ])

    const asBot = {
      conversationId,
      userId: scene.botId,
      type: 'text',
      payload: { text: 'y' },
      tags: {},
    }
    expect(
      (await call(scene, 'POST', '/v1/chat/messages', scene.asBot, asBot)).statusCode,
    ).toBe(201)
    later(61)
    expect((await say(ann.headers)).statusCode).toBe(201)
  })

  test('of integrations count for their bot; other bots are not affected', async () => {
    later(120)
    const send = (headers: Record<string, string>) =>
      call(scene, 'POST', '/v1/chat/events', headers, {
        type: 'added',
        payload: { content: 'x' },
      })
    for (let i = 0; i < 6; i++)
      expect((await send(i % 2 ? scene.asOther : scene.asTg)).statusCode).toBe(201)
    expectRefused(await send(scene.asTg), 6, 61)
    expect([
      (await send(scene.asBot)).statusCode,
      (await send(scene.asStranger)).statusCode,
    ]).toEqual([201, 201])
  })
})

describe('wrong credentials', () => {
  let scene: Scene
  let user: { headers: Record<string, string> }
  beforeAll(async () => {
    scene = await openScene(limited({ FAILURES_PER_MINUTE: 20 }))
    user = await scene.chatUser()
  })
  afterAll(() => scene.close())
  const guess = (i: number, address: string, more = {}) =>
    call(
      scene,
      'GET',
      '/v1/chat/users',
      { ...scene.asBot, authorization: `Bearer bp_pat_${i}`, ...more },
      undefined,
      address,
    )
  const mine = (headers: Record<string, string>, address: string) =>
    call(scene, 'GET', `/chat/${scene.webhookId}/users/me`, headers, undefined, address)

  test('answers 429 after twenty in a minute from one address, tokens and user keys together', async () => {
    for (let i = 0; i < 10; i++) expect((await guess(i, '9.9.9.9')).statusCode).toBe(401)
    for (let i = 0; i < 10; i++)
      expect((await mine({ 'x-user-key': `a.b.${i}` }, '9.9.9.9')).statusCode).toBe(401)
    expectRefused(await guess(99, '9.9.9.9'), 20, 61)
    expectRefused(await mine({ 'x-user-key': 'a.b.c' }, '9.9.9.9'), 20, 61)
  })

  test.each([
    ['another address', '8.8.8.8'],
    ['the same address', '9.9.9.9'],
  ])('accepts valid credentials from %s', async (_, address) => {
    expect(
      (await call(scene, 'GET', '/v1/chat/users', scene.asBot, undefined, address))
        .statusCode,
    ).toBe(200)
    expect((await mine(user.headers, address)).statusCode).toBe(200)
  })

  test('accepts valid tokens and keys at their first use, from an address over the limit', async () => {
    const { body } = await scene.call('POST', '/v1/admin/account/pats', {
      headers: scene.admin,
      body: { note: 'fresh' },
    })
    const { body: key } = await scene.call('POST', '/v1/admin/bots/baks', {
      headers: scene.admin,
      body: { botId: scene.botId, note: 'fresh' },
    })
    for (const [kind, value] of Object.entries({
      token: body.pat.value,
      key: key.value,
    })) {
      const fresh = { ...scene.asBot, authorization: `Bearer ${value}` }
      expect(
        (await call(scene, 'GET', '/v1/chat/users', fresh, undefined, '9.9.9.9'))
          .statusCode,
        kind,
      ).toBe(200)
    }
    const fresh = await scene.chatUser()
    expect((await mine(fresh.headers, '9.9.9.9')).statusCode).toBe(200)
  })

  test('accepts a valid token during a flood of wrong ones from the same address', async () => {
    const { body } = await scene.call('POST', '/v1/admin/account/pats', {
      headers: scene.admin,
      body: { note: 'in a flood' },
    })
    const flood = Array.from({ length: 100 }, () =>
      guess(0, '9.9.9.9', { authorization: `Bearer ${createTokenValue('pat')}` }),
    )
    const fresh = { ...scene.asBot, authorization: `Bearer ${body.pat.value}` }
    const reply = await call(scene, 'GET', '/v1/chat/users', fresh, undefined, '9.9.9.9')
    expect(reply.statusCode).toBe(200)
    expect(
      (await Promise.all(flood)).filter(({ statusCode }) => statusCode !== 429),
    ).toEqual([])
  })

  test('does not count missing credentials or missing permissions as failures', async () => {
    for (let i = 0; i < 25; i++) {
      expect(
        (await call(scene, 'GET', '/v1/chat/users', {}, undefined, '7.7.7.7')).statusCode,
      ).toBe(401)
      expect(
        (
          await call(
            scene,
            'GET',
            '/v1/admin/bots',
            { ...scene.admin, 'x-workspace-id': 'not' },
            undefined,
            '7.7.7.7',
          )
        ).statusCode,
      ).toBe(401)
    }
    expect((await guess(1, '7.7.7.7')).statusCode).toBe(401)
  })

  test('counts by the address that the proxy adds, not by those that the caller claims', async () => {
    later(120)
    for (let i = 0; i < 20; i++)
      expect(
        (await guess(i, '10.0.0.1', { 'x-forwarded-for': `1.1.1.${i}, 6.6.6.6` }))
          .statusCode,
      ).toBe(401)
    expect(
      (await guess(1, '10.0.0.1', { 'x-forwarded-for': '6.6.6.6, 5.5.5.5' })).statusCode,
    ).toBe(401)
    expectRefused(
      await guess(1, '10.0.0.1', { 'x-forwarded-for': '5.5.5.5, 6.6.6.6' }),
      20,
      61,
    )
  })

  test('counts all addresses of an IPv6 network together', async () => {
    for (let i = 0; i < 20; i++)
      expect((await guess(i, `2001:db8::${i}:1`)).statusCode).toBe(401)
    expect([
      (await guess(1, '2001:db8::ffff:ffff')).statusCode,
      (await guess(1, '2001:db8:0:1::1')).statusCode,
    ]).toEqual([429, 401])
  })

  test('counts failures in a sliding minute', async () => {
    later(120)
    for (let i = 0; i < 20; i++) {
      await guess(i, '4.4.4.4')
      later(1)
    }
    expectRefused(await guess(1, '4.4.4.4'), 20, 41)
    later(41)
    expect([
      (await guess(1, '4.4.4.4')).statusCode,
      (await guess(1, '4.4.4.4')).statusCode,
    ]).toEqual([401, 429])
  })
})

test('limits the new chat users of one address, except for callers with the admin secret', async () => {
  const scene = await openRuntimeScene(limited({ CHAT_USERS_PER_MINUTE: 2 }))
  later(120)
  const create = (api: 'chat' | 'webchat', headers = {}, remoteAddress = '5.5.5.5') =>
    scene.app.server.inject({
      method: 'POST',
      url: `/${api}/${scene.webhookId}/users`,
      headers,
      remoteAddress,
      payload: {},
    })
  const secret = { 'x-admin-secret': 'a secret' }
  expect((await create('chat')).statusCode).toBe(201)
  // Without a secret in the configuration, the header means nothing.
  expect((await create('webchat', secret)).statusCode).toBe(201)
  const before = await countRows(scene, 'user')
  expectRefused(await create('chat'), 2, 61)
  expectRefused(await create('webchat', secret), 2, 61)
  expect(await countRows(scene, 'user')).toBe(before)
  expect((await create('chat', {}, '5.5.5.6')).statusCode).toBe(201)
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { integrations: { chat: { configuration: { adminSecret: 'a secret' } } } },
  })
  for (let i = 0; i < 4; i++)
    expect((await create('webchat', secret)).statusCode).toBe(201)
  expect((await create('webchat', { 'x-admin-secret': 'wrong' })).statusCode).toBe(401)
  later(61)
  expect((await create('chat')).statusCode).toBe(201)
  await scene.close()
})

test('limits floods from public addresses by default, and nothing behind an unknown proxy', async () => {
  const scene = await openRuntimeScene(limited({}))
  later(120)
  const inject = (url: string, address: string, more = {}) =>
    scene.app.server.inject({
      method: 'POST',
      url,
      headers: { 'x-forwarded-for': address },
      payload: {},
      ...more,
    })
  const create = (address: string) => inject(`/chat/${scene.webhookId}/users`, address)
  const codes = async (count: number, call: () => Promise<{ statusCode: number }>) => {
    const all: number[] = []
    for (let i = 0; i < count; i++) all.push((await call()).statusCode)
    return [...new Set(all)]
  }
  expect(await codes(60, () => create('5.5.5.5'))).toEqual([201])
  expectRefused(await create('5.5.5.5'), 60, 61)
  // The Webchat API creates users here, too.
  const initialize = { method: 'GET', payload: undefined }
  const path = `/webchat/${scene.webhookId}/initialize`
  expect((await inject(path, '5.5.5.5', initialize)).statusCode).toBe(429)
  for (const address of ['10.0.0.7', 'fd00::1'])
    expect([address, await codes(61, () => create(address))]).toEqual([address, [201]])

  const { key } = (await create('5.5.5.6')).json()
  const say = (address: string) => {
    const headers = { 'x-forwarded-for': address, 'x-user-key': key }
    const payload = { conversationId: 'none', payload: { type: 'text', text: 'hi' } }
    return inject(`/chat/${scene.webhookId}/messages`, address, { headers, payload })
  }
  expect(await codes(120, () => say('5.5.5.6'))).toEqual([403])
  expectRefused(await say('5.5.5.7'), 120, 61)
  expect((await say('10.0.0.7')).statusCode).toBe(403)
  await scene.close()
})

test('shares counts with other processes, and keeps them after a restart', {
  timeout: 60_000,
}, async () => {
  const scene = await openScene(
    limited({ USER_MESSAGES_PER_MINUTE: 3, FAILURES_PER_MINUTE: 3 }),
  )
  const { config } = scene.app.services
  const options = {
    config,
    log: pino({ level: 'silent' }),
    connection: scene.connection,
    masterKey: scene.masterKey,
    chatKey: scene.chatKey,
  }
  // Each process has its own clock.
  const openOther = () => openApp({ ...options, clock: () => clock.now - 777_777 })
  const guess = (app: Scene['app']) =>
    app.server.inject({
      url: '/v1/chat/users',
      headers: { ...scene.asBot, authorization: 'Bearer nothing' },
    })
  const other = await openOther()
  for (let i = 0; i < 3; i++) expect((await guess(scene.app)).statusCode).toBe(401)
  expect((await guess(scene.app)).statusCode).toBe(429)
  await vi.waitFor(
    () =>
      expect(other.services.rates.of('failures')!.look('127.0.0.1').passed).toBe(false),
    20_000,
  )
  expect((await guess(other)).statusCode).toBe(429)
  await other.close()

  const third = await openOther()
  expect((await guess(third)).statusCode).toBe(429)
  expect(
    (await third.server.inject({ url: '/v1/chat/users', headers: scene.asBot }))
      .statusCode,
  ).toBe(200)
  later(62)
  expect((await guess(third)).statusCode).toBe(401)
  await third.close()
  await scene.close()
})
