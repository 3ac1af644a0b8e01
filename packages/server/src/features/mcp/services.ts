// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { RemoteTools } from './remote.ts'

export interface McpServices {
  /** Tools of the MCP servers that are installed in bots. */
  remoteTools: RemoteTools
}

export const bindings = {
  remoteTools: 'unchanged',
} satisfies Bindings<McpServices>
