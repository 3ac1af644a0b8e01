// Written by `npm run generate` from the files beside it.
import { broadcasts } from './platform/broadcasts.ts'
import { optOuts } from './platform/opt-outs.ts'

export const handlers = {
  platform: {
    broadcasts,
    optOuts,
  },
}
