// Written by `npm run generate` from the files beside it.
import { actionRuns } from './admin/action-runs.ts'
import { billing as adminBilling } from './admin/billing.ts'
import { botInsights } from './admin/bot-insights.ts'
import { botIssues } from './admin/bot-issues.ts'
import { usages } from './admin/usages.ts'
import { billing as newerBilling } from './newer/billing.ts'
import { usage } from './newer/usage.ts'
import { bots } from './platform/bots.ts'
import { insights as platformInsights } from './platform/insights.ts'
import { issues } from './platform/issues.ts'
import { traces } from './platform/traces.ts'
import { insights as runtimeInsights } from './runtime/insights.ts'

export const handlers = {
  admin: {
    actionRuns,
    billing: adminBilling,
    botInsights,
    botIssues,
    usages,
  },
  newer: {
    billing: newerBilling,
    usage,
  },
  platform: {
    bots,
    insights: platformInsights,
    issues,
    traces,
  },
  runtime: {
    insights: runtimeInsights,
  },
}
