// Written by `npm run generate` from the files beside it.
import { messages } from './mcp/messages.ts'
import { mcp } from './platform/mcp.ts'

export const handlers = {
  mcp: {
    messages,
  },
  platform: {
    mcp,
  },
}
