import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { rejectMcpStreams } from './api/mcp/messages.ts'

export const mcp = { name: 'mcp', handlers, routes: rejectMcpStreams } satisfies Feature
export { openRemoteTools } from './remote.ts'
export {
  listMcpServers,
  type McpServer,
  type McpServerChanges,
  replaceMcpServers,
} from './servers.ts'
export { type McpServices, mcpBindings } from './services.ts'
export { tables } from './table-rules.ts'
