// With an SDK: one trace from a chat user's request to the bot's answer, each span below its cause.
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type CalledBot,
  hostedBot,
  openCalledBot,
  ownTrace,
} from '../../../test/support/traced-bots.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
})
let scene: Scene
let bot: CalledBot
let user: { id: string; headers: Record<string, string> }
beforeAll(async () => {
  trace.setGlobalTracerProvider(provider)
  scene = await openScene({ code: hostedBot })
  bot = await openCalledBot()
  user = await scene.chatUser()
})
afterAll(async () => {
  await scene.close()
  await bot.close()
  await provider.shutdown()
  trace.disable()
})
afterEach(() => exporter.reset())

const traceId = () =>
  '0af7651916cd43dd8448eb211c80319c'.replace(
    '0af7',
    Math.floor(Math.random() * 60_000 + 1_000)
      .toString(16)
      .padStart(4, '0'),
  )
const clientSpan = 'b7ad6b7169203331'

async function converse(botHeaders = user.headers, webhookId = scene.webhookId) {
  const { body } = await scene.call('POST', `/chat/${webhookId}/conversations`, {
    headers: botHeaders,
    body: {},
  })
  const say = (text: string, headers: Record<string, string> = {}) =>
    scene.call('POST', `/chat/${webhookId}/messages`, {
      headers: { ...botHeaders, ...headers },
      body: { conversationId: body.conversation.id, payload: { type: 'text', text } },
    })
  return { id: body.conversation.id as string, say }
}

const named = (name: string, of: string) =>
  exporter
    .getFinishedSpans()
    .filter((span) => span.name === name && span.spanContext().traceId === of)
const one = async (name: string, of: string): Promise<ReadableSpan> => {
  await expect.poll(() => named(name, of).length, { timeout: 15_000 }).toBe(1)
  return named(name, of)[0]!
}
const getId = (span: ReadableSpan) => span.spanContext().spanId
const getParent = (span: ReadableSpan) => span.parentSpanContext?.spanId

test('a turn of a hosted bot: spans of request, delivery, invocation, and API call', async () => {
  for (const client of ['http', 'fetch']) {
    const id = traceId()
    const { say } = await converse()
    await say(client, { traceparent: `00-${id}-${clientSpan}-01` })
    const [posted, delivered, invoked, answered] = [
      await one('chat.createMessage', id),
      await one('deliver event', id),
      await one('invoke event_received', id),
      await one('runtime.createMessage', id),
    ]
    expect([posted, delivered, invoked, answered].map(getParent), client).toEqual([
      clientSpan,
      getId(posted),
      getId(delivered),
      getId(invoked),
    ])
    expect([posted, delivered, invoked, answered].map(({ kind }) => kind)).toEqual([
      SpanKind.SERVER,
      SpanKind.CONSUMER,
      SpanKind.CLIENT,
      SpanKind.SERVER,
    ])
    expect(posted.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/chat/:webhookId/messages',
      'http.response.status_code': 201,
      'botstead.bot.id': scene.botId,
    })
    expect(delivered.attributes).toMatchObject({
      'botstead.outcome': 'done',
      'botstead.attempt': 1,
      'messaging.message.id': expect.stringMatching(/^dlv_/),
    })
    expect(invoked.attributes).toMatchObject({
      'botstead.place': 'hosted',
      'http.response.status_code': 200,
    })
  }
})

test('begins a trace for a request without one', async () => {
  const { say } = await converse()
  exporter.reset()
  await say('http')
  await expect.poll(() => exporter.getFinishedSpans().length, { timeout: 15_000 }).toBe(4)
  const spans = exporter.getFinishedSpans()
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
  expect(spans.filter((span) => !getParent(span)).map(({ name }) => name)).toEqual([
    'chat.createMessage',
  ])
})

test('hosted code with its own tracing sets the parent of its calls', async () => {
  const id = traceId()
  const { say } = await converse()
  await say('own', { traceparent: `00-${id}-${clientSpan}-01` })
  await one('deliver event', id)
  const answered = await one('runtime.createMessage', ownTrace.slice(3, 35))
  expect(getParent(answered)).toBe('2222222222222222')
  expect(named('runtime.createMessage', id)).toEqual([])
})

test('keeps concurrent turns separate, although they share statements', async () => {
  const ids = Array.from({ length: 20 }, traceId)
  const talks = await Promise.all(ids.map(() => converse()))
  await Promise.all(
    talks.map(({ say }, i) =>
      say('http', { traceparent: `00-${ids[i]}-${clientSpan}-01` }),
    ),
  )
  for (const id of ids) {
    const answered = await one('runtime.createMessage', id)
    expect([
      getParent(answered),
      getParent(await one('invoke event_received', id)),
      getParent(await one('deliver event', id)),
    ]).toEqual([
      getId(await one('invoke event_received', id)),
      getId(await one('deliver event', id)),
      getId(await one('chat.createMessage', id)),
    ])
  }
})

test("a bot at a URL: each attempt is a span, and the bot's calls belong to its attempt", async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { url: bot.url },
  })
  const botId = body.bot.id as string
  const { body: got } = await scene.call('GET', `/v1/admin/bots/${botId}`, {
    headers: scene.admin,
  })
  const webhookId = (Object.values(got.bot.integrations)[0] as { webhookId: string })
    .webhookId
  const { body: made } = await scene.call('POST', `/chat/${webhookId}/users`, {
    body: {},
  })
  const { say, id: conversationId } = await converse(
    { 'x-user-key': made.key },
    webhookId,
  )
  const id = traceId()
  let calls = 0
  bot.behave(async ({ traceparent, tracestate }) => {
    if (++calls === 1) return 500
    const { status } = await scene.call('POST', '/v1/chat/messages', {
      headers: {
        ...scene.asBot,
        'x-bot-id': botId,
        traceparent: traceparent as string,
        tracestate: tracestate as string,
      },
      body: {
        conversationId,
        userId: botId,
        type: 'text',
        tags: {},
        payload: { text: 'hi' },
      },
    })
    return status === 201 ? 200 : 500
  })
  await say('anything', {
    traceparent: `00-${id}-${clientSpan}-01`,
    tracestate: 'vendor=1',
  })
  const answered = await one('runtime.createMessage', id)
  await expect.poll(() => named('deliver event', id).length).toBe(2)
  const posted = await one('chat.createMessage', id)
  const [first, second] = named('deliver event', id)
  const [failed, invoked] = named('invoke event_received', id)
  expect([first, second].map((span) => getParent(span!))).toEqual([
    getId(posted),
    getId(posted),
  ])
  expect([first, second].map((span) => span!.attributes['botstead.outcome'])).toEqual([
    'retry',
    'done',
  ])
  expect(failed!.status.code).toBe(SpanStatusCode.ERROR)
  expect([getParent(failed!), getParent(invoked!), getParent(answered)]).toEqual([
    getId(first!),
    getId(second!),
    getId(invoked!),
  ])
  expect(invoked!.attributes).toMatchObject({ 'botstead.place': 'url' })
  expect(bot.called.map(({ tracestate }) => tracestate)).toEqual(['vendor=1', 'vendor=1'])
})

test('records a span for a rejected request, with its error type', async () => {
  const id = traceId()
  await scene.call('GET', '/v1/chat/messages/msg_nothing', {
    headers: { ...scene.asBot, traceparent: `00-${id}-${clientSpan}-01` },
  })
  const span = await one('runtime.getMessage', id)
  expect(span.attributes).toMatchObject({
    'http.response.status_code': 404,
    'error.type': 'ResourceNotFound',
  })
  expect(span.status.code).toBe(SpanStatusCode.UNSET)
})
