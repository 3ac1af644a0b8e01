// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { ActionRuns } from './action-runs.ts'
import { type Analytics, openAnalytics } from './analytics.ts'
import type { EventTraces } from './event-traces.ts'

export interface InsightServices {
  /** Records results of action calls, in the background. */
  actionRuns: Pick<ActionRuns, 'record'>
  /** Records calls of code and changed states for the traces of events, in the background. */
  eventTraces: Pick<EventTraces, 'called' | 'changed'>
  analytics: Analytics
}

export const bindings = {
  actionRuns: { record: 'deferred' },
  eventTraces: { called: 'deferred', changed: 'deferred' },
  analytics: ({ database }) => openAnalytics(database),
} satisfies Bindings<InsightServices>
