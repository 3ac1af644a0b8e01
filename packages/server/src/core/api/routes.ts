// Routes outside of the contract: webhooks, content of files, pages and WebSockets.

import type { FastifyInstance } from 'fastify'
import { serveArchiveFiles } from '../../features/archive/api/platform/archive-files.ts'
import { serveImports } from '../../features/archive/api/platform/archive-imports.ts'
import { rejectMcpStreams } from '../../features/mcp/api/mcp/messages.ts'
import { serveArrivals } from '../../features/moves/api/platform/arrivals.ts'
import { serveTunnels } from '../../features/tunnels/api/tunnel.ts'
import { serveBotDocuments } from '../../features/versions/api/bot-documents.ts'
import type { Timeouts } from '../http/limits/timeouts.ts'
import type { Services } from '../http/services.ts'
import { serveUpgrades } from '../http/streams/upgrades.ts'
import { serveExtras } from './chat/extras.ts'
import { acceptWebSockets } from './chat/web-socket.ts'
import { serveContent } from './files/content.ts'
import { serveOpenApi } from './open-api.ts'
import { serveAssets } from './package-assets.ts'
import { serveWebhooks } from './webhooks/routes.ts'

/** Returns functions that count the open WebSockets of listeners, and the open tunnels. */
export function registerRoutes(
  server: FastifyInstance,
  services: Services,
  timeouts?: Timeouts,
): { webSockets: () => number; tunnels: () => number } {
  serveExtras(server, services)
  serveWebhooks(server, services, timeouts)
  serveContent(server, services)
  serveBotDocuments(server, services)
  serveOpenApi(server)
  rejectMcpStreams(server)
  serveAssets(server, services)
  serveArrivals(server, services)
  serveArchiveFiles(server, services)
  serveImports(server, services)
  const tunnels = serveTunnels(server, services)
  const webSockets = acceptWebSockets(server, services)
  serveUpgrades(server, services, [tunnels.route, webSockets.route])
  return { webSockets: webSockets.count, tunnels: tunnels.count }
}
