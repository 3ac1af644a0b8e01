import type { Limits } from '../../core/config/index.ts'
import type { DeliveryHooks } from '../../core/delivery/index.ts'
import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { rejectMcpStreams } from './api/mcp/messages.ts'
import { openRemoteTools } from './remote.ts'
import { bindings, type McpServices } from './services.ts'
import { tables } from './table-rules.ts'

export const mcp = {
  name: 'mcp',
  tables,
  bindings,
  handlers,
  open: openMcp,
  routes: rejectMcpStreams,
  deliveryHooks: (hooks: DeliveryHooks, { remoteTools }: McpServices) =>
    hooks.findRemoteAction.push((...names) => remoteTools.find(...names)),
} satisfies Feature

/** Loads the protocol's library with the first message. */
export async function loadMcpServer() {
  const { toSafeError } = await import('./api/mcp/failures.ts')
  const { answerMessage } = await import('./api/mcp/server.ts')
  return { answerMessage, toSafeError }
}

/** For calls of MCP servers, if the operator has removed the limit. */
const maxRemoteSeconds = 3_600

interface Deps extends Omit<Parameters<typeof openRemoteTools>[0], 'timeoutMs'> {
  limits: Pick<Limits, 'integrationSeconds'>
}

function openMcp({ limits, ...deps }: Deps): { services: McpServices } {
  const timeoutMs = Math.min(limits.integrationSeconds, maxRemoteSeconds) * 1_000
  return { services: { remoteTools: openRemoteTools({ ...deps, timeoutMs }) } }
}

export type { Offer } from './api/mcp/caller.ts'
export { rejectOtherOrigins } from './api/mcp/messages.ts'
export {
  describeMcpServers,
  replaceMcpServers,
} from './servers.ts'
