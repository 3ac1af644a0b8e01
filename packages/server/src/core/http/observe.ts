// Observes requests: a request id in the response, a span, a metric, and one log line. Logs the
// route's pattern, bot ids and the outcome, never the URL or headers: they may contain keys and
// users' texts.
import { type Context, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import {
  type Metrics,
  type TracedSpan,
  traceContext,
  tracing,
} from '../telemetry/index.ts'
import type { HttpHooks } from './hooks.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traced: TracedSpan | null
    /** Why the request failed; `err` is set only for errors of the server. */
    failure: RequestFailure | null
    /** May quote input, so it is not logged. */
    failureMessage: string | null
  }
}

export interface RequestFailure {
  error: string
  errorId: string
  err?: unknown
}

export interface Observers {
  log: Logger
  hooks: Pick<HttpHooks, 'answered'>
  requests: Metrics['requests']
}

/** Returns a generator of request ids: a prefix per process, and a counter. */
export function requestIds(): () => string {
  const begin = `req_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`
  let count = 0
  return () => `${begin}_${(++count).toString(36)}`
}

/** Must be registered before every other hook, so that requests they reject are observed too. */
export function observeRequests(server: FastifyInstance, observers: Observers) {
  server.decorateRequest('traced', null)
  server.decorateRequest('failure', null)
  server.decorateRequest('failureMessage', null)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const { name, route } = getRoute(request)
    const attributes = {
      'http.request.method': request.method,
      'url.scheme': request.protocol,
      ...(route && { 'http.route': route }),
    }
    request.traced = tracing.start(
      name,
      SpanKind.SERVER,
      attributes,
      traceContext.fromHeaders(request.headers),
    )
    // `close` instead of `finish`, to include clients that disconnected before the response.
    reply.raw.once('close', () => onResponse(observers, request, reply))
    done()
  })
}

/** Runs a handler inside its request's trace. */
export const inRequest = <Result>(
  { traced }: FastifyRequest,
  work: () => Result,
): Result => tracing.within(traced?.context ?? null, work)

function getRoute(request: FastifyRequest) {
  const { operationId, family, stream } = request.routeOptions.config
  const route = request.is404 ? undefined : request.routeOptions.url
  const operation = operationId ?? route ?? 'unknown'
  return {
    family: family ?? 'none',
    operation,
    route,
    stream: stream === true,
    name: family ? `${family}.${operation}` : operation,
  }
}

/** The status that proxies log for a client that disconnected. */
const clientClosedRequest = 499

function onResponse(observers: Observers, request: FastifyRequest, reply: FastifyReply) {
  const { log, requests, hooks } = observers
  const { family, operation, route, stream, name } = getRoute(request)
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequest
  const ms = reply.elapsedTime
  requests.answered(family, operation, status, stream ? null : ms / 1000)
  for (const note of hooks.answered) note(request, { status, ms })
  const { botId, cause } = (request.caller ?? {}) as {
    botId?: string | null
    cause?: string | null
  }
  endSpan(request.traced, { status, botId: botId ?? null, failure: request.failure })
  const level = request.failure?.err === undefined ? 'info' : 'error'
  if (!log.isLevelEnabled(level)) return
  const trace = traceIdIn(request.traced?.context)
  const line = {
    requestId: request.id,
    operation: name,
    route,
    method: request.method,
    status,
    ms: Math.round(ms),
    botId: botId ?? undefined,
    cause: cause ?? undefined,
  }
  log[level]({ ...line, ...trace, ...request.failure }, 'request')
}

const traceIdIn = (context: Context | null | undefined) =>
  context && { traceId: traceContext.findSpanContext(context)?.traceId }

function endSpan(
  traced: TracedSpan | null,
  {
    status,
    botId,
    failure,
  }: { status: number; botId: string | null; failure: RequestFailure | null },
) {
  if (!traced?.span.isRecording()) return
  traced.span.setAttribute('http.response.status_code', status)
  if (botId) traced.span.setAttribute('botstead.bot.id', botId)
  if (failure) traced.span.setAttribute('error.type', failure.error)
  if (status >= 500) traced.span.setStatus({ code: SpanStatusCode.ERROR })
  traced.span.end()
}

/** Reports requests without a route, or outside Fastify: a WebSocket, a malformed URL. */
export function observeOther(
  { log, requests }: Pick<Observers, 'log' | 'requests'>,
  outcome: {
    operation: string
    status: number
    since: number
    botId?: string
    failure?: RequestFailure
  },
) {
  const { operation, status, since, botId, failure } = outcome
  requests.answered('none', operation, status, null)
  const level = failure?.err === undefined ? 'info' : 'error'
  log[level](
    {
      operation,
      status,
      ms: Math.round(performance.now() - since),
      ...(botId && { botId }),
      ...failure,
    },
    'request',
  )
}
