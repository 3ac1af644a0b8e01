// Bots that answer with a call of their own, and say which trace they were called in. The hosted one calls back by the client that the text names.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export const ownTrace = '00-11111111111111111111111111111111-2222222222222222-01'

/** `http`, `fetch`; `own` brings a traceparent of its own. */
export const hostedBot = `
const http = require('http')
const headers = () => ({ authorization: 'Bearer ' + process.env.BP_TOKEN, 'x-bot-id': process.env.BP_BOT_ID, 'content-type': 'application/json' })
const url = process.env.BP_API_URL + '/v1/chat/messages'
const byHttp = (body) => new Promise((resolve, reject) => {
  const request = http.request(url, { method: 'POST', headers: headers() }, (reply) => { reply.resume(); reply.on('end', resolve) })
  request.on('error', reject)
  request.end(body)
})
const byFetch = (body, more = {}) => fetch(url, { method: 'POST', headers: { ...headers(), ...more }, body })
const clients = { http: byHttp, fetch: byFetch, own: (body) => byFetch(body, { traceparent: '${ownTrace}' }) }
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { message } = JSON.parse(body).event.payload
  const { traceparent, tracestate } = headers
  const text = JSON.stringify({ traceparent, tracestate })
  await clients[message.payload.text](JSON.stringify({ conversationId: message.conversationId, userId: headers['x-bot-id'], type: 'text', tags: {}, payload: { text } }))
  return { status: 200 }
}`

export interface CalledBot {
  url: string
  /** Headers of each event that came. */
  called: IncomingHttpHeaders[]
  behave(how: (headers: IncomingHttpHeaders, event: { conversationId: string }) => number | Promise<number>): void
  close(): Promise<void>
}

/** At a URL. */
export async function openCalledBot(): Promise<CalledBot> {
  const called: IncomingHttpHeaders[] = []
  let behaviour: Parameters<CalledBot['behave']>[0] = () => 200
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.headers['x-bp-operation'] !== 'event_received') return void reply.end('{}')
    called.push(request.headers)
    reply.writeHead(await behaviour(request.headers, JSON.parse(text).event)).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    behave(how) {
      behaviour = how
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
