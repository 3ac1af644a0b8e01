// Requests for workspaces that leave, have left, or arrive (relocations.ts): during
// the stop of writes they wait, afterwards the server forwards them unread and unchanged to the
// installation where the workspace lives. That installation authenticates them.
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  errorReplies,
  type Handshake,
  type HttpHooks,
  isHosted,
  type Services,
} from '../../../core/http/index.ts'
import type { ArchiveServices } from '../services.ts'
import type { Relocation, Relocations } from './relocations.ts'

type Deps = Pick<ArchiveServices, 'relocations'> & Pick<Services, 'log'>

/** How long a request waits for the end of a stop. */
const maxWaitMs = 12_000
/** Of moves back and forth; more forwards than that are a loop. */
const maxForwards = 3
const forwardedHeader = 'x-botstead-forwarded'
/** The requests of the move itself. */
const arrivalPath = '/v1/platform/arrivals'

export const openRelocator = (deps: Deps): NonNullable<HttpHooks['relocator']> => ({
  request(request, reply) {
    const relocation = deps.relocations.isEmpty
      ? undefined
      : find(deps.relocations, request.raw)
    return relocation ? relocate(deps, relocation, request, reply) : null
  },
  /** For requests that name their workspace only by their credential. */
  caller(request, reply) {
    if (deps.relocations.isEmpty) return null
    const { workspaceId } = (request.caller ?? {}) as { workspaceId?: string | null }
    const relocation = workspaceId ? deps.relocations.now(workspaceId) : undefined
    return relocation ? relocate(deps, relocation, request, reply) : null
  },
  async upgrade(handshake) {
    const { request } = handshake
    const relocation = deps.relocations.isEmpty
      ? undefined
      : find(deps.relocations, request)
    if (!relocation) return false
    const target = await whereTo(deps.relocations, relocation, request)
    if (!target) throw unavailable() // it is used here again: the client retries
    await forwardUpgrade(target, handshake)
    return true
  },
})

/** Finds the workspace by the ids in path and headers; ids are never used twice. */
function find(relocations: Relocations, { url = '/', headers }: IncomingMessage) {
  const path = url.split('?', 1)[0]!
  if (path.startsWith(arrivalPath)) return undefined
  const segments = path.split('/').map(decoded)
  for (const id of [headers['x-bot-id'], headers['x-workspace-id'], ...segments]) {
    const relocation =
      typeof id === 'string' && id !== '' ? relocations.of(id) : undefined
    if (relocation) return relocation
  }
  const owner = sharedAddress.exec(path)?.[1]
  return owner === undefined ? undefined : relocations.of(`handle ${decoded(owner)}`)
}

/** Address of all bots of an integration, with the handle of the workspace that owns it. */
const sharedAddress = /\/integration\/global\/([^/]+)\//

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function relocate(
  deps: Deps,
  relocation: Relocation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const target = await whereTo(deps.relocations, relocation, request.raw)
  if (!target) return false
  reply.hijack()
  forward(deps, target, request.raw, reply.raw)
  return true
}

/**
 * Waits for the end of a stop. Returns the URL of the workspace's installation; null if it is used
 * here. Throws Unavailable.
 */
async function whereTo(
  relocations: Relocations,
  { workspaceId }: Relocation,
  request: IncomingMessage,
): Promise<string | null> {
  const until = performance.now() + maxWaitMs
  for (;;) {
    const now = relocations.now(workspaceId)
    if (!now) return null
    if (now.state === 'moved') {
      if (countForwards(request) >= maxForwards)
        throw new ApiError(
          'Unavailable',
          'Installations forward this request in a circle',
        )
      return now.targetUrl!
    }
    if (now.state === 'pausing' && isOfBot(request)) return null
    const remaining = until - performance.now()
    if (now.state === 'closed' || remaining <= 0 || request.socket.destroyed)
      throw unavailable()
    await relocations.changed(remaining)
  }
}

/** Deliveries can only end if the calls of bots and integrations go on. */
const isOfBot = ({ headers, socket }: IncomingMessage) =>
  headers['x-bot-id'] !== undefined || isHosted(socket)

const countForwards = ({ headers }: IncomingMessage) =>
  Number(headers[forwardedHeader]) || 0

const unavailable = () =>
  new ApiError(
    'Unavailable',
    'The workspace is moving between installations: retry later; nothing was changed',
  )

const unreachable = () =>
  new ApiError(
    'Unavailable',
    'The installation of this workspace cannot be reached: retry later',
  )

/** Headers of one connection. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'host',
  'expect',
])
const agents = {
  http: new http.Agent({ keepAlive: true, timeout: 60_000 }),
  https: new https.Agent({ keepAlive: true, timeout: 60_000 }),
}

/** The request's path follows that of the target unchanged, never parsed as a part of a URL. */
function requestTo(target: string, request: IncomingMessage, more: string[] = []) {
  const url = new URL(target)
  const isTls = url.protocol === 'https:'
  const { remoteAddress } = request.socket
  const before = request.headers['x-forwarded-for']
  const addresses = [before, remoteAddress].filter((one) => one !== undefined).join(', ')
  const count = countForwards(request) + 1
  const dropped = (name: string) =>
    ofConnection.has(name) || name === 'x-forwarded-for' || name === forwardedHeader
  const headers = [
    ...pairs(request.rawHeaders, dropped),
    'host',
    url.host,
    forwardedHeader,
    String(count),
    ...(addresses ? ['x-forwarded-for', addresses] : []),
    ...more,
  ]
  return (isTls ? https : http).request({
    ...urlToHttpOptions(url),
    path: url.pathname.replace(/\/+$/, '') + request.url,
    method: request.method!,
    headers,
    setHost: false,
    agent: more.length ? false : agents[isTls ? 'https' : 'http'],
  })
}

function pairs(rawHeaders: string[], isDropped: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!isDropped(rawHeaders[i]!.toLowerCase()))
      kept.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  return kept
}

/** Streams in both directions, without limits of size and time: those of the target apply. */
function forward(
  { log }: Deps,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const upstream = requestTo(target, request)
  upstream.on('response', (answer) => {
    const isDropped = (name: string) =>
      ofConnection.has(name) || name === 'transfer-encoding'
    response.writeHead(
      answer.statusCode!,
      answer.statusMessage,
      pairs(answer.rawHeaders, isDropped),
    )
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
    answer.on('aborted', () => response.destroy())
  })
  upstream.on('error', (error) => {
    if (response.headersSent) return void response.destroy()
    log.warn(
      { reason: error.message },
      'cannot forward a request to the installation of its workspace',
    )
    const body = JSON.stringify(errorReplies.toBody(unreachable()))
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '1',
      connection: 'close',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  request.pipe(upstream)
}

/** Resolves when the installation answers. Throws Unavailable if it cannot be reached. */
function forwardUpgrade(
  target: string,
  { request, socket, head }: Handshake,
): Promise<void> {
  const upstream = requestTo(target, request, [
    'connection',
    'Upgrade',
    'upgrade',
    request.headers.upgrade ?? 'websocket',
  ])
  return new Promise((resolve, reject) => {
    socket.on('error', () => upstream.destroy())
    socket.on('close', () => upstream.destroy())
    upstream.on('error', () => reject(unreachable()))
    upstream.on('upgrade', (answer, other, rest) => {
      resolve()
      socket.write(toHead(answer))
      other.on('error', () => socket.destroy())
      socket.on('error', () => other.destroy())
      if (rest.length) socket.write(rest)
      if (head.length) other.write(head)
      other.pipe(socket).pipe(other)
    })
    upstream.on('response', (answer) => {
      resolve()
      answer.on('error', () => socket.destroy())
      socket.write(toHead(answer))
      answer.pipe(socket)
    })
    upstream.end()
  })
}

function toHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = pairs(rawHeaders, () => false)
  let text = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
  for (let i = 0; i < lines.length; i += 2) text += `${lines[i]}: ${lines[i + 1]}\r\n`
  return `${text}\r\n`
}
