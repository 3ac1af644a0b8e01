// Written by `npm run generate` from the files beside it.
import { authoring } from './mcp/authoring.ts'

export const handlers = {
  mcp: {
    authoring,
  },
}
