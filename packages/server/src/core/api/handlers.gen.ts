// Written by `npm run generate` from the files beside it.
import { bots } from './admin/bots.ts'

export const handlers = {
  admin: {
    bots,
  },
}
