// Written by `npm run generate` from the files beside it.
import { deadLetters } from './platform/dead-letters.ts'
import { events } from './platform/events.ts'
import { failures } from './platform/failures.ts'
import { queue } from './platform/queue.ts'
import { actions } from './runtime/actions.ts'

export const handlers = {
  platform: {
    deadLetters,
    events,
    failures,
    queue,
  },
  runtime: {
    actions,
  },
}
