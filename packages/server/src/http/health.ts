// Is it alive, and may it be given work? `/healthz` speaks for the process, `/readyz` for what it needs. Who has a token may read more (getHealth).
import type { FastifyInstance } from 'fastify'

/** `troubles`: one sentence each; none when all is well. */
export function reportHealth(server: FastifyInstance, troubles: () => Promise<string[]>) {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const found = await troubles()
    return reply
      .code(found.length === 0 ? 200 : 503)
      .send({ ready: found.length === 0, ...(found.length > 0 && { troubles: found }) })
  })
}
