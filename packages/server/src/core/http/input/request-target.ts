// The target of a request line. Clients of proxies, and hostile ones, send it in absolute form
// (`GET http://host/path`). The server serves it by its path, and its authority replaces the `host`
// header (RFC 9112, 3.2.2). This happens before any other code reads the request, so all other code
// may rely on a target that begins with a slash.
import type { IncomingMessage, Server } from 'node:http'
import { ApiError } from '@botstead/contract'

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is

export function normalizeTargets(server: Server) {
  server.prependListener('request', normalizeTarget)
  server.prependListener('upgrade', normalizeTarget)
}

function normalizeTarget(request: IncomingMessage) {
  const { url = '' } = request
  if (url.startsWith('/')) return
  const [, authority, rest] = absoluteForm.exec(url) ?? []
  if (authority === undefined || rest === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = authority.slice(authority.lastIndexOf('@') + 1)
}

/** Throws InvalidPayload for a target that names no path here: `ftp://host/path`. */
export function rejectForeignTarget({ url = '/', method }: IncomingMessage) {
  if (!url.startsWith('/') && !(method === 'OPTIONS' && url === '*'))
    throw new ApiError(
      'InvalidPayload',
      'Begin the request target with `/`, `http://` or `https://`',
    )
}

/** Splits a target at its query, which may contain anything. */
export function splitTarget(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?')
  if (mark < 0) return { path: url, query: new URLSearchParams() }
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark)) }
}
