// The log has one line per request, with the id of its answer, and one per delivery. It never
// contains messages, answers of bots, or keys.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  openRecordingBot,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { logOptions } from './log.ts'

interface Line {
  level: number
  msg: string
  [name: string]: unknown
}

const lines: Line[] = []
let text = ''
let scene: Scene
let bot: RecordingBot
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      for (const line of String(chunk).trimEnd().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  scene = await openScene({
    log: pino({ ...logOptions, level: 'trace' }, sink),
    config: { retrySeconds: [0.02] },
  })
  bot = await openRecordingBot()
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: `${bot.url}/?key=canary-in-url` },
  })
})
afterAll(async () => {
  await scene.close()
  await bot.close()
})

const of = (msg: string) => lines.filter((line) => line.msg === msg)
/** Runs work and expects exactly this number of new lines. Returns them. */
const written = async (msg: string, work: () => Promise<unknown>, count: number) => {
  const before = of(msg).length
  await work()
  await expect.poll(() => of(msg).length - before, { timeout: 10_000 }).toBe(count)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(of(msg).length - before).toBe(count)
  return of(msg).slice(before)
}

async function openTalk() {
  const { headers } = await scene.chatUser({ name: 'canary-name' })
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const say = (text: string) =>
    scene.app.server.inject({
      method: 'POST',
      url: `/chat/${scene.webhookId}/messages?canary=canary-in-query`,
      headers: {
        ...headers,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
      },
      payload: {
        conversationId: body.conversation.id,
        payload: { type: 'text', text: text },
      },
    })
  return { say, headers, id: body.conversation.id as string }
}

test('writes one line per request, with the request id of the answer', async () => {
  const { headers } = await scene.chatUser()
  const requests: [
    method: 'GET' | 'POST' | 'OPTIONS' | 'DELETE',
    url: string,
    status: number,
  ][] = [
    ['GET', `/chat/${scene.webhookId}/users/me`, 200],
    ['GET', '/chat/nothing/users/me', 404],
    ['GET', `/chat/${scene.webhookId}/conversations/nothing`, 404],
    ['POST', `/chat/${scene.webhookId}/messages`, 400],
    ['GET', '/v1/admin/bots', 401],
    ['GET', '/nothing?key=canary-in-query', 404],
    ['GET', '/healthz', 200],
    ['OPTIONS', '/v1/chat/messages', 204],
    ['DELETE', '/v1/tables/anything', 401],
  ]
  const answers: { id: unknown; status: number; requests: number }[] = []
  const sendAll = async () => {
    for (const [method, url, status] of requests) {
      const reply = await scene.app.server.inject({ method, url, headers })
      answers.push({
        id: reply.headers['x-request-id'],
        status: reply.statusCode,
        requests: status,
      })
    }
  }
  const entries = await written('request', sendAll, requests.length)
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map(({ requests }) => requests),
  )
  expect(entries.map(({ requestId, status }) => ({ id: requestId, status }))).toEqual(
    answers.map(({ id, status }) => ({ id, status })),
  )
  expect(new Set(answers.map(({ id }) => id)).size).toBe(requests.length)
  expect(entries[0]).toMatchObject({
    operation: 'chat.getUser',
    route: '/chat/:webhookId/users/me',
    method: 'GET',
    botId: scene.botId,
    ms: expect.any(Number),
  })
  expect(entries[1]).toMatchObject({
    error: 'ResourceNotFound',
    errorId: expect.stringMatching(/^err_/),
  })
  // An invalid URL has no route.
  const [odd] = await written(
    'request',
    () => scene.app.server.inject({ method: 'GET', url: '/%zz?key=canary-in-query' }),
    1,
  )
  expect(odd).toMatchObject({ status: 400, operation: 'unreadable' })
})

test('writes one line for a stream and for a WebSocket', async () => {
  const base = await scene.listen()
  const { headers, id } = await openTalk()
  const listen = `${base}/chat/${scene.webhookId}/conversations/${id}/listen`
  const stream = async () => {
    const stop = new AbortController()
    const reply = await fetch(listen, { headers, signal: stop.signal })
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/)
    stop.abort()
  }
  expect(await written('request', stream, 1)).toMatchObject([
    { operation: 'chat.listenConversation', status: 200 },
  ])
  const socket = (key: string) => () =>
    new Promise<void>((resolve) => {
      const opened = new WebSocket(`${listen.replace('http', 'ws')}?x-user-key=${key}`)
      opened.on('open', () => opened.close())
      opened.on('error', () => {})
      opened.on('close', () => resolve())
    })
  expect(await written('request', socket(headers['x-user-key']!), 1)).toMatchObject([
    { status: 101, botId: scene.botId },
  ])
  expect(await written('request', socket('canary.wrong.key'), 1)).toMatchObject([
    { status: 401, error: 'Unauthorized' },
  ])
})

test('writes a line for clients that disconnect before the answer', async () => {
  const base = await scene.listen()
  const { userKeys } = scene.app.services
  const { read } = userKeys
  let requests = () => {}
  const arrived = new Promise<void>((resolve) => {
    requests = resolve
  })
  userKeys.read = async (...what) => {
    requests()
    await new Promise((resolve) => setTimeout(resolve, 200))
    return read.call(userKeys, ...what)
  }
  const leave = async () => {
    const stop = new AbortController()
    const answer = fetch(`${base}/chat/${scene.webhookId}/users/me`, {
      headers: { 'x-user-key': 'canary' },
      signal: stop.signal,
    }).catch(() => {})
    await arrived
    stop.abort()
    await answer
  }
  expect(await written('request', leave, 1)).toMatchObject([
    { status: 499, operation: 'chat.getUser' },
  ])
  userKeys.read = read
})

test('writes one line with the error for an internal failure', async () => {
  const { userKeys } = scene.app.services
  const { read } = userKeys
  const detailed = Object.assign(new Error('the test breaks it'), {
    detail: 'canary-in-detail',
    parameters: ['canary-in-parameters'],
    code: 'XX000',
  })
  userKeys.read = () => Promise.reject(detailed)
  const { headers } = { headers: { 'x-user-key': 'canary-user-key' } }
  let body = { id: '' }
  const fail = async () => {
    const reply = await scene.app.server.inject({
      method: 'GET',
      url: `/chat/${scene.webhookId}/users/me`,
      headers,
    })
    body = reply.json()
  }
  const [line] = await written('request', fail, 1)
  userKeys.read = read
  expect(line).toMatchObject({
    level: 50,
    status: 500,
    error: 'Internal',
    errorId: body.id,
    err: { message: 'the test breaks it', code: 'XX000' },
  })
  expect(JSON.stringify(line)).toContain('log-lines.test')
})

test('writes one line per completed delivery, after all attempts', async () => {
  const { say, id } = await openTalk()
  const statuses = { done: 200, failed: 422, dead: 500 }
  bot.behave(({ text }) => statuses[text.split(' ')[0] as keyof typeof statuses])
  const requests: unknown[] = []
  const talk = async () => {
    for (const outcome of ['done', 'failed', 'dead', 'done'])
      requests.push((await say(`${outcome} canary-in-text`)).headers['x-request-id'])
  }
  const entries = await written('delivery', talk, 4)
  expect(entries.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
    ['done', 1],
    ['failed', 1],
    ['dead', 2],
    ['done', 1],
  ])
  for (const [i, line] of entries.entries()) {
    const names = {
      botId: scene.botId,
      lane: id,
      kind: 'event',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      ms: expect.any(Number),
    }
    // Deliveries that were not in memory are read from rows, which contain only the trace.
    expect([requests[i], undefined]).toContain(line.requestId)
    expect(line).toMatchObject({
      ...names,
      deliveryId: expect.stringMatching(/^dlv_/),
      subjectId: expect.stringMatching(/^evt_/),
    })
  }
  // A delivery to a blocked bot also gets a line.
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { blocked: true },
  })
  expect(await written('delivery', () => say('canary-in-text'), 1)).toMatchObject([
    { outcome: 'ignored' },
  ])
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { blocked: false },
  })
})

test('contains neither messages nor keys', async () => {
  const { say, headers } = await openTalk()
  bot.behave(() => 500)
  await say('canary-in-text')
  bot.behave(() => 200)
  await bot.close()
  await say('canary-in-text')
  await expect
    .poll(() => of('delivery').filter(({ outcome }) => outcome === 'dead').length, {
      timeout: 10_000,
    })
    .toBeGreaterThan(1)
  expect(text.length).toBeGreaterThan(1_000)
  const { masterKey, chatKey, token } = scene
  const keys = [
    token,
    headers['x-user-key']!.split('.').at(-1)!,
    chatKey,
    masterKey.toString('hex'),
    masterKey.toString('base64'),
    scene.webhookId,
  ]
  for (const secret of ['canary', ...keys])
    expect(text.includes(secret), secret).toBe(false)
})
