// Routes outside of the contract: webhooks, content of files, pages and WebSockets.
import type { FastifyInstance } from 'fastify'
import type { Patience } from '../http/patience.ts'
import type { Services } from '../http/services.ts'
import { serveBotDocuments } from './bot-documents.ts'
import { answerExtras } from './chat/extras.ts'
import { acceptWebSockets } from './chat/web-socket.ts'
import { serveContent } from './files/content.ts'
import { serveAssets } from './package-assets.ts'
import { answerTunnels } from './tunnel.ts'
import { answerWebhooks } from './webhooks/doors.ts'

/** Returns functions that count the open WebSockets of listeners, and the open tunnels. */
export function registerDoors(
  server: FastifyInstance,
  services: Services,
  patience?: Patience,
): { webSockets: () => number; tunnels: () => number } {
  answerExtras(server, services)
  answerWebhooks(server, services, patience)
  serveContent(server, services)
  serveBotDocuments(server, services)
  serveAssets(server, services)
  return { webSockets: acceptWebSockets(server, services), tunnels: answerTunnels(server, services) }
}
