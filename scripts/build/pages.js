// Builds the pages, which a running server can get later.
import { buildDocumentation, isDocumentationCurrent } from '../docs.js'
import { buildDashboard, isDashboardCurrent } from './dashboard.js'

/** By the names that the server uses. */
export const pages = {
  dashboard: { build: buildDashboard, isCurrent: isDashboardCurrent },
  documentation: { build: buildDocumentation, isCurrent: isDocumentationCurrent },
}
