// Failed credentials of one hosted process, and 429 responses to its calls, with real processes in
// each isolation tier of this machine.
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  availableIsolations,
  getTier,
  type Tier,
} from '../../../../../sandbox/src/isolation.ts'
import { findLauncher } from '../../../../../sandbox/src/launch.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { tiers, warnOfMissingTools } from '../../../../test/support/tiers.ts'
import { type App, openApp } from '../../../app/app.ts'
import { findInstallation } from '../../catalog/installations/installations.ts'
import { readConfig } from '../../config/config.ts'

const only =
  (tier: Tier): typeof findLauncher =>
  (options) =>
    findLauncher({
      ...options,
      isolations: availableIsolations().filter((way) => getTier(way) === tier),
    })

const onMessage = (code: string) => `
  const api = process.env.BP_API_URL, bot = process.env.BP_BOT_ID
  const call = (path, body, token = process.env.BP_TOKEN) => fetch(api + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: 'Bearer ' + token, 'x-bot-id': bot, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = async ({ conversation }, text) => {
    const body = { conversationId: conversation.id, userId: bot, type: 'text', payload: { text }, tags: {} }
    const reply = await call('/v1/chat/messages', body)
    if (!reply.ok) throw new Error('answered ' + reply.status)
  }
  let count = 0
  exports.handler = async (request) => {
    if (request.headers['x-bp-operation'] !== 'event_received') return
    const { event } = JSON.parse(request.body)
    if (event.type !== 'message_created') return
    count += 1
    ${code}
  }`

/** Tries 60 wrong tokens, then sends the number of 401 responses and the status for its own key. */
const guessing = onMessage(`
  const statuses = []
  for (let i = 0; i < 60; i++) statuses.push((await call('/v1/chat/users', null, 'bp_bak_' + i)).status)
  const own = (await call('/v1/chat/users')).status
  await answer(event.payload, JSON.stringify([statuses.filter((one) => one === 401).length, own]))`)
const healthy = onMessage(`await answer(event.payload, 'hello')`)

interface Talk {
  botId: string
  /** Sends one message. */
  say(app: App): Promise<void>
  /** Texts of the bot, oldest first. */
  heard(app: App): Promise<string[]>
}

async function openTalk(scene: Scene, code: string): Promise<Talk> {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { code },
  })
  const botId = body.bot.id
  const { webhook_id: webhookId } = (await findInstallation(
    scene.app.services.db,
    botId,
    'chat',
  ))!
  const chat = `/chat/${webhookId}`
  const { body: user } = await scene.call('POST', `${chat}/users`, { body: {} })
  const headers = { 'x-user-key': user.key }
  const { body: made } = await scene.call('POST', `${chat}/conversations`, {
    headers,
    body: {},
  })
  const conversationId = made.conversation.id
  return {
    botId,
    async say({ server }) {
      const payload = { conversationId, payload: { type: 'text', text: 'hi' } }
      const reply = await server.inject({
        method: 'POST',
        url: `${chat}/messages`,
        headers,
        payload,
      })
      expect(reply.statusCode).toBe(201)
    },
    async heard({ services: { db } }) {
      const rows = await db
        .selectFrom('message')
        .select('payload')
        .where('bot_id', '=', botId)
        .where('direction', '=', 'outgoing')
        .orderBy('id')
        .execute()
      return rows.map(({ payload }) => (payload as { text: string }).text)
    },
  }
}

const deadLetters = async (app: App, scene: Scene, botId: string) => {
  const headers = { ...scene.asBot, 'x-bot-id': botId }
  const reply = await app.server.inject({ url: '/v1/platform/dead-letters', headers })
  expect(reply.statusCode).toBe(200)
  return reply.json<{ deadLetters: { attempts: number }[] }>().deadLetters
}

warnOfMissingTools()

describe.each(tiers)('tier %i', (tier) => {
  test('limits neither other bots nor the owner after wrong tokens of one bot, also after a restart', {
    timeout: 90_000,
  }, async () => {
    const { limits } = readConfig({})
    const scene = await openScene({ findLauncher: only(tier), config: { limits } })
    await scene.listen()
    const hostile = await openTalk(scene, guessing)
    const others = await Promise.all(
      Array.from({ length: 4 }, () => openTalk(scene, healthy)),
    )
    await hostile.say(scene.app)
    await vi.waitFor(
      async () => expect(await hostile.heard(scene.app)).toEqual(['[20,200]']),
      20_000,
    )
    const { config } = scene.app.services
    await scene.app.close()

    // The caches are empty now, and the earlier failures were stored.
    const { connection, masterKey, chatKey } = scene
    const again = await openApp({
      config,
      log: pino({ level: 'silent' }),
      connection,
      masterKey,
      chatKey,
      findLauncher: only(tier),
    })
    again.address.api = await again.server.listen({ host: '127.0.0.1', port: 0 })
    for (let i = 0; i < 30; i++) {
      const headers = { ...scene.asBot, authorization: `Bearer bp_pat_${i}` }
      expect(
        (await fetch(`${again.address.api}/v1/chat/users`, { headers })).status,
      ).toBe(i < 20 ? 401 : 429)
    }
    await hostile.say(again)
    await vi.waitFor(
      async () => expect(await hostile.heard(again)).toEqual(['[20,200]', '[20,200]']),
      20_000,
    )
    await Promise.all(others.map((talk) => talk.say(again)))
    await vi.waitFor(async () => {
      for (const talk of others) expect(await talk.heard(again)).toEqual(['hello'])
    }, 20_000)
    for (const talk of others)
      expect(await deadLetters(again, scene, talk.botId)).toEqual([])
    const owner = await fetch(`${again.address.api}/v1/admin/bots`, {
      headers: scene.admin,
    })
    expect(owner.status).toBe(200)
    await again.close()
    await scene.close()
  })
})

describe('a delivery whose handler received 429', () => {
  let scene: Scene
  beforeAll(async () => {
    const { limits } = readConfig({ BOTSTEAD_LIMIT_REQUESTS_PER_SECOND: '10' })
    scene = await openScene({ config: { limits } })
    await scene.listen()
  })
  afterAll(() => scene.close())

  /** The first `floods` attempts exceed the request limit and fail. */
  const flooding = (floods: number) =>
    onMessage(`
      if (count <= ${floods}) {
        const replies = await Promise.all(Array.from({ length: 12 }).map(() => call('/v1/chat/users')))
        if (replies.some(({ status }) => status === 429)) throw new Error('too fast')
      }
      await answer(event.payload, 'after ' + count)`)

  test('is postponed without counting an attempt, at most five times', {
    timeout: 60_000,
  }, async () => {
    const [slowing, endless] = [
      await openTalk(scene, flooding(4)),
      await openTalk(scene, flooding(1_000)),
    ]
    await Promise.all([slowing.say(scene.app), endless.say(scene.app)])
    await vi.waitFor(
      async () => expect(await slowing.heard(scene.app)).toEqual(['after 5']),
      30_000,
    )
    await vi.waitFor(
      async () =>
        expect(await deadLetters(scene.app, scene, endless.botId)).toMatchObject([
          { attempts: 3 },
        ]),
      30_000,
    )
  })
})
