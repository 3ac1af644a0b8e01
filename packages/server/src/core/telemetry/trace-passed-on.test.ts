// Without an SDK: the trace of a caller is passed on through the queue, a restart and bots. Invalid
// traces are ignored.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type CalledBot,
  hostedBot,
  openCalledBot,
  ownTrace,
} from '../../../test/support/traced-bots.ts'
import { openApp } from '../../app/app.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'
let scene: Scene
let bot: CalledBot
let base: string
/** Trace headers of requests by hosted code. */
const back: { traceparent?: unknown; tracestate?: unknown }[] = []
beforeAll(async () => {
  scene = await openScene({ code: hostedBot, config: { retrySeconds: [0.05, 0.05] } })
  bot = await openCalledBot()
  base = await scene.listen()
  scene.app.server.server.on('request', ({ url, headers }) => {
    if (url === '/v1/chat/messages')
      back.push({ traceparent: headers.traceparent, tracestate: headers.tracestate })
  })
})
afterAll(async () => {
  await scene.close()
  await bot.close()
})

async function openTalk() {
  const { headers } = await scene.chatUser()
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const say = (text: string, more: Record<string, string> = {}) =>
    fetch(`${base}/chat/${scene.webhookId}/messages`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify({
        conversationId: body.conversation.id,
        payload: { type: 'text', text },
      }),
    })
  const heard = async (): Promise<string[]> => {
    const { body: page } = await scene.call(
      'GET',
      `/chat/${scene.webhookId}/conversations/${body.conversation.id}/messages`,
      { headers },
    )
    return page.messages.map(({ payload }: { payload: { text: string } }) => payload.text)
  }
  /** Returns the trace headers that the bot received. */
  const answer = async (text: string, more: Record<string, string> = {}) => {
    const { length } = await heard()
    await say(text, more)
    await expect
      .poll(async () => (await heard()).length, { timeout: 15_000 })
      .toBe(length + 2)
    return JSON.parse((await heard()).find((one) => one.startsWith('{'))!)
  }
  return { say, answer, id: body.conversation.id as string }
}

test('passes the trace to hosted code and back, with every HTTP client', async () => {
  for (const client of ['http', 'fetch']) {
    const { answer } = await openTalk()
    expect(await answer(client, { traceparent, tracestate })).toEqual({
      traceparent,
      tracestate,
    })
    expect(back.pop(), client).toEqual({ traceparent, tracestate })
  }
  const { answer } = await openTalk()
  expect(await answer('own', { traceparent, tracestate })).toEqual({
    traceparent,
    tracestate,
  })
  expect(back.pop()).toEqual({ traceparent: ownTrace })
})

test('passes nothing for missing or invalid traces', async () => {
  const wrong = [
    {},
    { tracestate },
    { traceparent: '00-00000000000000000000000000000000-b7ad6b7169203331-01' },
    { traceparent: '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01' },
    { traceparent: 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    { traceparent: `${traceparent}-more` },
    { traceparent: traceparent.toUpperCase() },
    { traceparent: `${traceparent}, ${traceparent}` },
    { traceparent: 'x'.repeat(4_000) },
  ]
  for (const headers of wrong as Record<string, string>[]) {
    const { answer } = await openTalk()
    expect(await answer('http', headers), JSON.stringify(headers).slice(0, 100)).toEqual(
      {},
    )
    expect(back.pop(), JSON.stringify(headers).slice(0, 100)).toEqual({})
  }
})

test('separates concurrent requests with and without a trace, which share statements', async () => {
  const talks = await Promise.all(Array.from({ length: 24 }, openTalk))
  for (let round = 0; round < 3; round++) {
    const received = await Promise.all(
      talks.map(({ answer }, i) => answer('http', i % 2 === 0 ? { traceparent } : {})),
    )
    expect(received).toEqual(talks.map((_, i) => (i % 2 === 0 ? { traceparent } : {})))
  }
  expect(back.filter((one) => one.traceparent === undefined).length).toBe((24 / 2) * 3)
  back.length = 0
}, 60_000)

test.each([
  ['an empty key', '='],
  ['a long text without a value', 'x'.repeat(600)],
  ['a long value', `a=${'b'.repeat(600)}`],
])('drops an invalid tracestate and keeps the trace: %s', async (_, odd) => {
  const { answer } = await openTalk()
  expect(await answer('http', { traceparent, tracestate: odd })).toEqual({ traceparent })
})

test('passes the trace to a second attempt and to a bot at a URL', async () => {
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
  bot.behave(() => (bot.called.length === 1 ? 500 : 200))
  const { say } = await openTalk()
  await say('hello', { traceparent, tracestate })
  await expect.poll(() => bot.called.length).toBe(2)
  for (const headers of bot.called)
    expect(headers).toMatchObject({ traceparent, tracestate })
  bot.called.length = 0
})

test('keeps the trace of deliveries that another process takes over', async () => {
  let answer = (_status: number) => {}
  const stuck = new Promise<number>((resolve) => {
    answer = resolve
  })
  bot.behave(() => (bot.called.length === 1 ? stuck : 200))
  const { say } = await openTalk()
  await say('first')
  await say('second', { traceparent, tracestate })
  await expect.poll(() => bot.called.length).toBe(1)
  // The other process has nothing of it in memory; it reads the deliveries that the first releases.
  const { masterKey, chatKey, connection } = scene
  const other = await openApp({
    config: { ...scene.app.services.config, port: 0 },
    log: scene.app.services.log,
    connection,
    masterKey,
    chatKey,
  })
  try {
    const closing = scene.app.close()
    answer(200)
    await closing
    await expect.poll(() => bot.called.length, { timeout: 15_000 }).toBe(2)
    expect(bot.called[0]).not.toHaveProperty('traceparent')
    expect(bot.called[1]).toMatchObject({ traceparent, tracestate })
  } finally {
    await other.close()
  }
})
