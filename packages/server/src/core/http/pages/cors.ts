// CORS. The Chat and Webchat APIs allow every origin without credentials. With credentials, as the official
// chat client sends its requests in a browser, it allows only listed origins; an unlisted origin is
// never echoed. The other families allow only listed origins. The check uses the URL instead of the
// route, so that browsers can also read errors that occur before routing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Section } from '../../config/index.ts'
import { sessionHeader } from '../callers/authenticate.ts'

/** Headers that clients need for retries and to identify responses. */
const exposed =
  'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, idempotency-replayed'
const chatAddress = /^\/+(?:web)?chat\//

export function allowOrigin(
  { corsOrigins, chatOrigins }: Pick<Section<'http'>, 'corsOrigins' | 'chatOrigins'>,
  { url = '/', headers: { origin } }: import('node:http').IncomingMessage,
  reply: FastifyReply,
) {
  if (!origin) return
  reply.header('vary', 'Origin')
  const isChat = chatAddress.test(url)
  const isListed =
    corsOrigins.includes(origin) || (isChat && chatOrigins.includes(origin))
  if (!isListed && !isChat) return
  reply
    .header('access-control-allow-origin', isListed ? origin : '*')
    .header('access-control-expose-headers', exposed)
  if (isListed) reply.header('access-control-allow-credentials', 'true')
}

/** Grants all headers but the one of sessions, which only pages of this server may send. */
const headersFor = ({ headers }: FastifyRequest) =>
  headers['access-control-request-headers']
    ?.split(',')
    .filter((name) => name.trim().toLowerCase() !== sessionHeader)
    .join(',') ?? '*'

export function answerPreflights(server: FastifyInstance) {
  server.options('/*', async (request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
        .header('access-control-allow-headers', headersFor(request))
        .header('access-control-max-age', '600')
    }
    return reply.code(204).send()
  })
}
