// A website on loopback with responses that a test sets by path. It counts requests and keeps their
// headers.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Response {
  status?: number
  type?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Answers in place of the other fields. */
  send?: (reply: ServerResponse) => void
}

export interface Website {
  /** Without a slash at the end. */
  url: string
  pages: Map<string, Response>
  requests: { path: string; headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

/** Paths without a response get 404. */
export async function openWebsite(
  pages: Record<string, Response> = {},
  address = '127.0.0.1',
): Promise<Website> {
  const known = new Map(Object.entries(pages))
  const requests: Website['requests'] = []
  const server = createServer(({ url = '', headers }, reply) => {
    requests.push({ path: url, headers })
    const {
      status = 200,
      type = 'text/html',
      headers: more = {},
      body = '',
      send,
    } = known.get(url) ?? { status: 404 }
    if (send) return send(reply)
    reply.writeHead(status, { 'content-type': type, ...more }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    pages: known,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const html = (title: string, text: string): Response => ({
  body: `<html><head><title>${title}</title></head><body><p>${text}</p></body></html>`,
})

export const sitemap = (urls: string[]): Response => ({
  type: 'application/xml',
  body: `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
})
