// Serves the dashboard, the documentation and the chat page.
import type { FastifyInstance } from 'fastify'
import { type DashboardOptions, serveDashboard } from './dashboard.ts'
import { serveDocumentation } from './documentation.ts'
import type { FindPageBuild } from './page-builds.ts'
import { servePage } from './static.ts'

/** Of pages that are built while the server runs. Default: all are built. */
export interface PageOptions {
  dashboard?: DashboardOptions
  findDocumentationBuild?: FindPageBuild
}

export function servePages(
  server: FastifyInstance,
  { dashboard, findDocumentationBuild: findBuild }: PageOptions,
  chat: Parameters<typeof servePage>[1],
): void {
  serveDashboard(server, dashboard)
  serveDocumentation(server, findBuild && { findBuild })
  servePage(server, chat)
}
