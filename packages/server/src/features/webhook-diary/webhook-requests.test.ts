// The diary of requests to integrations: its entries, hidden secrets, and repeated requests.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type Invoked,
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { redactBody, redactHeaders, redactQuery } from './webhook-redaction.ts'

let scene: RuntimeScene
let webhookId: string

beforeAll(async () => {
  scene = await openRuntimeScene()
  const { db } = scene.app.services
  const row = await db
    .selectFrom('installation')
    .select('webhook_id')
    .where('bot_id', '=', scene.botId)
    .where('alias', '=', 'tg')
    .executeTakeFirstOrThrow()
  webhookId = row.webhook_id
}, 60_000)
afterAll(() => scene?.close())
beforeEach(async () => {
  scene.answerWith(() => ({ body: { status: 200, body: 'ok' } }))
  await scene.app.services.db.deleteFrom('webhook_request').execute()
})

const diary = (alias = 'tg', botId = scene.botId) =>
  `/v1/platform/bots/${botId}/integrations/${alias}/webhook-requests`
const ask = async (path: string, method: 'GET' | 'POST' = 'GET') =>
  scene.call(method, path, {
    headers: scene.admin,
    ...(method === 'POST' && { body: {} }),
  })
const list = async () => (await ask(diary())).body.requests
const send = (
  path: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
) =>
  scene.app.server.inject({
    method: 'POST',
    url: `/webhooks/${webhookId}${path}`,
    payload,
    headers,
  })

/** Waits until the diary has this many entries. */
async function entries(count: number) {
  await expect.poll(async () => (await list()).length, { timeout: 5_000 }).toBe(count)
  return list()
}

const secret = 'sk_live_SECRET'

test('keeps requests with their responses, without secrets', async () => {
  scene.answerWith(() => ({ status: 201, body: { token: secret, plain: 'yes' } }))
  const body = {
    text: 'hi',
    user: { access_token: secret, name: 'Ana' },
    items: [{ password: secret }],
  }
  await send(`/events?api_key=${secret}&page=2`, JSON.stringify(body), {
    authorization: `Bearer ${secret}`,
    cookie: `a=${secret}`,
    'x-hub-signature-256': secret,
    'content-type': 'application/json',
  })
  const [entry] = await entries(1)
  expect(entry).toMatchObject({
    method: 'POST',
    path: '/events',
    status: 201,
    isRepeatable: true,
  })
  const { body: found } = await ask(`${diary()}/${entry.id}`)
  expect(JSON.stringify(found)).not.toContain(secret)
  expect(found.content).toMatchObject({
    query: 'api_key=[redacted]&page=2',
    headers: { authorization: '[redacted]', 'content-type': 'application/json' },
    response: { body: { text: '{"token":"[redacted]","plain":"yes"}' } },
  })
  expect(JSON.parse(found.content.body.text)).toEqual({
    text: 'hi',
    user: { access_token: '[redacted]', name: 'Ana' },
    items: [{ password: '[redacted]' }],
  })
  const stored = await scene.app.services.db
    .selectFrom('webhook_request')
    .selectAll()
    .execute()
  expect(JSON.stringify(stored)).not.toContain(secret)
  expect(stored[0]!.original!.includes(secret)).toBe(false)
})

test('repeats the original request, and records the repetition', async () => {
  const received: Invoked[] = []
  scene.answerWith((invoked) => {
    received.push(invoked)
    return { body: { status: 200, body: 'ok' } }
  })
  const bytes = Buffer.from([0, 255, 1, 128])
  await send('/binary?x=1', bytes, { 'x-signature': secret })
  const [entry] = await entries(1)
  const { status, body } = await ask(`${diary()}/${entry.id}/replay`, 'POST')
  expect([status, body.request]).toMatchObject([
    200,
    { status: 200, replayOf: entry.id, path: '/binary' },
  ])
  const [first, second] = received.map(({ body: sent }) => sent)
  expect(second).toEqual(first)
  expect(JSON.stringify(second)).toContain(secret)
  expect((await entries(2))[0]).toEqual(body.request)
  const { body: audit } = await ask('/v1/platform/audit?pageSize=1')
  expect(audit.entries[0]).toMatchObject({
    operation: 'platform.replayWebhookRequest',
    result: 'done',
  })
})

test('records a failure of the integration', async () => {
  scene.answerWith(() => ({ status: 500 }))
  const { statusCode } = await send('/', 'x')
  const [entry] = await entries(1)
  if (entry.status === undefined) expect(entry.error).toEqual(expect.any(String))
  else expect(entry.status).toBe(statusCode)
  const { status, body } = await ask(`${diary()}/${entry.id}/replay`, 'POST')
  expect([status, body.request.replayOf]).toEqual([200, entry.id])
  await entries(2)
})

test('keeps the beginning of a large body, which cannot be repeated', async () => {
  const payload = JSON.stringify({ token: secret, text: 'é'.repeat(20_000), last: 1 })
  await send('/', payload, { 'content-type': 'application/json' })
  const [entry] = await entries(1)
  expect(entry.isRepeatable).toBe(false)
  const { content } = (await ask(`${diary()}/${entry.id}`)).body
  expect(content.body).toMatchObject({
    bytes: Buffer.byteLength(payload),
    isComplete: false,
  })
  expect(content.body.text.length).toBeGreaterThan(8_000)
  expect(content.body.text).not.toContain(secret)
  expect((await ask(`${diary()}/${entry.id}/replay`, 'POST')).body.type).toBe(
    'LimitExceeded',
  )
})

test('keeps the last 100 requests, on pages', async () => {
  for (let i = 0; i < 130; i++) await send(`/${i}`, 'x')
  await expect.poll(async () => (await list())[0]?.path, { timeout: 5_000 }).toBe('/129')
  const paths: string[] = []
  for (let token = ''; ; ) {
    const { body } = await ask(`${diary()}?pageSize=30${token && `&nextToken=${token}`}`)
    paths.push(...body.requests.map(({ path }: { path: string }) => path))
    if (!body.meta.nextToken) break
    token = body.meta.nextToken
  }
  expect(paths).toEqual(Array.from({ length: 100 }, (_, i) => `/${129 - i}`))
})

test('shows no request of another integration or bot', async () => {
  await send('/', 'x')
  const [entry] = await entries(1)
  expect((await ask(`${diary('other')}/${entry.id}`)).status).toBe(404)
  expect((await ask(`${diary('tg', scene.strangerBotId)}/${entry.id}`)).status).toBe(404)
  expect((await ask(diary('none'))).status).toBe(404)
  expect((await ask(`${diary()}/none/replay`, 'POST')).status).toBe(404)
})

test.each([
  ['{"a":{"api_key":"SECRET"}}', true],
  ['{"a":[{"Authorization":{"x":"SECRET"}}]}', true],
  ['{"client_secret": "SECRET", "b": "cut', false],
  ['{"token":"SECRET', false],
  ['{"token":"a\\"SECRET","b":1', false],
  ['{"pin_code":SECRET, "b":', false],
  [`${'['.repeat(5_000)}"x"${']'.repeat(5_000)}`, true],
])('hides secrets in %.40s', (text, isComplete) => {
  const shown = redactBody(Buffer.from(text), isComplete, 'application/json')
  expect(shown).not.toContain('SECRET')
})

test('hides the secret after a long name in a query', () => {
  const name = `${'a'.repeat(7_000)}token`
  expect(redactQuery(`${name}=SECRET&b=1`)).toBe(`${name}=[redacted]&b=1`)
  expect(redactQuery('a'.repeat(9_000))).toBe('a'.repeat(8_000))
})

test('hides secrets in forms and headers, and shows no binary content', () => {
  expect(redactQuery('access%5Ftoken=SECRET&a=1&%E0%A4%A=2&code=SECRET')).toBe(
    'access%5Ftoken=[redacted]&a=1&%E0%A4%A=2&code=[redacted]',
  )
  expect(
    redactBody(Buffer.from('password=SECRET'), true, 'application/x-www-form-urlencoded'),
  ).toBe('password=[redacted]')
  expect(redactHeaders({ 'X-Api-Key': 'SECRET', accept: '*/*' })).toEqual({
    'X-Api-Key': '[redacted]',
    accept: '*/*',
  })
  expect(redactBody(Buffer.from([0xff, 0xfe, 0]), true, '')).toBeNull()
  expect(redactBody(Buffer.from('aé').subarray(0, 2), false, '')).toBe('a\ufffd')
})
