// Failures of a bot are grouped into one issue per cause with its last events, written together
// with the outcome.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeAtUrl, openCodeServer } from '../../../test/support/code-at-url.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { deployCode } from '../../core/bots/bot-code.ts'
import { removeOldIssues } from '../../core/bots/issues/issue-listing.ts'
import type { Queue } from '../../core/queue/queue.ts'

let scene: Scene
const soon = { timeout: 15_000, interval: 50 }
/** The answer of the bot at the URL. */
let answer: () => { status: number; body?: unknown } = () => ({ status: 200 })
let code: CodeAtUrl

const hosted = `
  let left = null
  exports.handler = async ({ body, headers }) => {
    if (headers['x-bp-operation'] !== 'event_received') return
    const { text } = JSON.parse(body).event.payload.message.payload
    if (text === 'throw') throw new Error('no cart ' + Math.floor(Math.random() * 1e9))
    if (text === 'exit') process.exit(3)
    if (text === 'later') setTimeout(() => Promise.reject(new Error('not caught')), 50)
    if (text === 'flood') for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000))
    if (text === 'loop') for (;;);
  }
`

beforeAll(async () => {
  code = await openCodeServer(() => answer())
  scene = await openScene({ code: hosted })
})
afterAll(async () => {
  await scene?.close()
  await code?.close()
})

interface Shown {
  id: string
  code: string
  category: string
  title: string
  description: string
  groupedData: Record<string, { raw: string }>
  eventsCount: number
  createdAt: string
  lastSeenAt: string
}
const ask = (line: string, botId = scene.botId) => {
  const [method, path] = line.split(' ') as ['GET' | 'DELETE', string]
  return scene.call(method, `/v1/admin/bots/${botId}/issues${path}`, {
    headers: scene.admin,
  })
}
const issues = async (botId?: string) => (await ask('GET ', botId)).body.issues as Shown[]
const found = async (code: string, botId?: string) =>
  (await issues(botId)).find((issue) => issue.code === code)
const toEvents = async (issue: Shown, botId?: string) =>
  (await ask(`GET /${issue.id}/events`, botId)).body.issueEvents

async function botAt(url: string) {
  const { bot } = (
    await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: {} })
  ).body
  await scene.call('PUT', `/v1/admin/bots/${bot.id}`, {
    headers: scene.admin,
    body: { url },
  })
  return bot.id as string
}
const getUrl = () => `${code.url}/`
const post = (botId: string, payload: object = {}) =>
  scene.call('POST', '/v1/chat/events', {
    headers: { ...scene.asBot, 'x-bot-id': botId },
    body: { type: 'ordered', payload },
  })

let people: { headers: Record<string, string>; conversationId: string }
async function say(text: string) {
  people ??= await (async () => {
    const { headers } = await scene.chatUser()
    const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers,
      body: {},
    })
    return { headers, conversationId: body.conversation.id }
  })()
  const body = { conversationId: people.conversationId, payload: { type: 'text', text } }
  return scene.call('POST', `/chat/${scene.webhookId}/messages`, {
    headers: people.headers,
    body,
  })
}

test('groups events that fail for the same cause into one issue', async () => {
  answer = () => ({
    status: 400,
    body: {
      code: 400,
      type: 'Runtime',
      message: `No order ${Math.random()} of user_01KAJ0ZP5S8V3N7Q4XW2R9TDHM`,
    },
  })
  const botId = await botAt(getUrl())
  // A failed registration creates an issue, too.
  await expect
    .poll(async () => (await issues(botId)).map(({ code }) => code), soon)
    .toEqual(['register_failed'])
  for (let i = 0; i < 3; i++) await post(botId)
  await expect
    .poll(async () => (await found('event_refused', botId))?.eventsCount, soon)
    .toBe(3)
  const issue = (await found('event_refused', botId))!
  expect(issue).toMatchObject({
    category: 'user_code',
    description: 'No order <n> of <id>',
    groupedData: { message: { raw: 'No order <n> of <id>' } },
  })
  expect((await ask(`GET /${issue.id}`, botId)).body.issue).toEqual(issue)
  const [last, ...others] = await toEvents(issue, botId)
  expect(others).toHaveLength(2)
  expect(last.data).toEqual({
    message: { raw: expect.stringMatching(/^No order 0\.\d+ of user_01/) },
    attempts: { raw: '1' },
    eventId: { raw: expect.stringMatching(/^evt_/) },
    eventType: { raw: 'ordered' },
  })
  expect((await ask(`DELETE /${issue.id}`, botId)).status).toBe(200)
  for (const line of [
    `GET /${issue.id}`,
    `GET /${issue.id}/events`,
    `DELETE /${issue.id}`,
  ])
    expect((await ask(line, botId)).status, line).toBe(404)
  expect((await ask(`GET /${issue.id}`)).status).toBe(404)
})

test('creates an issue for a dead letter, but not for an event that succeeds in the end', async () => {
  let times = 0
  answer = () => ({
    status: times++ < 1 ? 200 : 500,
    body: { message: 'the database of the bot is away' },
  })
  const botId = await botAt(getUrl())
  await post(botId)
  await expect
    .poll(
      async () =>
        (await issues(botId)).map(({ code, eventsCount }) => [code, eventsCount]),
      soon,
    )
    .toEqual([['event_failed', 1]])
  const [issue] = await issues(botId)
  expect((await toEvents(issue!, botId))[0].data).toMatchObject({
    attempts: { raw: '3' },
  })
  times = -1
  answer = () => ({ status: times++ < 0 ? 500 : 200 })
  await post(botId)
  await expect.poll(() => times, soon).toBe(1)
  const queue = scene.app.services.deliveries as Queue
  await expect.poll(() => queue.stats.lanes, soon).toBe(0)
  expect((await issues(botId)).map(({ eventsCount }) => eventsCount)).toEqual([1])
})

test('resolves an issue after all its events were redelivered and handled', async () => {
  const botId = await botAt(getUrl())
  const headers = { ...scene.asBot, 'x-bot-id': botId }
  const platform = (method: 'GET' | 'POST' | 'PUT', path: string, body: unknown = {}) =>
    scene.call(method, `/v1/platform/${path}`, {
      headers,
      ...(method !== 'GET' && { body }),
    })
  answer = () => ({ status: 400, body: { message: 'no luck 1' } })
  const ids: string[] = []
  for (let i = 0; i < 2; i++) ids.push((await post(botId)).body.event.id)
  await expect
    .poll(async () => (await found('event_refused', botId))?.eventsCount, soon)
    .toBe(2)
  const { id } = (await found('event_refused', botId))!
  const shown = async () => (await platform('GET', `issues/${id}`)).body.issue
  const findStatus = async (eventId: string) =>
    (await scene.call('GET', `/v1/chat/events/${eventId}`, { headers })).body.event.status
  answer = () => ({ status: 200 })
  await platform('POST', `events/${ids[0]}/redeliver`)
  await expect.poll(() => findStatus(ids[0]!), soon).toBe('processed')
  // A wrong resolution would follow the delivery.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await shown()).toMatchObject({ status: 'open' })
  await platform('POST', `events/${ids[1]}/redeliver`)
  await expect
    .poll(shown, soon)
    .toMatchObject({ status: 'resolved', resolvedByRedelivery: true })
  expect(
    (await platform('PUT', `issues/${id}`, { status: 'resolved' })).body.issue,
  ).not.toHaveProperty('resolvedByRedelivery')
})

test('resolves the issue of a dead letter after its redelivery, but none of a hook', async () => {
  answer = () => ({ status: 200 })
  const botId = await botAt(getUrl())
  const headers = { ...scene.asBot, 'x-bot-id': botId }
  answer = () => ({ status: 500, body: { message: 'away' } })
  const eventId = (await post(botId)).body.event.id as string
  await expect
    .poll(async () => (await found('event_failed', botId))?.eventsCount, soon)
    .toBe(1)
  scene.app.services.issues.report(botId, {
    code: 'code_failed',
    message: 'the hook greet: null',
    facts: { eventId },
  })
  await expect.poll(() => found('code_failed', botId), soon).toBeDefined()
  answer = () => ({ status: 200 })
  const path = `/v1/platform/events/${eventId}/redeliver`
  expect((await scene.call('POST', path, { headers, body: {} })).status).toBe(200)
  const statuses = async () => {
    const { issues } = (await scene.call('GET', '/v1/platform/issues', { headers })).body
    return issues
      .map(({ code, status }: { code: string; status: string }) => [code, status])
      .sort()
  }
  await expect.poll(statuses, soon).toEqual([
    ['code_failed', 'open'],
    ['event_failed', 'resolved'],
  ])
})

test('a deployment of code that does not load is one issue', async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  await scene.call('PUT', `/v1/admin/bots/${body.bot.id}`, {
    headers: scene.admin,
    body: { code: 'throw new Error("not today")' },
  })
  await expect.poll(() => found('code_not_loaded', body.bot.id), soon).toBeDefined()
  // A second issue would follow the first.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const all = await issues(body.bot.id)
  expect(all.map(({ code, description }) => [code, description])).toEqual([
    ['code_not_loaded', expect.stringContaining('not today')],
  ])
})

test('assigns an unreachable bot to the category configuration', async () => {
  const botId = await botAt('http://127.0.0.1:9/')
  await post(botId)
  await expect
    .poll(async () => (await found('bot_unreachable', botId))?.category, soon)
    .toBe('configuration')
})

test('creates issues for failures of hosted code in that bot only', {
  timeout: 40_000,
}, async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  await say('throw')
  await expect
    .poll(async () => (await found('event_failed'))?.description, soon)
    .toBe('Error: no cart <n>')
  const [event] = await toEvents((await found('event_failed'))!)
  expect(event.data).toMatchObject({
    eventType: { raw: 'message_created' },
    conversationId: { raw: people.conversationId },
    attempts: { raw: '3' },
  })
  await say('later')
  await expect
    .poll(async () => (await found('process_crashed'))?.description, soon)
    .toMatch(/not caught/)
  await say('flood')
  await expect
    .poll(async () => (await found('logs_dropped'))?.category, soon)
    .toBe('limits')
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { maxExecutionTime: 1 },
  })
  await say('loop')
  await expect
    .poll(async () => (await found('time_exceeded'))?.category, soon)
    .toBe('limits')
  // The ends of the process and the failed delivery of its event are one issue.
  await expect
    .poll(async () => {
      const [last] = await toEvents((await found('time_exceeded'))!)
      return last.data.conversationId?.raw
    }, soon)
    .toBe(people.conversationId)
  const codes = (await issues()).map(({ code }) => code)
  expect(codes.toSorted()).toEqual([...new Set(codes)].toSorted())
  // Code that loaded when it was deployed, but fails to load now.
  await deployCode(scene.app.services.db, scene.botId, 'exports.handler = nothing')
  await scene.app.services.invalidate({ botId: scene.botId })
  await say('again')
  await expect
    .poll(async () => (await found('code_not_loaded'))?.description, soon)
    .toMatch(/nothing is not defined/)
  expect(await issues(body.bot.id)).toEqual([])
})

test('creates an issue for troubles reported by the flow engine, with its conversation', async () => {
  const say = (data: unknown, headers = scene.asBot) =>
    scene.call('POST', '/v1/chat/observations', {
      headers,
      body: { name: 'flows.turn', data, conversationId: 'conv_1', eventId: 'evt_1' },
    })
  const where = 'the hook greet'
  await say({
    troubles: [
      { where, message: 'null has no x (bot.json#/hooks/0/code:12:6)\n  > null.x' },
      { where },
      null,
      'x',
    ],
  })
  await say({
    troubles: [
      { where, message: 'null has no x (bot.json#/hooks/0/code:13:6)\n  > null.x' },
    ],
  })
  await say({ troubles: { length: 1 } })
  await expect.poll(async () => (await found('code_failed'))?.eventsCount, soon).toBe(2)
  const issue = (await found('code_failed'))!
  expect(issue).toMatchObject({
    category: 'user_code',
    groupedData: {
      message: { raw: expect.stringContaining('the hook greet: null has no x') },
    },
  })
  expect((await toEvents(issue))[0].data).toMatchObject({
    conversationId: { raw: 'conv_1' },
    eventId: { raw: 'evt_1' },
  })
  // The delivery reports the error that ended the turn.
  answer = () => ({
    status: 400,
    body: { message: 'main/a: no cart 1', issue: 'code_failed' },
  })
  const failing = { where: 'main/a', message: 'no cart 1' }
  await say({ troubles: [failing], failure: 'main/a: no cart 1', outcome: 'failed' })
  const botId = await botAt(getUrl())
  await post(botId)
  await expect
    .poll(async () => (await found('code_failed', botId))?.description, soon)
    .toBe('main/a: no cart <n>')
  expect((await issues(botId)).map(({ code }) => code)).not.toContain('event_refused')
  expect((await issues()).map(({ description }) => description)).not.toContain(
    'main/a: no cart <n>',
  )
  answer = () => ({ status: 200 })
})

test('keeps the last fifty events of an issue and the last issues of a bot, for a limited time', async () => {
  const { services } = scene.app
  const botId = await botAt('http://127.0.0.1:9/')
  await expect.poll(async () => (await issues(botId)).length, soon).toBe(1)
  for (let i = 0; i < 200; i++)
    services.issues.report(botId, { code: 'logs_dropped', message: `${i} bytes` })
  await expect
    .poll(async () => (await found('logs_dropped', botId))?.eventsCount, soon)
    .toBe(200)
  for (let i = 0; i < 3; i++)
    services.issues.report(botId, { code: 'logs_dropped', message: `last ${i}` })
  await expect
    .poll(async () => (await issues(botId)).map(({ eventsCount }) => eventsCount), soon)
    .toEqual([3, 200, 1])
  services.issues.report(botId, { code: 'logs_dropped', message: '1 bytes' })
  await expect
    .poll(async () => (await found('logs_dropped', botId))?.eventsCount, soon)
    .toBe(201)
  expect((await toEvents((await found('logs_dropped', botId))!, botId)).length).toBe(50)

  await sql`
    update issue set last_seen_at = now() - interval '40 days'
    where bot_id = ${botId} and code = 'register_failed'`.execute(services.db)
  await removeOldIssues(services.db, 30)
  expect((await issues(botId)).map(({ code }) => code)).toEqual([
    'logs_dropped',
    'logs_dropped',
  ])
  await sql`
    insert into issue (bot_id, id, code, message, fingerprint, grouped_data, events_count)
    select ${botId}, 'iss_' || i, 'event_failed', 'm', decode(lpad(i::text, 8, '0'), 'hex'), '{}', 1
    from generate_series(1, 600) i`.execute(services.db)
  await removeOldIssues(services.db, 30)
  const { rows } = await sql<{
    n: string
  }>`select count(*) as n from issue where bot_id = ${botId}`.execute(services.db)
  expect(rows).toEqual([{ n: '500' }])
})

test('lists issues in pages, last seen first', async () => {
  const botId = await botAt('http://127.0.0.1:9/')
  for (const word of ['a', 'b', 'c', 'd'])
    scene.app.services.issues.report(botId, { code: 'event_failed', message: word })
  await expect.poll(async () => (await issues(botId)).length, soon).toBe(5)
  const seen: string[] = []
  let token = ''
  do {
    const { body } = await ask(`GET ?pageSize=2${token && `&nextToken=${token}`}`, botId)
    seen.push(...body.issues.map(({ id }: Shown) => id))
    token = body.meta.nextToken ?? ''
  } while (token)
  expect(seen).toEqual((await issues(botId)).map(({ id }) => id))
})

test('a bot that calls a model where none is configured gets an issue', async () => {
  const body = { model: 'auto', messages: [{ role: 'user', content: 'Hi' }] }
  const path = '/v1/openai/chat/completions'
  expect((await scene.call('POST', path, { headers: scene.asBot, body })).status).toBe(
    400,
  )
  await expect
    .poll(() => found('model_missing'), soon)
    .toMatchObject({
      category: 'configuration',
      description: expect.stringContaining('BOTSTEAD_MODEL_URL'),
    })
  const { body: listed } = await scene.call('GET', '/v1/platform/examples', {
    headers: scene.admin,
  })
  expect(listed.hasModel).toBe(false)
})

describe('the status of an issue', () => {
  const platform = (method: 'GET' | 'PUT', path: string, body?: unknown) =>
    scene.call(method, `/v1/platform/issues${path}`, { headers: scene.asBot, body })
  const report = (message: string) =>
    scene.app.services.issues.report(scene.botId, {
      code: 'event_failed',
      message,
      facts: { eventId: 'evt_1', conversationId: 'conv_1', attempts: '3' },
    })
  const withStatus = async (status: string) =>
    ((await platform('GET', `?status=${status}`)).body.issues as Shown[]).map(
      ({ description }) => description,
    )
  const findId = async (description: string) => {
    const { issues } = (await platform('GET', '?pageSize=100')).body
    return issues.find((issue: Shown) => issue.description === description)?.id
  }
  const set = (id: string, status: string) => platform('PUT', `/${id}`, { status })

  test('is open at first; a resolved issue opens again when it recurs', async () => {
    const message = 'of status 42\n    at a line'
    report(message)
    await expect.poll(() => withStatus('open'), soon).toContain('of status <n>')
    const id = await findId('of status <n>')
    const { body } = await set(id, 'resolved')
    const lastMessage = 'of status 42'
    expect(body.issue).toMatchObject({
      id,
      status: 'resolved',
      eventsCount: 1,
      lastMessage,
    })
    expect(body.issue.statusChangedAt).toBeDefined()
    expect(await withStatus('open')).not.toContain('of status <n>')
    expect(await withStatus('resolved')).toContain('of status <n>')
    report('of status 43')
    await expect.poll(() => withStatus('open'), soon).toContain('of status <n>')
    expect((await platform('GET', `/${id}`)).body.issue.lastMessage).toBe('of status 43')
    expect(await withStatus('resolved')).not.toContain('of status <n>')
  })

  test('resolves those that were last seen before a time, in this bot only', async () => {
    const since = async (at: string, status = 'open') => {
      const { body } = await platform(
        'GET',
        `?status=${status}&lastSeenBefore=${at}&pageSize=100`,
      )
      return body.issues.map(({ description }: Shown) => description)
    }
    const other = await botAt(getUrl())
    scene.app.services.issues.report(other, {
      code: 'event_failed',
      message: 'elsewhere',
    })
    report('of old code')
    report('of muted code')
    await expect.poll(() => withStatus('open'), soon).toContain('of muted code')
    await set(await findId('of muted code'), 'muted')
    await expect.poll(() => found('event_failed', other), soon).toBeDefined()
    const at = new Date(Date.now() + 1).toISOString()
    await new Promise((resolve) => setTimeout(resolve, 5))
    report('of new code')
    await expect.poll(() => withStatus('open'), soon).toContain('of new code')
    const stale = await since(at)
    expect(stale).toContain('of old code')
    expect(stale).not.toContain('of new code')
    const { body } = await scene.call('POST', '/v1/platform/issues/resolve', {
      headers: scene.asBot,
      body: { lastSeenBefore: at },
    })
    expect(body).toEqual({ count: stale.length })
    expect(await since(at)).toEqual([])
    expect(await since(at, 'resolved')).toContain('of old code')
    expect(await withStatus('open')).toContain('of new code')
    expect(await withStatus('muted')).toContain('of muted code')
    const { rows } = await sql`select status from issue where bot_id = ${other}`.execute(
      scene.app.services.db,
    )
    expect(rows).toEqual([{ status: 'open' }])
  })

  test('stays muted when the issue recurs', async () => {
    report('of noise')
    await expect.poll(() => withStatus('open'), soon).toContain('of noise')
    const id = await findId('of noise')
    await set(id, 'muted')
    report('of noise')
    await expect
      .poll(async () => (await platform('GET', `/${id}`)).body.issue.eventsCount, soon)
      .toBe(2)
    expect(await withStatus('muted')).toContain('of noise')
    expect(await withStatus('open')).not.toContain('of noise')
  })

  test('occurrences link to event and conversation', async () => {
    report('of links')
    await expect.poll(() => withStatus('open'), soon).toContain('of links')
    const { body } = await platform('GET', `/${await findId('of links')}`)
    expect(body.occurrences).toMatchObject([
      { message: 'of links', eventId: 'evt_1', conversationId: 'conv_1' },
    ])
    expect(body.occurrences[0].data.attempts).toEqual({ raw: '3' })
  })

  test.each(['closed', '__proto__', 7, null])('cannot be %s', async (status) => {
    const id = (await platform('GET', '')).body.issues[0].id
    expect((await platform('PUT', `/${id}`, { status })).status).toBe(400)
  })

  test('an unknown issue is not found', async () => {
    expect((await platform('GET', '/iss_1')).status).toBe(404)
    expect((await set('iss_1', 'muted')).status).toBe(404)
  })
})

test('describes an issue by its last event', async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  const botId = body.bot.id
  const report = (message: string) =>
    scene.app.services.issues.report(botId, { code: 'memory_exceeded', message })
  const description = async () => (await found('memory_exceeded', botId))?.description
  report('first words')
  await expect.poll(description, soon).toBe('first words')
  report('other words')
  await expect.poll(description, soon).toBe('other words')
  const [issue] = await issues(botId)
  expect(issue).toMatchObject({
    eventsCount: 2,
    groupedData: { message: { raw: 'other words' } },
  })
})
