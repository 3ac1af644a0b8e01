// Serves the documentation at /docs, which scripts/docs.js builds, and its texts for language models.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitTarget } from '../input/request-target.ts'
import { BuiltFiles, immutable } from './built-files.ts'
import {
  type FindPageBuild,
  findBuiltIn,
  openWhenBuilt,
  sendBuilding,
} from './page-builds.ts'
import { protection } from './static.ts'

const folder = new URL('../../../../dist/docs/', import.meta.url)

interface DocumentationOptions {
  /** Returns the state of the build. Default: ready if it is complete. */
  findBuild?: FindPageBuild
}

export function serveDocumentation(
  server: FastifyInstance,
  { findBuild = findBuiltIn(folder) }: DocumentationOptions = {},
): void {
  const find = openWhenBuilt(findBuild, openSite)
  const whenBuilt =
    (send: (site: Site, request: FastifyRequest, reply: FastifyReply) => unknown) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const site = find()
      return site
        ? send(site, request, reply)
        : sendBuilding(reply, { name: 'the documentation', build: findBuild() })
    }
  server.get('/docs', whenBuilt(sendPage))
  server.get('/docs/*', whenBuilt(sendPage))
  for (const name of ['llms.txt', 'llms-full.txt'])
    server.get(
      `/${name}`,
      whenBuilt((site, request, reply) => site.send(request, reply, name)),
    )
}

type Site = ReturnType<typeof openSite>

function openSite() {
  const files = new BuiltFiles(folder)
  const policy = toPolicy(files.read('index.html').toString())
  return {
    findFile: (path: string) =>
      [path, `${path}.html`, `${path}index.html`].find((name) => files.has(name)),
    send(request: FastifyRequest, reply: FastifyReply, name: string) {
      const headers = {
        ...protection,
        'content-security-policy': policy,
        ...toCacheHeaders(name),
      }
      return files.send(request, reply, { name, headers })
    },
  }
}

function sendPage(
  { findFile, send }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const pathname = splitTarget(request.url).path.replaceAll(/\/{2,}/g, '/')
  if (pathname === '/docs') return reply.redirect('/docs/')
  const path = pathname.slice('/docs/'.length)
  const name = findFile(path)
  if (name) return send(request, reply, name)
  // The router ignores a slash at the end, on which the site's script depends.
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  if (findFile(other)) return reply.redirect(`/docs/${other}`)
  return request.headers.accept?.includes('text/html')
    ? send(request, reply.code(404), '404.html')
    : reply.callNotFound()
}

const toCacheHeaders = (name: string) =>
  name.startsWith('assets/') ? immutable : { 'cache-control': 'no-cache' }

/** Permits only resources of this server, and the two scripts inside of all pages. */
function toPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(
    ([, text]) => text!,
  )
  const hashes = scripts.map((text) => createHash('sha256').update(text).digest('base64'))
  return (
    `default-src 'none'; script-src 'self' ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')}; ` +
    "style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'"
  )
}
