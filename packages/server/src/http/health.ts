// Is it alive, and may it be given work? `/healthz` speaks for the process, `/readyz` for what it needs.
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Services } from '../services.ts'

/** Below this part of free space in the data folder the server says so. */
const leastFree = 0.05

export function reportHealth(server: FastifyInstance, { db, config }: Pick<Services, 'db' | 'config'>, isStopping: () => boolean) {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const troubles = (await Promise.all([stopping(isStopping), database(db), disk(config.dataFolder)])).filter((trouble) => trouble !== null)
    return reply.code(troubles.length === 0 ? 200 : 503).send({ ready: troubles.length === 0, ...(troubles.length > 0 && { troubles }) })
  })
}

const stopping = async (isStopping: () => boolean) => (isStopping() ? 'The server is stopping' : null)

async function database(db: Services['db']) {
  const answered = sql`select 1`.execute(db).then(() => null)
  const tooLate = new Promise<string>((resolve) => setTimeout(() => resolve('The database does not answer'), 1_500).unref())
  return Promise.race([answered, tooLate]).catch(() => 'The database cannot be reached')
}

async function disk(folder: string) {
  const { bavail, blocks } = await statfs(folder)
  return bavail / blocks < leastFree ? 'The disk of the data folder is nearly full' : null
}
