// Which browser pages may call. The Chat API is for pages anywhere: the official client sends credentials, so the origin is echoed
// (`*` would be refused); no cookie of ours exists that could be abused. The other families are for the origins that the operator lists.
// By the address and not by the route: what is refused before there is a route must be readable too.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'

/** What clients wait by, and what tells answers apart. */
const exposed =
  'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, idempotency-replayed'
const chatAddress = /^\/+chat\//

export function allowOrigin(
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
  { url = '/', headers: { origin } }: import('node:http').IncomingMessage,
  reply: FastifyReply,
) {
  if (!origin) return
  reply.header('vary', 'Origin')
  if (!chatAddress.test(url) && !corsOrigins.includes(origin)) return
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', exposed)
}

export function answerPreflights(server: FastifyInstance) {
  server.options('/*', async (request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
        .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
        .header('access-control-max-age', '600')
    }
    return reply.code(204).send()
  })
}
