// Bots that answer with an API call and report the trace of their invocation. The hosted bot calls
// with the HTTP client that the text names.
import type { IncomingHttpHeaders } from 'node:http'
import { type CodeAtUrl, openCodeServer } from './code-at-url.ts'

export const ownTrace = '00-11111111111111111111111111111111-2222222222222222-01'

/** HTTP clients: `http`, `fetch`, and `own` with its own traceparent. */
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

export interface CalledBot extends CodeAtUrl {
  /** Headers of each received event. */
  called: IncomingHttpHeaders[]
  behave(
    how: (
      headers: IncomingHttpHeaders,
      event: { conversationId: string },
    ) => number | Promise<number>,
  ): void
}

/** Opens a bot at a URL. */
export async function openCalledBot(): Promise<CalledBot> {
  const called: IncomingHttpHeaders[] = []
  let behaviour: Parameters<CalledBot['behave']>[0] = () => 200
  const code = await openCodeServer(async ({ operation, headers, body }) => {
    if (operation !== 'event_received') return {}
    called.push(headers)
    return { status: await behaviour(headers, body.event) }
  })
  return {
    ...code,
    called,
    behave(how) {
      behaviour = how
    },
  }
}
