// Creates the Fastify instance with its limits and the order of hooks. Routes come from the
// contract (mount.ts).

import { IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify'
import { rejectUnstorableAddress } from '../lib/index.ts'
import { readBodies } from './body/body.ts'
import { closeInTime } from './closing.ts'
import { parseQuery } from './input/query.ts'
import { normalizeTargets, rejectForeignTarget } from './input/request-target.ts'
import { noteLimitedCall } from './limits/rate-limits.ts'
import { rejectConnection, rejectTunnel } from './limits/rejection.ts'
import { defaultTimeouts, type Timeouts } from './limits/timeouts.ts'
import { type Observers, observeOther, observeRequests, requestIds } from './observe.ts'
import { allowOrigin, answerPreflights } from './pages/cors.ts'
import { errorBody, replyError, toApiError } from './reply-error.ts'
import type { HttpServices } from './services.ts'
import { attributeRequests } from './uncaught.ts'

export function createServer(
  services: Pick<HttpServices, 'config' | 'log' | 'metrics' | 'limitedCalls' | 'hooks'>,
  timeouts: Timeouts = defaultTimeouts,
): FastifyInstance {
  const { config, log, metrics } = services
  const observers = { log, requests: metrics.requests, hooks: services.hooks }
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // creating a logger per request costs more than writing its line
    genReqId: requestIds(),
    http: httpOptions(timeouts),
    keepAliveTimeout: 72_000, // longer than common proxies', which could send into a closing connection
    forceCloseConnections: false,
    return503OnClosing: false, // closing.ts rejects with a typed error
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 5_000,
      querystringParser: parseQuery,
    },
    rewriteUrl: ({ headers, url = '/' }) =>
      toWebchat(byHost(config.domain, headers.host, url)),
    // A malformed URL finds no route, and therefore runs no hooks.
    frameworkErrors(error, { raw }, reply: FastifyReply) {
      allowOrigin(config, raw, reply)
      rejectUnreadable(error, reply, observers)
    },
    clientErrorHandler: rejectConnection,
  })
  normalizeTargets(server.server)
  server.server.on('connect', rejectTunnel)
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  ) // unknown expectations are ignored
  server.setErrorHandler((thrown, request, reply) => {
    noteLimitedCall(services, thrown, request)
    return replyError(thrown, request, reply)
  })
  server.setNotFoundHandler(notFound)
  observeRequests(server, observers)
  attributeRequests(server)
  addHooks(server, services, timeouts)
  return server
}

const httpOptions = (timeouts: Timeouts) => ({
  headersTimeout: timeouts.headers,
  // Node's time-out for whole requests would interrupt large uploads; body-reader.ts and content.ts
  // have theirs.
  requestTimeout: 0,
  connectionsCheckingInterval: Math.min(2_000, timeouts.headers / 2),
  requireHostHeader: false, // checked by checkHost, with a typed error
  IncomingMessage: Request,
})

function rejectUnreadable(error: unknown, reply: FastifyReply, observers: Observers) {
  const known = toApiError(error)
  const body = errorBody(known)
  observeOther(observers, {
    operation: 'unreadable',
    status: known.code,
    since: performance.now(),
    failure: { error: known.type, errorId: body.id },
  })
  void reply.headers(securityHeaders).code(known.code).send(body)
}

/**
 * Adds the hooks in their order. They call `done` instead of returning promises, because each
 * promise delays and costs every request.
 */
function addHooks(
  server: FastifyInstance,
  services: Pick<HttpServices, 'config' | 'log' | 'hooks'>,
  timeouts: Timeouts,
) {
  const { config } = services
  server.addHook('onRequest', (request, reply, done) => {
    allowOrigin(config, request.raw, reply)
    done()
  })
  closeInTime(server, config)
  server.addHook('onRequest', (request, _reply, done) => {
    checkHost(request.raw)
    rejectForeignTarget(request.raw)
    if (request.is404) notFound() // before the body is read
    rejectUnstorableAddress(
      request.routeOptions.config.rawQuery ? { params: request.params } : request,
    )
    done()
  })
  server.addHook('onRequest', (request, reply, done) => {
    const relocating = services.hooks.relocator?.request(request, reply)
    if (!relocating) return done()
    relocating.then((isForwarded) => isForwarded || done(), done)
  })
  readBodies(server, config, timeouts)
  answerPreflights(server)
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    reply.headers(securityHeaders)
    if (config.publicUrl?.startsWith('https:'))
      reply.header('strict-transport-security', 'max-age=31536000')
    done(null, payload)
  })
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const notFound = () => {
  throw new ApiError('ResourceNotFound', 'There is nothing at this address')
}

/** Requires exactly one host header: with several, a proxy in front may use another one. */
function checkHost({ rawHeaders, httpVersion }: IncomingMessage) {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    throw new ApiError('InvalidPayload', 'Send exactly one `host` header')
}

/**
 * Accepts upgrades to WebSocket only. Other upgrades (HTTP/2, offered by Java and curl) get an
 * ordinary response.
 */
class Request extends IncomingMessage {
  declare offered: boolean
  get upgrade() {
    return (
      this.offered &&
      (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket')
    )
  }
  set upgrade(value: boolean) {
    this.offered = value
  }
}

/**
 * Families are also reachable at their own host names: some clients derive one host from another by
 * replacing a word.
 */
function byHost(domain: string | null, host: string | undefined, url: string): string {
  if (!domain || !host || !url.startsWith('/')) return url
  const name = host.split(':')[0]!.toLowerCase()
  if (name === `chat.${domain}`) return `/chat${url}`
  if (name === `webhook.${domain}`) return `/webhooks${url}`
  if (name === `webchat.${domain}` && !url.startsWith('/webchat/'))
    return `/webchat${url}`
  return url
}

/**
 * Operations of the Webchat API directly below the server's URL, which official webchats expect
 * there: `/<client id>/initialize`.
 */
const webchatOperation =
  /^\/+[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/+(?:initialize|users|conversations|messages|events|files|p)(?![^/?])/

const toWebchat = (url: string) => (webchatOperation.test(url) ? `/webchat${url}` : url)
