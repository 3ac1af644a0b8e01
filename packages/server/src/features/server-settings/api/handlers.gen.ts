// Written by `npm run generate` from the files beside it.
import { serverSettings } from './platform/server-settings.ts'

export const handlers = {
  platform: {
    serverSettings,
  },
}
