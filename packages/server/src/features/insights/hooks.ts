// Where insights note what the core does: calls of actions, and what code does to handle an event.

import type { DeliveryHooks } from '../../core/delivery/index.ts'
import type { HttpHooks } from '../../core/http/index.ts'
import type { StateHooks } from '../../core/workflows/index.ts'
import type { InsightServices } from './services.ts'
import { traceCall } from './traced-calls.ts'

type Deps = Pick<InsightServices, 'actionRuns' | 'eventTraces'>

export function addInsightHooks(
  hooks: DeliveryHooks & HttpHooks & StateHooks,
  { actionRuns, eventTraces }: Deps,
): void {
  hooks.actionCalled.push((call) => actionRuns.record(call))
  hooks.stateChanged.push((...change) => eventTraces.changed(...change))
  hooks.answered.push((request, answer) => traceCall(eventTraces, request, answer))
}
