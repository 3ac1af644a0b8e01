// Written by `npm run generate` from the files beside it.
import { installation } from './platform/installation.ts'

export const handlers = {
  platform: {
    installation,
  },
}
