// Serves the dashboard: one page for all its addresses, and its assets. The build names each asset by
// a hash of its content and compresses it.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dataFolderBefore, ownCommand } from '@botstead/lib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLocal } from '../metrics-endpoint.ts'
import { BuiltFiles, immutable } from './built-files.ts'
import { developmentPolicy, fetchPage, serveModules } from './dashboard-development.ts'
import {
  type FindPageBuild,
  findBuiltIn,
  openWhenBuilt,
  sendBuilding,
} from './page-builds.ts'
import { languageHeaders, translatePage } from './page-language.ts'
import { contentTypes, protection } from './static.ts'

const folder = new URL('../../../../dist/dashboard/', import.meta.url)

/** Addresses of the page; the router of packages/dashboard decides between the pages. */
const addresses = ['/', '/sign-in', '/invitation', '/account', '/installation', '/w/*']

export interface DashboardOptions {
  /** Returns the state of the build. Default: ready if it is complete. */
  findBuild?: FindPageBuild
  /** The URL of a development server of Vite, which replaces the build. */
  viteUrl?: string
}

export function serveDashboard(
  server: FastifyInstance,
  options: DashboardOptions = {},
): void {
  const { findBuild = findBuiltIn(folder), viteUrl } = options
  const find = viteUrl ? () => null : openWhenBuilt(findBuild, openFiles)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (viteUrl) return sendDevelopmentPage(request, reply, viteUrl)
    const files = find()
    return files
      ? sendHtml(request, reply, files.page)
      : sendBuilding(reply, { name: 'the dashboard', build: findBuild() })
  }
  for (const address of addresses) server.get(address, sendPage)
  // People who mistyped an address get a page with a link; programs get JSON.
  server.get('/:unknown', (request, reply) =>
    request.headers.accept?.includes('text/html')
      ? sendPage(request, reply.code(404))
      : reply.callNotFound(),
  )
  server.get('/assets/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    const assets = find()?.assets
    return assets?.has(name)
      ? assets.send(request, reply, { name, headers: { ...protection, ...immutable } })
      : reply.callNotFound()
  })
  if (viteUrl) serveModules(server, viteUrl)
}

const openFiles = () => ({
  page: readFileSync(new URL('index.html', folder), 'utf8'),
  assets: new BuiltFiles(new URL('assets/', folder)),
})

async function sendDevelopmentPage(
  request: FastifyRequest,
  reply: FastifyReply,
  viteUrl: string,
) {
  try {
    return sendHtml(request, reply, await fetchPage(viteUrl), (policy, nonce) =>
      developmentPolicy(policy, viteUrl, nonce),
    )
  } catch {
    return sendBuilding(reply, {
      name: 'the dashboard',
      build: { status: 'building', startedAt: Date.now() },
    })
  }
}

function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  adapt = (policy: string, _nonce: string) => policy,
) {
  const nonce = randomBytes(16).toString('base64url')
  return reply
    .headers({
      ...protection,
      'content-type': contentTypes.html,
      'content-security-policy': adapt(policyFor(nonce), nonce),
      'cache-control': 'no-store',
      vary: languageHeaders,
    })
    .send(
      translatePage(page, request)
        .replace('{{command}}', ownCommand)
        .replaceAll('{{nonce}}', nonce)
        // Only for people at this machine: the path is nothing for visitors of a website.
        .replace('{{folder}}', () =>
          isLocal(request.raw) ? inAttribute(dataFolderBefore()) : '',
        ),
    )
}

const inAttribute = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Scripts and connections only from this server; styles with a nonce, because the components insert
 * some. Images, audio and video from any source, because bots choose their URLs.
 */
const policyFor = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  "font-src 'self'; img-src 'self' data: blob: http: https:; media-src 'self' data: http: https:; " +
  "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
