// Written by `npm run generate` from the files beside it.
import { drafts } from './platform/drafts.ts'

export const handlers = {
  platform: {
    drafts,
  },
}
