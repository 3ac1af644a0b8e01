// The HTTP server with the operations of the contract, its health and its metrics.
import type { FastifyInstance } from 'fastify'
import type { Extras } from './endpoint.ts'
import { reportHealth } from './health.ts'
import type { Timeouts } from './limits/timeouts.ts'
import { serveMetrics } from './metrics-endpoint.ts'
import { type FamilyHandlers, mountFamilies } from './mount.ts'
import { createServer } from './server.ts'
import type { HttpServices } from './services.ts'

interface Options extends Extras {
  timeouts: Timeouts | undefined
  handlers: FamilyHandlers[]
  /** Returns the text of the metrics. */
  readMetrics: () => Promise<string>
}

export function openServer(
  services: HttpServices,
  { timeouts, handlers, readMetrics, ...extras }: Options,
): FastifyInstance {
  const server = createServer(services, timeouts)
  mountFamilies(server, services, handlers, extras)
  reportHealth(server, services.health.problems)
  serveMetrics(server, services.config, readMetrics)
  return server
}
