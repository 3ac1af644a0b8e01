// Written by `npm run generate` from the files beside it.
import { health } from './platform/health.ts'

export const handlers = {
  platform: {
    health,
  },
}
