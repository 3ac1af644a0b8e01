// Written by `npm run generate` from the files beside it.
import { copilot } from './platform/copilot.ts'

export const handlers = {
  platform: {
    copilot,
  },
}
