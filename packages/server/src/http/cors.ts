// Which browser pages may call. The Chat API is for pages anywhere: the official client sends credentials, so the origin is echoed
// (`*` would be refused); no cookie of ours exists that could be abused. The other families are for the origins that the operator lists.
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

export function allowOrigins(server: FastifyInstance, { corsOrigins }: Pick<Config, 'corsOrigins'>) {
  server.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    const isChat = request.url.startsWith('/chat/')
    if (!origin) return
    reply.header('vary', 'Origin')
    if (!isChat && !corsOrigins.includes(origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true').header('access-control-expose-headers', '*')
  })
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
