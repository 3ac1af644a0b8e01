// Sends bodies from a separate process: in the server's event loop, a client would never be writing
// when the connection ends.
import { request as httpRequest } from 'node:http'
import { Client as ChatClient } from '@botpress/chat'
import { Client } from '@botpress/client'
import { Pool } from 'undici'

/** Each resolves to the response: `{status, body}`. */
const clients = {
  http: ({ base, path, method, headers, text }) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(base + path, { method, headers }, async (reply) => {
        let body = ''
        for await (const chunk of reply) body += chunk
        resolve({ status: reply.statusCode, body: JSON.parse(body) })
      })
      request.on('error', reject)
      request.end(text)
    }),
  async fetch({ base, path, method, headers, text }) {
    const reply = await fetch(base + path, { method, headers, body: text })
    return { status: reply.status, body: await reply.json() }
  },
  async undici({ base, path, method, headers, text }) {
    const pool = new Pool(base, { connections: 1 })
    try {
      const reply = await pool.request({ path, method, headers, body: text })
      return { status: reply.statusCode, body: await reply.body.json() }
    } finally {
      await pool.close()
    }
  },
  async runtimeClient({ base, token, botId, text }) {
    const client = new Client({ apiUrl: base, token, botId, retry: { retries: 0 } })
    return told(
      client.createMessage({
        conversationId: 'conv',
        userId: 'user',
        type: 'text',
        tags: {},
        payload: { text },
      }),
    )
  },
  async chatClient({ chatUrl, userKey, text }) {
    const client = await ChatClient.connect({ apiUrl: chatUrl, userKey })
    return told(
      client.createMessage({ conversationId: 'conv', payload: { type: 'text', text } }),
    )
  },
}

const told = (call) =>
  call.then(
    () => ({ status: 200, body: {} }),
    ({ code, type, id, message }) => ({
      status: code,
      body: { code, type, id, message },
    }),
  )

process.on('message', async ({ client, size, tries, ...job }) => {
  const outcomes = []
  const text = 'a'.repeat(size)
  for (let i = 0; i < tries; i++)
    outcomes.push(
      await clients[client]({ ...job, text }).catch((error) => ({
        failed: String(error.cause ?? error),
      })),
    )
  process.send(outcomes)
})
