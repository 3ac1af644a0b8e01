import { families } from '@botstead/contract'
import { expect, test } from 'vitest'
import { createClient } from './client.ts'
import { RequestError, Unreachable } from './errors.ts'
import { readEvents } from './events.ts'
import { toRoutes } from './routes.ts'

interface Sent {
  url: string
  init: RequestInit
}

/** A client of a server that answers every request with `response`. */
function open(response: () => Response | Promise<Response>) {
  const sent: Sent[] = []
  const client = createClient({
    routes: toRoutes(families),
    url: 'http://server',
    headers: { 'x-bot-id': 'bot_1' },
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init! })
      return response()
    },
  })
  return { client, sent }
}

test('encodes parameters, nested and repeated values, and leaves undefined ones out', async () => {
  const { client, sent } = open(() => Response.json({ conversations: [], meta: {} }))
  await client.runtime.listConversations({
    query: { tags: { 'a b': 'c&d' }, participantIds: ['u1', 'u2'] },
  })
  await client.admin.getBot({ params: { id: 'bot/../é' } })
  expect(sent.map(({ url }) => url)).toEqual([
    'http://server/v1/chat/conversations?tags.a+b=c%26d&participantIds=u1&participantIds=u2',
    'http://server/v1/admin/bots/bot%2F..%2F%C3%A9',
  ])
})

test('sends the body as JSON, and headers of the client and of the call', async () => {
  const { client, sent } = open(() => Response.json({ message: {} }))
  await client.chat.createMessage(
    {
      params: { webhookId: 'hook' },
      body: { conversationId: 'c', payload: { type: 'text', text: 'hi' } },
    },
    { headers: { 'x-user-key': 'key' } },
  )
  expect(sent).toMatchObject([
    {
      url: 'http://server/chat/hook/messages',
      init: {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-bot-id': 'bot_1',
          'x-user-key': 'key',
        },
        body: '{"conversationId":"c","payload":{"type":"text","text":"hi"}}',
      },
    },
  ])
})

test('rejects with the error of the server', async () => {
  const reply = {
    id: 'err_1',
    code: 429,
    type: 'RateLimited',
    message: 'Wait',
    metadata: { a: 1 },
  }
  const { client } = open(() =>
    Response.json(reply, { status: 429, headers: { 'retry-after': '7' } }),
  )
  const error = await client.platform.getSession().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(RequestError)
  expect(error).toMatchObject({
    message: 'Wait',
    status: 429,
    type: 'RateLimited',
    id: 'err_1',
    metadata: { a: 1 },
    retryAfter: 7,
  })
})

test('rejects with the status if a proxy answers without JSON', async () => {
  const { client } = open(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(client.platform.getSession()).rejects.toMatchObject({
    status: 502,
    type: undefined,
    message: 'The server responded with status 502',
  })
})

test('tells an unreachable server from an aborted call', async () => {
  const { client } = open(() => Promise.reject(new TypeError('fetch failed')))
  await expect(client.platform.getSession()).rejects.toBeInstanceOf(Unreachable)
  const aborted = AbortSignal.abort(new Error('no longer needed'))
  await expect(client.platform.getSession({}, { signal: aborted })).rejects.toThrow(
    'no longer needed',
  )
})

test('reads events that arrive in pieces, with any line ends, without comments', async () => {
  const text =
    ': comment\r\nid: 1\r\nevent: message\r\ndata: {"a":\r\ndata: "é"}\r\n\r\ndata: last\n\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 7, bytes.length]) {
    const { client } = open(() => new Response(inPieces(bytes, size)))
    const response = await client.platform.listenToWorkspace()
    const events = []
    for await (const event of readEvents(response)) events.push(event)
    expect(events).toEqual([
      { id: '1', type: 'message', data: '{"a":\n"é"}' },
      { id: '1', type: 'message', data: 'last' },
    ])
  }
})

const inPieces = (bytes: Uint8Array, size: number) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
