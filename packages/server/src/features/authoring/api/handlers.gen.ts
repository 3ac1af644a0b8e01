// Written by `npm run generate` from the files beside it.
import { authoring } from './mcp/authoring.ts'
import { copilot } from './platform/copilot.ts'

export const handlers = {
  mcp: {
    authoring,
  },
  platform: {
    copilot,
  },
}
