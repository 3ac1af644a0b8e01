// The bundled handler, called in process, against a server that records its requests.
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

type Call = { path: string; body: Record<string, unknown> }
type Handler = (request: {
  body: string
  path: string
  query: string
  method: string
  headers: Record<string, string>
}) => Promise<{ status?: number } | undefined>

const calls: Call[] = []
let server: Server
let handler: Handler

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks).toString()
    calls.push({
      path: `${request.method} ${request.url}`,
      body: request.url === '/upload' ? {} : JSON.parse(bytes),
    })
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        message: { id: 'msg_1' },
        output: {},
        file: {
          url: 'http://127.0.0.1/file',
          uploadUrl: `${process.env.BP_API_URL}/upload`,
        },
      }),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  process.env.BP_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.env.BP_TOKEN = 'token'
  const bundle = createRequire(import.meta.url)('../dist/bot.cjs') as {
    default: { start: unknown }
    handler: Handler
  }
  expect(bundle.default.start).toBeTypeOf('function')
  handler = bundle.handler
})
afterAll(() => server.close())
beforeEach(() => void calls.splice(0))

function deliver(type: string, event: Record<string, unknown>) {
  const headers = {
    'x-bot-id': 'bot_1',
    'x-bp-operation': 'event_received',
    'x-bp-type': type,
    'x-bp-configuration': Buffer.from('{}').toString('base64'),
  }
  return handler({
    method: 'POST',
    path: '/',
    query: '',
    headers,
    body: JSON.stringify({ event: { id: 'evt_1', type, ...event } }),
  })
}

function say(
  payload: Record<string, unknown>,
  type = 'text',
  user: Record<string, unknown> = {},
) {
  const message = {
    id: 'msg_0',
    type,
    payload,
    conversationId: 'conv_1',
    userId: 'user_1',
    tags: {},
  }
  return deliver('message_created', {
    payload: { message, user: { id: 'user_1', ...user }, conversation: { id: 'conv_1' } },
  })
}

const reply = () => {
  expect(calls.map(({ path }) => path)).toEqual(['POST /v1/chat/messages'])
  expect(calls[0]!.body).toMatchObject({
    conversationId: 'conv_1',
    userId: 'bot_1',
    tags: {},
  })
  const { type, payload } = calls[0]!.body as {
    type: string
    payload: Record<string, unknown>
  }
  return { type, payload }
}

test('repeats a text, with the name of the user if known', async () => {
  expect((await say({ text: 'Hello World' }))?.status ?? 200).toBe(200)
  expect(reply()).toEqual({
    type: 'text',
    payload: { text: 'Hi! You said: "Hello World"' },
  })
  calls.splice(0)
  await say({ text: 'hello' }, 'text', { name: 'Ada' })
  expect(reply().payload).toEqual({ text: 'Hi, Ada! You said: "hello"' })
})

test('answers other message types with a notice', async () => {
  await say({ imageUrl: 'https://example.com/a.png' }, 'image')
  expect(reply()).toEqual({
    type: 'text',
    payload: { text: 'I only understand text messages' },
  })
})

test('returns metadata unchanged', async () => {
  await say({ text: 'metadata', metadata: { foo: 'bar', deep: { list: [1, null] } } })
  expect(reply().payload.metadata).toEqual({ foo: 'bar', deep: { list: [1, null] } })
})

test('sends a bloc with text, image and audio', async () => {
  await say({ text: 'BLOC' })
  const { type, payload } = reply()
  expect(type).toBe('bloc')
  expect((payload.items as { type: string }[]).map((item) => item.type)).toEqual([
    'text',
    'image',
    'audio',
  ])
})

test.each([
  'markdown',
  'image',
  'audio',
  'video',
  'location',
  'choice',
  'dropdown',
  'card',
  'carousel',
])('answers the word %s with a message of that type', async (word) => {
  await say({ text: word })
  expect(reply().type).toBe(word)
})

test('repeats names of properties that every object has', async () => {
  await say({ text: '__proto__' })
  expect(reply().payload).toEqual({ text: 'Hi! You said: "__proto__"' })
})

test('sends a file from its storage', async () => {
  await say({ text: 'pdf' })
  expect(calls.map(({ path }) => path)).toEqual([
    'PUT /v1/files',
    'PUT /upload',
    'POST /v1/chat/messages',
  ])
  expect(calls[2]?.body).toMatchObject({
    type: 'file',
    payload: { fileUrl: 'http://127.0.0.1/file', title: 'paper.pdf' },
  })
})

test('returns a custom event to the chat', async () => {
  const payload = { userId: 'user_1', conversationId: 'conv_1', payload: { foo: 'bar' } }
  await deliver('chat:custom', { payload })
  expect(calls).toEqual([
    { path: 'POST /v1/chat/actions', body: { type: 'chat:sendEvent', input: payload } },
  ])
})
