import type { Db } from '../db/index.ts'
import { removeOldCounts } from './counts.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const usageModule = {
  name: 'usage',
  tables,
  bindings,
  tasks: ({ db }: { db: Db }) => [{ everyMs: 3_600_000, run: () => removeOldCounts(db) }],
}
export { openUsageCounter, type UsageCounter } from './counter.ts'
export { type CountScope, listDailyCounts, sumByMonth } from './counts.ts'
export {
  getQuota,
  rejectIntegrationsOverQuota,
  rejectOverQuota,
  unlimited,
  withinQuota,
} from './quotas.ts'
export type { UsageServices } from './services.ts'
export { findUsage, findUsages, isCounted, type Month, parseMonth, usageByBot } from './usages.ts'
