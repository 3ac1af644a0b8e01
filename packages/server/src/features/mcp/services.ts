// The services of this feature, which its handlers receive beside those of the core.
import type { RemoteTools } from './remote.ts'

export interface McpServices {
  /** Tools of the MCP servers that are installed in bots. */
  remoteTools: RemoteTools
}
