// Routes outside of the contract: webhooks, content of files, pages and WebSockets.
import type { FastifyInstance } from 'fastify'
import { serveExtras } from '../core/api/chat/extras.ts'
import { acceptWebSockets } from '../core/api/chat/web-socket.ts'
import { serveContent } from '../core/api/files/content.ts'
import { serveOpenApi } from '../core/api/open-api.ts'
import { serveAssets } from '../core/api/package-assets.ts'
import { serveWebhooks } from '../core/api/webhooks/routes.ts'
import type { Feature, Upgrades } from '../core/feature.ts'
import type { Timeouts } from '../core/http/limits/timeouts.ts'
import type { Services } from '../core/http/services.ts'
import { serveUpgrades } from '../core/http/streams/upgrades.ts'

/** Returns functions that count the open WebSockets, of listeners and by feature. */
export function registerRoutes(
  server: FastifyInstance,
  services: Services,
  features: Feature[],
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
    feature.routes?.(server, services as never)
    const opened = feature.upgrades?.(server, services as never)
    if (opened) upgrades.set(feature.name, opened)
  }
  const webSockets = acceptWebSockets(server, services)
  const routes = [...upgrades.values()].map(({ route }) => route)
  serveUpgrades(server, services, [...routes, webSockets.route])
  return { webSockets: webSockets.count, upgrades }
}
