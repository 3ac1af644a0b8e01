// Fencing: a server that was paused for longer than its lease must not write what another server does again.
//
// Each call of hosted code back to the API carries a fence (header x-botstead-fence): the id of the worker that held
// the lane when it began this attempt. These ids are the epochs of a lane: a take-over deletes the worker's row, not
// later than it frees the lanes, and no id is used again. Every write checks the fence in its own transaction, under
// a lock that the deletion waits for (`require_workers`, in the migrations). So the new owner finds a write, or the
// write is rejected.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/open.ts'

/** SQLSTATE of a rejected write. */
const rejected = 'PF001'

/** For the `where` of a statement that writes; `parameter` holds `toFences(…)`. */
export const isUnfenced = (parameter: string) =>
  `(${parameter}::text[] is null or (select require_workers(${parameter}::text[])))`

/** Null for writes that carry no fence. */
export function toFences(fences: (string | null | undefined)[]): string[] | null {
  const known = fences.filter((fence): fence is string => typeof fence === 'string')
  return known.length === 0 ? null : [...new Set(known)]
}

/** The same for statements that are built. */
export const unfenced = (fence: string | null | undefined): RawBuilder<boolean> =>
  fence ? sql`(select require_workers(array[${fence}]))` : sql`true`

/** Throws when the lease was taken over: for what is not written in one transaction. */
export async function checkFence(database: Database, fence: string): Promise<void> {
  await database.run('check-fence', 'select require_workers($1)', [[fence]])
}

/** Whether the database rejected a write because its lease was taken over. */
export const isFenced = (error: unknown) => (error as { code?: unknown } | null)?.code === rejected
