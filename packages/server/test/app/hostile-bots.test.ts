// Hostile bots beside a good one in a whole server, in each isolation tier of this machine. Each
// fails only its own event, with a reason, and the good bot, made with the official SDK, keeps
// answering.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  availableIsolations,
  getTier,
  type Tier,
} from '../../../sandbox/src/isolation.ts'
import { findLauncher } from '../../../sandbox/src/launch.ts'
import { findInstallation } from '../../src/core/catalog/installations/installations.ts'
import { readConfig } from '../../src/core/config/config.ts'
import { type ChatPeople, openChatPeople } from '../support/chat-people.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { tiers, warnOfMissingTools } from '../support/tiers.ts'

const echo = readFileSync(
  fileURLToPath(new URL('../../../../examples/echo-bot/dist/bot.cjs', import.meta.url)),
  'utf8',
)
const onEvent = (code: string) =>
  `exports.handler = async (request) => { if (request.headers['x-bp-operation'] !== 'event_received') return; ${code} }`

const hostile: [name: string, code: string, reason: RegExp, maxSeconds?: number][] = [
  ['an endless loop', 'for (;;);', /^No answer within \d+ ms$/, 2],
  ['an endless chain of promises', 'for (;;) await null', /^No answer within \d+ ms$/, 2],
  [
    'ten gigabytes',
    'const all = []; for (let i = 0; i < 1e4; i++) all.push(new Array(131072).fill(i))',
    /^The code ran out of memory \(64 MB\)$/,
  ],
  ['process.exit', 'process.exit(7)', /^The code ended its process with exit code 7$/],
  [
    'an unhandled rejection',
    'Promise.reject(new Error("nobody cares")); await new Promise(() => {})',
    /unhandled rejection: Error: nobody cares$/,
  ],
  [
    'an error in a timer',
    'setTimeout(() => { throw new Error("too late") }); await new Promise(() => {})',
    /uncaught: Error: too late$/,
  ],
  [
    'a fork bomb',
    'for (;;) require("child_process").spawn(process.execPath)',
    /Access to this API has been restricted/,
  ],
  [
    'a flood of logs',
    'for (let i = 0; i < 300; i++) process.stdout.write(("y".repeat(999) + "\\n").repeat(100)); throw new Error("hoarse")',
    /hoarse/,
  ],
  [
    'an answer without end',
    'return { status: 200, body: "z".repeat(5e6) }',
    /^The response has 5000000 bytes; the limit is 1048576$/,
  ],
]

const only =
  (tier: Tier): typeof findLauncher =>
  (options) =>
    findLauncher({
      ...options,
      isolations: availableIsolations().filter((way) => getTier(way) === tier),
    })
const limits = readConfig({ BOTSTEAD_LIMIT_INVOCATION_SECONDS: '5' }).limits

warnOfMissingTools()

describe.each(tiers)('tier %i', (tier) => {
  let scene: Scene
  const all: ChatPeople[] = []
  let good: ChatPeople
  beforeAll(async () => {
    scene = await openScene({
      code: echo,
      findLauncher: only(tier),
      config: { retrySeconds: [], botMemoryMb: 64, limits },
    })
    good = await bring(scene.botId)
  }, 60_000)
  afterAll(async () => {
    for (const people of all) people.close()
    await scene.close()
  })

  async function bring(botId: string): Promise<ChatPeople> {
    const { webhook_id: webhookId } = (await findInstallation(
      scene.app.services.db,
      botId,
      'chat',
    ))!
    const origin = await scene.listen()
    const people = await openChatPeople(() => `${origin}/chat/${webhookId}`, 1)
    all.push(people)
    return people
  }
  /** Sends a message and waits for its answer. */
  async function turn(text: string): Promise<void> {
    const [person] = good.people
    expect(await good.say(person!, text)).toMatchObject({ status: 201 })
    await vi.waitFor(async () => {
      const { body } = await good.call(
        'GET',
        `/conversations/${person!.conversationId}/messages`,
        person!.key,
      )
      expect(
        body.messages.map(({ payload }: { payload: { text: string } }) => payload.text),
      ).toContain(`Hi! You said: "${text}"`)
    }, 20_000)
  }
  async function attack(code: string, maxSeconds: number | null = null): Promise<string> {
    const { status, body } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'hostile', code: onEvent(code) },
    })
    expect(status).toBe(200)
    if (maxSeconds)
      await scene.app.services.db
        .updateTable('bot')
        .set({ max_execution_seconds: maxSeconds })
        .where('id', '=', body.bot.id)
        .execute()
    const people = await bring(body.bot.id)
    await people.say(people.people[0]!, 'hello')
    const headers = { ...scene.asBot, 'x-bot-id': body.bot.id }
    return vi.waitFor(async () => {
      const { events } = (
        await scene.call('GET', '/v1/chat/events?status=failed', { headers })
      ).body
      expect(events).toHaveLength(1)
      return events[0].failureReason as string
    }, 30_000)
  }

  test('an SDK bot answers', { timeout: 30_000 }, async () => {
    expect((await scene.app.services.health.read()).sandbox.tier).toBe(tier)
    await turn('hello')
  })

  test('each hostile bot fails alone, while the SDK bot answers', {
    timeout: 120_000,
  }, async () => {
    const failing = Promise.all(
      hostile.map(([, code, , maxSeconds]) => attack(code, maxSeconds)),
    )
    for (let i = 0; i < 5; i += 1) await turn(`and ${i}?`)
    const reasons = await failing
    expect(
      reasons.map((reason, i) => [
        hostile[i]![0],
        hostile[i]![2].test(reason) ? 'as it should' : reason,
      ]),
    ).toEqual(hostile.map(([name]) => [name, 'as it should']))
    await turn('still there?')
    expect(await scene.call('GET', '/readyz')).toMatchObject({ status: 200 })
  })
})

test('runs no code below the required tier, reports it, and keeps events pending', {
  timeout: 60_000,
}, async () => {
  const scene = await openScene({ findLauncher: only(1), config: { sandboxMinTier: 2 } })
  const refusal =
    'This server does not run hosted code: tier 2: bubblewrap (bwrap) is not installed'
  expect(await scene.call('GET', '/readyz')).toEqual({
    status: 503,
    body: { ready: false, troubles: [refusal] },
  })
  const { sandbox } = (
    await scene.call('GET', '/v1/platform/health', { headers: scene.admin })
  ).body.health
  expect(sandbox).toMatchObject({ refusal, protections: [], stops: [], processes: 0 })
  expect(sandbox).not.toHaveProperty('tier')
  expect(
    (
      await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
        headers: scene.admin,
        body: { code: echo },
      })
    ).status,
  ).toBe(200)
  const user = await scene.chatUser()
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers: user.headers,
    body: {},
  })
  const message = {
    conversationId: body.conversation.id,
    payload: { type: 'text', text: 'is anybody there?' },
  }
  expect(
    (
      await scene.call('POST', `/chat/${scene.webhookId}/messages`, {
        headers: user.headers,
        body: message,
      })
    ).status,
  ).toBe(201)
  // Long enough for the event to fail if it were not kept pending.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const { events } = (
    await scene.call('GET', '/v1/chat/events?type=message_created', {
      headers: scene.asBot,
    })
  ).body
  expect(events.map(({ status }: { status: string }) => status)).toEqual(['pending'])
  await scene.close()
})
