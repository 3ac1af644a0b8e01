import { deliveryIssues } from '../../bots/index.ts'
import { createOutcomeRecorder } from '../../queue/index.ts'
import { countTicks, endEvent, endEvents, settleEvents } from './event-outcomes.ts'

/** Records outcomes of deliveries with the events and issues that they concern. */
export const recordOutcomes = createOutcomeRecorder({
  events: { countTicks, endEvent, endEvents, settleEvents },
  noteIssues: deliveryIssues.note,
  toIssue: deliveryIssues.toIssue,
})
