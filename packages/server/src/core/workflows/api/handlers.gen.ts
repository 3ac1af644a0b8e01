// Written by `npm run generate` from the files beside it.
import { states } from './runtime/states.ts'
import { workflows } from './runtime/workflows.ts'

export const handlers = {
  runtime: {
    states,
    workflows,
  },
}
