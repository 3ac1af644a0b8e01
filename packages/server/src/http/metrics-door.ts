// `GET /metrics`, for Prometheus. Who may read it: with a token set, whoever shows it; without one, who asks from this machine and was not handed on by a
// proxy. A page that made its own name point here asks under that name, so names count too.
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { sameText } from '../lib/secrets.ts'
import { contentType } from '../telemetry/registry.ts'

export function serveMetrics(
  server: FastifyInstance,
  { metricsToken }: Pick<Config, 'metricsToken'>,
  text: () => Promise<string>,
) {
  server.get('/metrics', async (request, reply) => {
    if (metricsToken === null) refuseOthers(request)
    else refuseWithout(metricsToken, request)
    return reply.type(contentType).send(await text())
  })
}

function refuseWithout(token: string, { headers }: FastifyRequest) {
  const shown = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (shown === undefined || !sameText(shown, token))
    throw new ApiError('Unauthorized', 'The token for metrics is needed')
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i
/** What proxies say of whom they ask for. */
const handedOn = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
]

function refuseOthers({ raw: { socket }, headers }: FastifyRequest) {
  const isHere = loopback.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '')
  if (!isHere || handedOn.some((name) => headers[name] !== undefined))
    throw new ApiError('Forbidden', 'Metrics are for this machine only, unless BOTSTEAD_METRICS_TOKEN is set')
}
