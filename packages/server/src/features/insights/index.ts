import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { storeDays } from './bot-analytics.ts'
import { removeOldInsights } from './retention.ts'

export const insights: Feature = {
  name: 'insights',
  handlers,
  tasks: ({ db, config: { insightDays } }) => [
    { everyMs: 600_000, run: () => removeOldInsights(db, insightDays) },
    { everyMs: 600_000, run: () => storeDays(db) },
  ],
}
