// Routes outside of the contract: webhooks, content of files, pages and WebSockets.
import type { FastifyInstance } from 'fastify'
import { deliveryModule } from '../core/delivery/index.ts'
import type { Upgrades } from '../core/feature.ts'
import { serveUpgrades, type Timeouts } from '../core/http/index.ts'
import type { AllServices } from './all-services.ts'
import { modules } from './modules.ts'

/** Returns the upgrades to WebSocket by module. */
export function registerRoutes(
  server: FastifyInstance,
  services: AllServices,
  timeouts?: Timeouts,
): Map<string, Upgrades> {
  const webhookRoutes = modules.flatMap((module) => module.webhookRoutes ?? [])
  deliveryModule.serveWebhooks(server, services, webhookRoutes, timeouts)
  const upgrades = new Map<string, Upgrades>()
  for (const module of modules) {
    module.routes?.(server, services)
    const opened = module.upgrades?.(server, services)
    if (opened) upgrades.set(module.name, opened)
  }
  // That of the core matches all, and comes last.
  const routes = [...upgrades.values()].map(({ route }) => route)
  serveUpgrades(server, services, routes)
  return upgrades
}
