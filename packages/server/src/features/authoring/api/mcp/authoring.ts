// The MCP server for coding agents, at /mcp/authoring.
import type { Handlers, mcp } from '@botstead/contract'
import type { Contexts, HttpServices } from '../../../../core/http/index.ts'
import { rejectOtherOrigins } from '../../../mcp/index.ts'

export const authoring: Handlers<typeof mcp.authoring, Contexts<HttpServices>> = {
  async sendAuthoringMessage(context, { body }) {
    rejectOtherOrigins(context)
    // Loads the protocol's library with the first message.
    const { answerAuthoringMessage } = await import('./authoring-offer.ts')
    await answerAuthoringMessage(context, body)
    return undefined as never
  },
}
