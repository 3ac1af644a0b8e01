// Which browser pages may call. The Chat API is for pages anywhere, without credentials. With credentials, as the official chat client in a browser
// sends its requests, only pages of listed origins may: an origin is never echoed unseen. The other families are for the listed origins alone.
// By the address and not by the route: what is refused before there is a route must be readable too.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'

/** What clients wait by, and what tells answers apart. */
const exposed =
  'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, idempotency-replayed'
const chatAddress = /^\/+chat\//

export function allowOrigin(
  { corsOrigins, chatOrigins }: Pick<Config, 'corsOrigins' | 'chatOrigins'>,
  { url = '/', headers: { origin } }: import('node:http').IncomingMessage,
  reply: FastifyReply,
) {
  if (!origin) return
  reply.header('vary', 'Origin')
  const isChat = chatAddress.test(url)
  const isListed = corsOrigins.includes(origin) || (isChat && chatOrigins.includes(origin))
  if (!isListed && !isChat) return
  reply
    .header('access-control-allow-origin', isListed ? origin : '*')
    .header('access-control-expose-headers', exposed)
  if (isListed) reply.header('access-control-allow-credentials', 'true')
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
