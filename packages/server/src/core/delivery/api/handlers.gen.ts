// Written by `npm run generate` from the files beside it.
import { actions } from './runtime/actions.ts'

export const handlers = {
  runtime: {
    actions,
  },
}
