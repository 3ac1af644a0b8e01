import type { Feature } from '../../core/feature.ts'
import type { Services } from '../../core/http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { storeDays } from './bot-analytics.ts'
import { countFlowNodes } from './flow-counts.ts'
import { addInsightHooks } from './hooks.ts'
import { openInsights } from './open.ts'
import { removeOldInsights } from './retention.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const insights = {
  name: 'insights',
  tables,
  bindings,
  handlers,
  open: openInsights,
  deliveryHooks: addInsightHooks,
  tasks: ({ db, config: { insightDays } }: Services) => [
    { everyMs: 600_000, run: () => removeOldInsights(db, insightDays) },
    { everyMs: 600_000, run: () => storeDays(db) },
    { everyMs: 120_000, run: () => countFlowNodes(db) },
  ],
} satisfies Feature
