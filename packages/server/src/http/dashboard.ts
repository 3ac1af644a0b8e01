// Serves the dashboard: one page for all its addresses, and its assets. The build names each asset by
// a hash of its content and compresses it. The server sends only files that it listed at its start,
// so path traversal is impossible.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownCommand } from '../infra/lib/own-command.ts'
import { contentTypes, protection } from './static.ts'

const folder = new URL('../../dist/dashboard/', import.meta.url)

/** Addresses of the page; the router of packages/dashboard decides between the pages. */
const addresses = ['/', '/sign-in', '/invitation', '/account', '/installation', '/w/*']

export function serveDashboard(server: FastifyInstance): void {
  const page = readFileSync(new URL('index.html', folder), 'utf8').replace(
    '{{command}}',
    ownCommand,
  )
  const sendPage = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .headers({
        ...protection,
        'content-type': contentTypes.html,
        'content-security-policy': policyFor(nonce),
        'cache-control': 'no-store',
      })
      .send(page.replaceAll('{{nonce}}', nonce))
  }
  for (const address of addresses) server.get(address, (_request, reply) => sendPage(reply))
  // People who mistyped an address get a page with a link; programs get JSON.
  server.get('/:unknown', (request, reply) =>
    request.headers.accept?.includes('text/html')
      ? sendPage(reply.code(404))
      : reply.callNotFound(),
  )
  const names = new Set(readdirSync(new URL('assets/', folder)))
  server.get('/assets/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    if (!names.has(name) || name.endsWith('.br')) return reply.callNotFound()
    return sendAsset(request, reply, name)
  })
}

/**
 * Scripts and connections only from this server; styles with a nonce, because the components insert
 * some. Images, audio and video from any source, because bots choose their URLs.
 */
const policyFor = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  "font-src 'self'; img-src 'self' data: blob: http: https:; media-src 'self' data: http: https:; " +
  "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const contents = new Map<string, Buffer>()

function sendAsset(request: FastifyRequest, reply: FastifyReply, name: string) {
  const isCompressed = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
  reply.headers({
    ...protection,
    'content-type': contentTypes[name.slice(name.lastIndexOf('.') + 1)]!,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...(isCompressed && { 'content-encoding': 'br' }),
  })
  return reply.send(contentOf(isCompressed ? `${name}.br` : name))
}

function contentOf(name: string): Buffer {
  const known = contents.get(name)
  if (known) return known
  const content = readFileSync(new URL(`assets/${name}`, folder))
  contents.set(name, content)
  return content
}
