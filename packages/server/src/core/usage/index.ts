export { openUsageCounter, type UsageCounter } from './counter.ts'
export { type CountScope, listDailyCounts, removeOldCounts, sumByMonth } from './counts.ts'
export {
  getQuota,
  rejectIntegrationsOverQuota,
  rejectOverQuota,
  unlimited,
  withinQuota,
} from './quotas.ts'
export { type UsageServices, usageBindings } from './services.ts'
export { tables } from './table-rules.ts'
export { findUsage, findUsages, isCounted, type Month, parseMonth, usageByBot } from './usages.ts'
