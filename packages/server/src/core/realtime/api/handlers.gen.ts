// Written by `npm run generate` from the files beside it.
import { liveUpdates } from './platform/live.ts'

export const handlers = {
  platform: {
    liveUpdates,
  },
}
