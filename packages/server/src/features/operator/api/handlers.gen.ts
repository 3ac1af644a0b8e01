// Written by `npm run generate` from the files beside it.
import { health } from './platform/health.ts'
import { installation } from './platform/installation.ts'

export const handlers = {
  platform: {
    health,
    installation,
  },
}
