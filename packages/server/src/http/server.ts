// The edge: one Fastify instance, its limits, and the order in which a request passes. Routes come from the contract (mount.ts).
import { ApiError } from '@botstead/contract'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Services } from '../services.ts'
import { readBodies } from './body.ts'
import { allowOrigins } from './cors.ts'
import { parseQuery } from './query.ts'
import { errorBody, replyError, toApiError } from './reply-error.ts'

export function makeServer(services: Pick<Services, 'config' | 'log'>): FastifyInstance {
  const { config, log } = services
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Slow callers: headers within 10 s, everything within 5 minutes; a body that stops coming is given a minute (body.ts).
    http: { headersTimeout: 10_000, requestTimeout: 300_000, connectionsCheckingInterval: 2_000 },
    keepAliveTimeout: 72_000, // longer than the idle time of common proxies, which would else send into a closing connection
    forceCloseConnections: false,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 5_000, querystringParser: parseQuery as never },
    rewriteUrl: (request) => byHost(config.domain, request.headers.host, request.url ?? '/'),
    frameworkErrors: (error, _request, reply) => void reply.code(toApiError(error).code as never).send(errorBody(toApiError(error)) as never),
    clientErrorHandler: (error, socket) => refuseConnection(error as NodeJS.ErrnoException, socket as never),
  })
  server.setErrorHandler(replyError)
  server.setNotFoundHandler(() => {
    throw new ApiError('ResourceNotFound', 'There is nothing at this address')
  })
  readBodies(server)
  allowOrigins(server, config)
  server.addHook('onSend', async (_request, reply, payload) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    return payload
  })
  server.addHook('onResponse', async (request, reply) => {
    const { operationId, family } = request.routeOptions.config
    // Never the URL: it may hold a user key. The route's pattern says enough.
    request.log.info(
      {
        operation: operationId && `${family}.${operationId}`,
        route: request.routeOptions.url,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
  return server
}

/** The families also answer at host names of their own, because some clients derive one host from another by replacing a word. */
function byHost(domain: string | null, host: string | undefined, url: string): string {
  if (!domain || !host) return url
  const name = host.split(':')[0]!.toLowerCase()
  if (name === `chat.${domain}`) return `/chat${url}`
  if (name === `webhook.${domain}`) return `/webhooks${url}`
  return url
}

const connectionErrors: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError('PayloadTooLarge', 'The headers are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError('RequestTimeout', 'The request did not arrive in time'),
}

/** What Node's parser refuses never becomes a request; the answer is typed all the same. */
function refuseConnection(error: NodeJS.ErrnoException, socket: import('node:net').Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const known = connectionErrors[error.code ?? ''] ?? new ApiError('InvalidPayload', 'The request cannot be read')
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : known.code === 408 ? '408 Request Timeout' : '400 Bad Request'
  const body = JSON.stringify(errorBody(known))
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
