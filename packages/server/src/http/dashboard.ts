// Serves the dashboard: one page for all its addresses, and its assets. The build names each asset by
// a hash of its content and compresses it.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dataFolderBefore, ownCommand } from '../infra/lib/own-command.ts'
import { BuiltFiles, immutable } from './built-files.ts'
import { isLocal } from './metrics-endpoint.ts'
import { contentTypes, protection } from './static.ts'

const folder = new URL('../../dist/dashboard/', import.meta.url)

/** Addresses of the page; the router of packages/dashboard decides between the pages. */
const addresses = ['/', '/sign-in', '/invitation', '/account', '/installation', '/w/*']

export function serveDashboard(server: FastifyInstance): void {
  const page = readFileSync(new URL('index.html', folder), 'utf8').replace(
    '{{command}}',
    ownCommand,
  )
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .headers({
        ...protection,
        'content-type': contentTypes.html,
        'content-security-policy': policyFor(nonce),
        'cache-control': 'no-store',
      })
      .send(
        page
          .replaceAll('{{nonce}}', nonce)
          // Only for people at this machine: the path is nothing for visitors of a website.
          .replace('{{folder}}', () =>
            isLocal(request.raw) ? inAttribute(dataFolderBefore()) : '',
          ),
      )
  }
  for (const address of addresses) server.get(address, sendPage)
  // People who mistyped an address get a page with a link; programs get JSON.
  server.get('/:unknown', (request, reply) =>
    request.headers.accept?.includes('text/html')
      ? sendPage(request, reply.code(404))
      : reply.callNotFound(),
  )
  const assets = new BuiltFiles(new URL('assets/', folder))
  server.get('/assets/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    return assets.has(name)
      ? assets.send(request, reply, { name, headers: { ...protection, ...immutable } })
      : reply.callNotFound()
  })
}

const inAttribute = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Scripts and connections only from this server; styles with a nonce, because the components insert
 * some. Images, audio and video from any source, because bots choose their URLs.
 */
const policyFor = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  "font-src 'self'; img-src 'self' data: blob: http: https:; media-src 'self' data: http: https:; " +
  "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
