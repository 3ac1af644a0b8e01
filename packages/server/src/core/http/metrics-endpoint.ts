// `GET /metrics`, for Prometheus. With a token configured, requires it. Without one, allows only
// direct requests from this machine, not through a proxy. The host name is checked as well, because
// a web page can make its own host name resolve to this machine.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import { sameText } from '@botstead/lib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HttpServices } from './services.ts'

/** Of the text format of Prometheus. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

export function serveMetrics(
  server: FastifyInstance,
  { metricsToken }: Pick<HttpServices['config'], 'metricsToken'>,
  text: () => Promise<string>,
) {
  server.get('/metrics', async (request, reply) => {
    if (metricsToken === null) requireLocal(request)
    else requireToken(metricsToken, request)
    return reply.type(contentType).send(await text())
  })
}

function requireToken(token: string, { headers }: FastifyRequest) {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (sent === undefined || !sameText(sent, token))
    throw new ApiError(
      'Unauthorized',
      'Send the metrics token: `authorization: Bearer <BOTSTEAD_METRICS_TOKEN>`',
    )
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i
/** Headers that proxies add. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
]

/** Whether the request comes from this machine, without a proxy. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isHere =
    loopback.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '')
  return isHere && proxyHeaders.every((name) => headers[name] === undefined)
}

function requireLocal(request: FastifyRequest) {
  if (!isLocal(request.raw))
    throw new ApiError(
      'Forbidden',
      'Metrics are readable only from this machine: set BOTSTEAD_METRICS_TOKEN for access from elsewhere',
    )
}
