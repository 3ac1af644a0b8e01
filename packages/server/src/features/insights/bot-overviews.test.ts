// The state of all bots of a workspace: health, queue, dead letters, issues and messages.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  recordStatements,
  type SentStatement,
} from '../../../test/support/sent-statements.ts'
import { createPerson, signIn } from '../../../test/support/sign-in.ts'

const code = `exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { text } = JSON.parse(body).event.payload.message.payload
  if (text === 'wait') await new Promise((resolve) => setTimeout(resolve, 1500))
  return text === 'fail' ? { status: 500, body: '{"message":"broken"}' } : { status: 200 }
}`
const soon = { timeout: 15_000, interval: 100 }

let scene: Scene
let user: { headers: Record<string, string> }
let conversationId: string

beforeAll(async () => {
  scene = await openScene({ code, config: { retrySeconds: [0.02] } })
  user = await scene.chatUser()
  const path = `/chat/${scene.webhookId}/conversations`
  const { body } = await scene.call('POST', path, { headers: user.headers, body: {} })
  conversationId = body.conversation.id
}, 60_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

const say = (text: string) =>
  scene.call('POST', `/chat/${scene.webhookId}/messages`, {
    headers: user.headers,
    body: { conversationId, payload: { type: 'text', text } },
  })
const list = async (query = '', headers = scene.admin) =>
  (await scene.call('GET', `/v1/platform/bots?${query}`, { headers })).body
const ofScene = async () =>
  // biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape; tests assert on fields
  (await list()).bots.find(({ id }: any) => id === scene.botId)

test('a bot without problems is ok', async () => {
  expect(await ofScene()).toMatchObject({
    health: 'ok',
    pendingDeliveries: 0,
    deadLetters: 0,
    openIssues: 0,
    messagesToday: 0,
  })
})

test('counts pending deliveries and messages', async () => {
  await say('wait')
  await say('after')
  await expect
    .poll(ofScene, soon)
    .toMatchObject({ pendingDeliveries: 2, messagesToday: 2 })
  expect((await ofScene()).oldestPendingSeconds).toBeLessThan(60)
  await expect.poll(ofScene, soon).toMatchObject({ pendingDeliveries: 0, health: 'ok' })
  expect((await ofScene()).oldestPendingSeconds).toBeUndefined()
})

describe('a bot is degraded', () => {
  const discard = () =>
    scene.call('POST', '/v1/platform/dead-letters/discard', {
      headers: scene.asBot,
      body: {},
    })
  const resolve = async () => {
    const { lastFailure } = await ofScene()
    expect(lastFailure.message).toContain('broken')
    const path = `/v1/platform/issues/${lastFailure.issueId}`
    const body = { status: 'resolved' }
    expect((await scene.call('PUT', path, { headers: scene.asBot, body })).status).toBe(
      200,
    )
  }
  const expectState = (health: string, deadLetters: number, openIssues: number) =>
    expect.poll(ofScene, soon).toMatchObject({ health, deadLetters, openIssues })

  test('while it has an open issue', async () => {
    await say('fail')
    await expectState('degraded', 1, 1)
    await discard()
    await expectState('degraded', 0, 1)
    const { db } = scene.app.services
    await sql`update bot set deployed_at = now() where id = ${scene.botId}`.execute(db)
    await expectState('ok', 0, 1)
    await sql`update bot set deployed_at = null where id = ${scene.botId}`.execute(db)
    await expectState('degraded', 0, 1)
    await resolve()
    await expectState('ok', 0, 0)
  })

  test('while it has a dead letter', async () => {
    await say('fail')
    await expectState('degraded', 1, 1)
    await resolve()
    await expectState('degraded', 1, 0)
    await discard()
    await expectState('ok', 0, 0)
  })
})

test('a bot with a pending delivery of six minutes is failing', async () => {
  await say('wait')
  const { db } = scene.app.services
  await sql`update delivery set created_at = now() - interval '6 minutes'`.execute(db)
  await expect
    .poll(ofScene, soon)
    .toMatchObject({ health: 'failing', pendingDeliveries: 1 })
  await expect.poll(ofScene, soon).toMatchObject({ health: 'ok', pendingDeliveries: 0 })
})

test('a bot with code that does not load is failing', async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'broken', code: 'throw new Error("no start")' },
  })
  const [newest] = (await list()).bots
  expect(newest).toMatchObject({ id: body.bot.id, name: 'broken', health: 'failing' })
  expect(newest.loadError).toContain('no start')
})

test('a page costs the same statements, however many bots it has', async () => {
  for (let i = 0; i < 30; i++)
    await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: `${i}` },
    })
  const record = recordStatements()
  for (const size of [1, 10, 30]) {
    const sent: SentStatement[] = []
    const { bots } = await record(sent, () => list(`pageSize=${size}`))
    expect(bots).toHaveLength(size)
    // Periodic tasks of the server also send statements.
    const count = (text: RegExp) =>
      sent.filter((statement) => text.test(statement.text)).length
    expect(count(/messages_today/)).toBe(1)
    // Two statements, or none while the depth of the queue is cached.
    expect(count(/from placed|dead_at/)).toBeLessThanOrEqual(2)
  }
})

test('pages contain each bot once, and only bots that the member may see', async () => {
  const ids: string[] = []
  let token = ''
  do {
    const { bots, meta } = await list(`pageSize=7${token && `&nextToken=${token}`}`)
    ids.push(...bots.map(({ id }: { id: string }) => id))
    token = meta.nextToken ? encodeURIComponent(meta.nextToken) : ''
  } while (token)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain(scene.botId)
  const path = `/v1/admin/bots/${scene.botId}/allowlist`
  await scene.call('PUT', path, {
    headers: scene.admin,
    body: { setting: 'SELECTED_USERS' },
  })
  const browser = await signIn(scene.app, await createPerson(scene, 'developer'))
  const headers = { 'x-workspace-id': scene.workspaceId }
  const { body } = await browser.call('GET', '/v1/platform/bots?pageSize=100', {
    headers,
  })
  const seen = body.bots.map(({ id }: { id: string }) => id)
  expect(seen).toHaveLength(ids.length - 1)
  expect(seen).not.toContain(scene.botId)
})
