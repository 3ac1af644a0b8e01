import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { rejectMcpStreams } from './api/mcp/messages.ts'

/** Loads the protocol's library with the first message. */
export async function loadMcpServer() {
  const { toSafeError } = await import('./api/mcp/failures.ts')
  const { answerMessage } = await import('./api/mcp/server.ts')
  return { answerMessage, toSafeError }
}

export const mcp = { name: 'mcp', handlers, routes: rejectMcpStreams } satisfies Feature
export type { Offer } from './api/mcp/caller.ts'
export { rejectOtherOrigins } from './api/mcp/messages.ts'
export { openRemoteTools } from './remote.ts'
export {
  listMcpServers,
  type McpServer,
  type McpServerChanges,
  replaceMcpServers,
} from './servers.ts'
export { type McpServices, mcpBindings } from './services.ts'
export { tables } from './table-rules.ts'
