// Written by `npm run generate` from the files beside it.
import { actionRuns } from './admin/action-runs.ts'
import { botInsights } from './admin/bot-insights.ts'
import { bots } from './platform/bots.ts'
import { insights as platformInsights } from './platform/insights.ts'
import { traces } from './platform/traces.ts'
import { insights as runtimeInsights } from './runtime/insights.ts'

export const handlers = {
  admin: {
    actionRuns,
    botInsights,
  },
  platform: {
    bots,
    insights: platformInsights,
    traces,
  },
  runtime: {
    insights: runtimeInsights,
  },
}
