// Where insights note what the core does: calls of actions, and what code does to handle an event.

import type { Database } from '../../core/db/index.ts'
import type { Hooks } from '../../core/http/index.ts'
import { openAnalytics } from './analytics.ts'
import type { InsightServices } from './services.ts'
import { traceCall } from './traced-calls.ts'

type Deps = Pick<InsightServices, 'actionRuns' | 'eventTraces'>

export function addInsightHooks(hooks: Hooks, { actionRuns, eventTraces }: Deps): void {
  hooks.actionCalled.push((call) => actionRuns.record(call))
  hooks.stateChanged.push((...change) => eventTraces.changed(...change))
  hooks.answered.push((request, answer) => traceCall(eventTraces, request, answer))
  hooks.bind.push((_services, inside: Database) => ({ analytics: openAnalytics(inside) }))
}
