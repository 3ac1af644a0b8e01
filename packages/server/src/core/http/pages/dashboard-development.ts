// The dashboard from a development server of Vite, which reloads changed modules in the page (`npm run dev`).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The path below which Vite has its modules (scripts/dev/vite.js). */
const base = '/@dashboard/'

/** Headers of requests and replies that caching and the kind of a module depend on. */
const requestHeaders = ['accept', 'if-none-match', 'sec-fetch-dest']
const replyHeaders = ['content-type', 'cache-control', 'etag']

/** Returns the page with Vite's scripts. Throws if Vite does not answer. */
export async function fetchPage(viteUrl: string): Promise<string> {
  const reply = await fetch(`${viteUrl}${base}`, { headers: { accept: 'text/html' } })
  if (!reply.ok) throw new Error(`Vite answered ${reply.status}`)
  return reply.text()
}

/** Passes requests of modules on to Vite. */
export function serveModules(server: FastifyInstance, viteUrl: string): void {
  server.get(`${base}*`, async (request, reply) => passOn(request, reply, viteUrl))
}

async function passOn(request: FastifyRequest, reply: FastifyReply, viteUrl: string) {
  const headers = pick(requestHeaders, (name) => request.headers[name]?.toString())
  const answer = await fetch(`${viteUrl}${request.url}`, { headers, redirect: 'manual' })
  return reply
    .code(answer.status)
    .headers(pick(replyHeaders, (name) => answer.headers.get(name)))
    .send(Buffer.from(await answer.arrayBuffer()))
}

function pick(names: string[], find: (name: string) => string | null | undefined) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = find(name)
      return value ? [[name, value]] : []
    }),
  )
}

/** Vite's client connects to Vite itself, and its modules have inline scripts and styles. */
export const developmentPolicy = (policy: string, viteUrl: string, nonce: string) =>
  policy
    .replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
    .replace("connect-src 'self'", `connect-src 'self' ${viteUrl.replace(/^http/, 'ws')}`)
