// Routes outside of the contract: webhooks, content of files, pages and WebSockets.
import type { FastifyInstance } from 'fastify'
import { serveOpenApi } from '../core/api/index.ts'
import { serveAssets } from '../core/catalog/index.ts'
import { serveWebhooks } from '../core/delivery/index.ts'
import type { Feature, Upgrades } from '../core/feature.ts'
import { serveContent } from '../core/files/index.ts'
import { serveUpgrades, type Timeouts } from '../core/http/index.ts'
import { acceptWebSockets, serveExtras } from '../core/messaging/index.ts'
import type { AllServices } from './all-services.ts'

/** Returns functions that count the open WebSockets, of listeners and by feature. */
export function registerRoutes(
  server: FastifyInstance,
  services: AllServices,
  features: Feature<AllServices>[],
  timeouts?: Timeouts,
): { webSockets: () => number; upgrades: Map<string, Upgrades> } {
  serveExtras(server, services)
  const webhookRoutes = features.flatMap((feature) => feature.webhookRoutes ?? [])
  serveWebhooks(server, services, webhookRoutes, timeouts)
  serveContent(server, services)
  serveOpenApi(server)
  serveAssets(server, services)
  const upgrades = new Map<string, Upgrades>()
  for (const feature of features) {
    feature.routes?.(server, services)
    const opened = feature.upgrades?.(server, services)
    if (opened) upgrades.set(feature.name, opened)
  }
  const webSockets = acceptWebSockets(server, services)
  const routes = [...upgrades.values()].map(({ route }) => route)
  serveUpgrades(server, services, [...routes, webSockets.route])
  return { webSockets: webSockets.count, upgrades }
}
