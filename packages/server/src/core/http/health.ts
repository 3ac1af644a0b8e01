// `/healthz` reports that the process is alive, `/readyz` whether it is ready for work. With the
// operator's token, getHealth returns more.
import type { FastifyInstance } from 'fastify'

/** `troubles` returns one sentence per problem, empty if the server is ready. */
export function reportHealth(server: FastifyInstance, troubles: () => Promise<string[]>) {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const found = await troubles()
    return reply
      .code(found.length === 0 ? 200 : 503)
      .send({ ready: found.length === 0, ...(found.length > 0 && { troubles: found }) })
  })
}
