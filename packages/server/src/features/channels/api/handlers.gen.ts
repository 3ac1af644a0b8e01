// Written by `npm run generate` from the files beside it.
import { channels } from './platform/channels.ts'

export const handlers = {
  platform: {
    channels,
  },
}
