// Serves the chat page at `/`: a fixed list of files, read once. Requests never name files, so path
// traversal is impossible.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const folder = new URL('../../page/', import.meta.url)
/** Libraries of the page, which scripts/bundle.js bundles. */
const builtFolder = new URL('../../dist/page/', import.meta.url)

const contentTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const files = [
  'index.html',
  'chat.css',
  'chat.js',
  'chat-api.js',
  'conversation.js',
  'dom.js',
  'listener.js',
  'markdown.js',
  'message-view.js',
  'outbox.js',
  'page.js',
  'retry.js',
  'scroller.js',
  'session.js',
  'timeline.js',
  'webchat.js',
  'favicon.svg',
  'landscape.svg',
]
const builtFiles = ['markdown-it.js']

// Scripts, styles and connections only from this server. Images, audio and video from any source,
// because bots choose their URLs.
const policy =
  "default-src 'self'; img-src 'self' data: http: https:; media-src 'self' data: http: https:; " +
  "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Any site may embed this page in a frame: it shows only an anonymous visitor's own chat. */
const framedPath = '/webchat'
const framedPolicy = policy.replace("frame-ancestors 'self'", 'frame-ancestors *')

interface ChatPage {
  /** Returns the path of the chat that the page opens, or null without one. */
  chatPath: () => string | null
  /** Returns the bot's name on the page. */
  botName?: () => string | null
}

export function servePage(
  server: FastifyInstance,
  { chatPath, botName = () => null }: ChatPage,
): void {
  for (const name of [...files, ...builtFiles]) {
    const content = readFileSync(new URL(name, builtFiles.includes(name) ? builtFolder : folder))
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    const type = contentTypes[name.slice(name.lastIndexOf('.') + 1)]!
    const answer =
      (more: Record<string, string>) => (request: FastifyRequest, reply: FastifyReply) => {
        reply.headers({
          'content-type': type,
          'cache-control': 'no-cache',
          etag,
          ...protection,
          ...more,
        })
        return request.headers['if-none-match'] === etag
          ? reply.code(304).send()
          : reply.send(content)
      }
    server.get(
      name === 'index.html' ? '/' : `/${name}`,
      answer(name === 'webchat.js' ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
    )
    if (name === 'index.html')
      server.get(framedPath, answer({ 'content-security-policy': framedPolicy }))
  }
  server.get('/page-settings.json', (_request, reply) => {
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...protection,
    })
    return reply.send(JSON.stringify({ chatUrl: chatPath(), botName: botName() ?? 'Your bot' }))
  })
}

const protection = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}
