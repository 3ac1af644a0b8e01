// The chat page at `/`: a fixed list of files, read once. No part of a request ever names a file, so there is no path to lead astray.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const folder = new URL('../../page/', import.meta.url)

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

// Scripts, styles and connections are this server's own. Pictures, sounds and films are where the bot says they are.
const policy =
  "default-src 'self'; img-src 'self' data: http: https:; media-src 'self' data: http: https:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** In a frame of whoever likes: what is seen there is an anonymous visitor's own chat. */
const framedPath = '/webchat'
const framedPolicy = policy.replace("frame-ancestors 'self'", 'frame-ancestors *')

export interface Page {
  /** Path of the chat that the page opens with, or null while there is none. */
  chatPath: () => string | null
  /** How the page calls the bot. */
  botName?: () => string | null
}

export function servePage(server: FastifyInstance, { chatPath, botName = () => null }: Page): void {
  for (const name of files) {
    const content = readFileSync(new URL(name, folder))
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    const type = contentTypes[name.slice(name.lastIndexOf('.') + 1)]!
    const answer = (more: Record<string, string>) => (request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ 'content-type': type, 'cache-control': 'no-cache', etag, ...protection, ...more })
      return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(content)
    }
    server.get(
      name === 'index.html' ? '/' : `/${name}`,
      answer(name === 'webchat.js' ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
    )
    if (name === 'index.html') server.get(framedPath, answer({ 'content-security-policy': framedPolicy }))
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
