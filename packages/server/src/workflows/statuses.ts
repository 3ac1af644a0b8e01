// Which statuses there are, and which moves callers may make: from an active one anywhere, from a finished one nowhere, but that what has timed
// out may still be said to have failed, or to have been completed after all.
import type { WorkflowStatus } from '../db/schema.ts'

export const active: WorkflowStatus[] = ['pending', 'in_progress', 'listening', 'paused']
export const finished: WorkflowStatus[] = ['completed', 'failed', 'timedout', 'cancelled']

/** Where a workflow must be to be moved there; to be moved where it is already is no move, since clients repeat what got no answer. */
export function originsOf(next: WorkflowStatus | undefined): WorkflowStatus[] {
  if (next === undefined) return [...active, ...finished]
  if (next === 'failed' || next === 'completed') return [...active, next, 'timedout']
  return finished.includes(next) ? [...active, next] : active
}

const listed = (statuses: WorkflowStatus[]) => `(${statuses.map((status) => `'${status}'`).join(', ')})`
/** For SQL: the statuses are constants there, so that the planner sees that a partial index fits. */
export const activeInSql = listed(active)
export const finishedInSql = listed(finished)
