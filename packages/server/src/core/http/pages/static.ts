// Serves the chat page at `/talk/{webhookId}`, and the script that embeds it in websites: a fixed
// list of files, read once. Requests never name files, so path traversal is impossible.
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitTarget } from '../input/request-target.ts'
import { hasTag, toEtag } from './entity-tags.ts'

const folder = new URL('../../../../page/', import.meta.url)
/** Scripts of the page, which scripts/bundle.js bundles. */
const builtFolder = new URL('../../../../dist/page/', import.meta.url)

export const contentTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  png: 'image/png',
  webp: 'image/webp',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

// Browsers request favicon.ico for pages without an icon, such as JSON.
const files = [
  'index.html',
  'chat.css',
  'message.css',
  'favicon.svg',
  'favicon.ico',
  'landscape.svg',
]

// Scripts, styles and connections only from this server. Images, audio and video from any source,
// because bots choose their URLs.
const policy =
  "default-src 'self'; img-src 'self' data: http: https:; media-src 'self' data: http: https:; " +
  "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Websites may embed this page in a frame: it shows only an anonymous visitor's own chat. */
const framedPaths = ['/webchat', `/webchat/:version(^v[\\d.]+$)/shareable.html`]
const framedBy = (origins: readonly string[]) => {
  const ancestors = origins.length === 0 ? '*' : `'self' ${origins.join(' ')}`
  return policy.replace("frame-ancestors 'self'", `frame-ancestors ${ancestors}`)
}

/** The original has a version in the path; all versions get the same script. */
const injectPaths = ['/webchat/inject.js', `/webchat/:version(^v[\\d.]+$)/inject.js`]
const crossOrigin: Record<string, string> = {
  'cross-origin-resource-policy': 'cross-origin',
}
const embeddable = {
  ...crossOrigin,
  'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
}

interface ChatPage {
  /** Returns the origins that may embed the chat with this id; none if all may. */
  allowedOrigins: (id: string) => Promise<readonly string[]>
}

export function servePage(server: FastifyInstance, { allowedOrigins }: ChatPage): void {
  const scripts = readdirSync(builtFolder).filter((name) => name !== 'inject.js')
  for (const name of [...files, ...scripts]) {
    const headers = name === 'webchat.js' ? crossOrigin : {}
    server.get(
      name === 'index.html' ? '/talk/:webhookId' : `/${name}`,
      sender(name, headers),
    )
  }
  for (const path of injectPaths) server.get(path, sender('inject.js', embeddable))
  const sendPage = sender('index.html')
  for (const path of framedPaths)
    server.get(path, async (request, reply) => {
      const framing = await toFramePolicy(request.url, allowedOrigins)
      return sendPage(request, reply.header('content-security-policy', framing))
    })
}

/**
 * Returns the policy for the chat that the page will open. Parses the query like the page does; only
 * pages of this server may frame an address with several ids, because the page could use another one.
 */
async function toFramePolicy(
  url: string,
  allowedOrigins: ChatPage['allowedOrigins'],
): Promise<string> {
  const { query } = splitTarget(url)
  const ids = [...query.getAll('clientId'), ...query.getAll('chat')].filter(Boolean)
  return ids.length > 1 ? policy : framedBy(ids[0] ? await allowedOrigins(ids[0]) : [])
}

/** Returns a handler that sends the file, or 304 if the client has it. */
function sender(name: string, more: Record<string, string> = {}) {
  const content = readFileSync(new URL(name, name.endsWith('.js') ? builtFolder : folder))
  const etag = toEtag(content)
  const headers = {
    'content-type': contentTypes[name.slice(name.lastIndexOf('.') + 1)]!,
    'cache-control': 'no-cache',
    etag,
    ...protection,
    ...more,
  }
  return (request: FastifyRequest, reply: FastifyReply) => {
    const framing = reply.getHeader('content-security-policy')
    reply.headers({ ...headers, ...(framing && { 'content-security-policy': framing }) })
    return hasTag(request, etag) ? reply.code(304).send() : reply.send(content)
  }
}

export const protection = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // Pictures of other origins get no cookies: other ports of this host would get those of a session.
  'cross-origin-embedder-policy': 'credentialless',
}
