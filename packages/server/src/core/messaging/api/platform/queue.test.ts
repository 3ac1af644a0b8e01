// The queue of a bot as the Platform API shows it: depth, pending deliveries, scheduled work and
// recurring events; and its log.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../../test/support/scene.ts'

const code = `exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { text } = JSON.parse(body).event.payload.message?.payload ?? {}
  if (text === 'wait') await new Promise((resolve) => setTimeout(resolve, 3000))
  console.log('handled ' + text)
  return text === 'fail' ? { status: 500, body: '{"message":"broken"}' } : { status: 200 }
}`
const soon = { timeout: 15_000, interval: 100 }

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ code, config: { retrySeconds: [60] } })
}, 60_000)
afterAll(() => scene?.close())

const get = async (path: string) =>
  (await scene.call('GET', `/v1/platform/${path}`, { headers: scene.asBot })).body

async function talk() {
  const { headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const made = await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  const { id: conversationId } = made.body.conversation
  return (text: string) =>
    scene.call('POST', `${chat}/messages`, {
      headers,
      body: { conversationId, payload: { type: 'text', text } },
    })
}

test('shows depth and pending deliveries, with failed attempts, in pages', async () => {
  const [slow, failing] = [await talk(), await talk()]
  for (const text of ['wait', 'a', 'b']) await slow(text)
  for (const text of ['fail', 'c']) await failing(text)
  await expect
    .poll(async () => (await get('queue')).queue, soon)
    .toMatchObject({ pending: 5, conversations: 2, inProgress: 2, deadLetters: 0 })
  const failed = async () =>
    // biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape
    (await get('queue/deliveries')).deliveries.find(({ attempts }: any) => attempts > 0)
  await expect
    .poll(failed, soon)
    .toMatchObject({ attempts: 1, lastError: 'broken', kind: 'event' })
  const whole = (await get('queue/deliveries')).deliveries
  expect(whole).toHaveLength(5)
  const { conversation, nextAttemptAt, maxAttempts } = await failed()
  expect(maxAttempts).toBe(2)
  expect(Date.parse(nextAttemptAt) - Date.now()).toBeGreaterThan(40_000)
  expect(Date.parse(nextAttemptAt) - Date.now()).toBeLessThanOrEqual(60_000)
  const ofConversation = (id: string) => get(`queue/deliveries?conversationId=${id}`)
  expect((await ofConversation(conversation)).deliveries).toEqual(
    whole.filter((one: { conversation: string }) => one.conversation === conversation),
  )
  expect((await ofConversation('conv_1')).deliveries).toEqual([])
  const walked = []
  for (let token = ''; ; ) {
    const { deliveries, meta } = await get(`queue/deliveries?pageSize=1${token}`)
    walked.push(...deliveries)
    if (!meta.nextToken) break
    token = `&nextToken=${encodeURIComponent(meta.nextToken)}`
  }
  expect(walked).toEqual(whole)
  const { meta } = await get('queue/deliveries?pageSize=1')
  const query = `pageSize=1&nextToken=${encodeURIComponent(meta.nextToken)}`
  const made = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  const ofOther = { ...scene.asBot, 'x-bot-id': made.body.bot.id }
  for (const [path, headers] of [
    [`queue/deliveries?${query}`, ofOther],
    [`queue/scheduled?kind=event&${query}`, scene.asBot],
  ] as const)
    expect((await scene.call('GET', `/v1/platform/${path}`, { headers })).status).toBe(
      400,
    )
  await expect.poll(async () => (await get('queue')).queue.pending, soon).toBe(2)
  const { db } = scene.app.services
  await sql`update delivery set dead_at = now() where id = ${(await failed()).id}`.execute(
    db,
  )
  expect((await get('queue/deliveries')).deliveries).toMatchObject([{ attempts: 0 }])
})

test('lists scheduled events and messages, earliest first, until they are canceled', async () => {
  const { asBot: headers } = scene
  const schedule = (delay: number) =>
    scene.call('POST', '/v1/chat/events', {
      headers,
      body: { type: 'later', payload: {}, schedule: { delay } },
    })
  const late = (await schedule(7_200_000)).body.event.id
  const early = (await schedule(3_600_000)).body.event.id
  const { scheduled, meta } = await get('queue/scheduled?kind=event&pageSize=1')
  expect(scheduled).toMatchObject([{ id: early, kind: 'event', type: 'later' }])
  const token = encodeURIComponent(meta.nextToken)
  const second = await get(`queue/scheduled?kind=event&pageSize=1&nextToken=${token}`)
  expect(second.scheduled).toMatchObject([{ id: late }])
  expect((await get('queue/scheduled?kind=message')).scheduled).toEqual([])
  await scene.call('DELETE', `/v1/chat/events/scheduled/${early}`, { headers })
  expect((await get('queue/scheduled?kind=event')).scheduled).toMatchObject([
    { id: late },
  ])
})

test('lists recurring events with their next run', async () => {
  const put = (body: unknown) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body })
  await put({
    recurringEvents: {
      yearly: { type: 'tick', payload: {}, schedule: { cron: '0 0 1 1 *' } },
      hourly: { type: 'tick', payload: {}, schedule: { cron: '59 * * * *' } },
    },
  })
  const { recurring } = await get('queue/recurring')
  expect(recurring.map(({ name }: { name: string }) => name)).toEqual([
    'hourly',
    'yearly',
  ])
  expect(Date.parse(recurring[0].nextRunAt)).toBeGreaterThan(Date.now())
  await put({ blocked: true })
  expect((await get('queue/recurring')).recurring[0].nextRunAt).toBeNull()
})

test('searches the log by text, level, conversation and time', async () => {
  await expect.poll(async () => (await get('logs')).logs.length, soon).toBeGreaterThan(2)
  const { logs } = await get('logs?contains=HANDLED%20wait')
  expect(logs).toMatchObject([{ message: 'handled wait', level: 'info' }])
  expect(logs[0].eventId).toMatch(/^evt_/)
  const of = async (query: string) => (await get(`logs?${query}`)).logs.length
  expect(await of('contains=%25')).toBe(0)
  expect(await of('level=error')).toBe(0)
  expect(await of(`conversationId=${logs[0].conversationId}`)).toBe(3)
  expect(await of('conversationId=none')).toBe(0)
  expect(await of(`afterDate=${new Date(Date.now() + 60_000).toISOString()}`)).toBe(0)
  expect(await of(`beforeDate=${new Date(0).toISOString()}`)).toBe(0)
  expect(await of('contains=handled&pageSize=1')).toBe(1)
})
