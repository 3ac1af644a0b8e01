import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { storeDays } from './bot-analytics.ts'
import { countFlowNodes } from './flow-counts.ts'
import { removeOldInsights } from './retention.ts'

export const insights = {
  name: 'insights',
  handlers,
  tasks: ({ db, config: { insightDays } }) => [
    { everyMs: 600_000, run: () => removeOldInsights(db, insightDays) },
    { everyMs: 600_000, run: () => storeDays(db) },
    { everyMs: 120_000, run: () => countFlowNodes(db) },
  ],
} satisfies Feature
export { openActionRuns } from './action-runs.ts'
export { openAnalytics } from './analytics.ts'
export { openEventTraces } from './event-traces.ts'
export { addInsightHooks } from './hooks.ts'
export { type InsightServices, insightBindings } from './services.ts'
export { tables } from './table-rules.ts'
