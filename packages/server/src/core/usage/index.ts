export { openUsageCounter, type UsageCounter } from './counter.ts'
export { type CountScope, listDailyCounts, removeOldCounts, sumByMonth } from './counts.ts'
export {
  quotaOf,
  rejectIntegrationsOverQuota,
  rejectOverQuota,
  unlimited,
  withinQuota,
} from './quotas.ts'
export { tables } from './table-rules.ts'
export { isCounted, type Month, monthOf, usageByBot, usageOf, usagesOf } from './usages.ts'
