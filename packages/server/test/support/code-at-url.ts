// Bot or integration code at a URL, in the test's own process, which survives a kill of the server.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface ReceivedCall {
  path: string
  /** `x-bp-operation`. */
  operation: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields of requests
  body: any
}

export interface CodeResponse {
  status?: number
  headers?: Record<string, string>
  /** A string is sent as is, any other value as JSON; defaults to `{}`. */
  body?: unknown
  /** Sent one after another, in place of the body. */
  parts?: Buffer[]
  /** Called when the whole response was sent. */
  sent?: () => void
}

export interface CodeAtUrl {
  url: string
  close(): Promise<void>
}

export async function openCodeServer(
  answer: (called: ReceivedCall) => CodeResponse | Promise<CodeResponse>,
): Promise<CodeAtUrl> {
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { url, headers } = request
    const called = {
      path: url!,
      operation: String(headers['x-bp-operation']),
      headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    const {
      status = 200,
      headers: more = {},
      body = {},
      parts,
      sent,
    } = await answer(called)
    reply.writeHead(status, { 'content-type': 'application/json', ...more })
    for (const part of parts ?? []) {
      reply.write(part)
      await pause(1)
    }
    if (parts) reply.end(sent)
    else reply.end(typeof body === 'string' ? body : JSON.stringify(body), sent)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The SDK's response when a handler throws. */
export const rejectionResponse = (status: number) => ({
  id: 'err_x',
  code: status,
  type: 'Runtime',
  message: `status ${status}`,
})
