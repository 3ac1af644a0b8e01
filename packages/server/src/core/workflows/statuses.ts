// Workflow statuses and the transitions that callers may make. An active workflow may change to any
// status, a finished one to none. Exception: a timed-out workflow may still become failed or
// completed.
import type { Selectable } from 'kysely'
import type { Schema } from '../db/index.ts'

export type WorkflowStatus = Selectable<Schema['workflow']>['status']

export const active: WorkflowStatus[] = ['pending', 'in_progress', 'listening', 'paused']
export const finished: WorkflowStatus[] = ['completed', 'failed', 'timedout', 'cancelled']

/**
 * Returns the statuses from which a workflow may change to `next`. This includes `next` itself,
 * because clients repeat requests.
 */
export function listOrigins(next: WorkflowStatus | undefined): WorkflowStatus[] {
  if (next === undefined) return [...active, ...finished]
  if (next === 'failed' || next === 'completed') return [...active, next, 'timedout']
  return finished.includes(next) ? [...active, next] : active
}

const listed = (statuses: WorkflowStatus[]) =>
  `(${statuses.map((status) => `'${status}'`).join(', ')})`
/** Constants in SQL, so that the planner can use partial indexes. */
export const activeInSql = listed(active)
export const finishedInSql = listed(finished)
