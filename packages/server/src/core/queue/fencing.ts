// Fencing: a server that was paused for longer than its lease must not write data that another
// server writes again.
//
// Each call of hosted code back to the API carries a fence (header x-botstead-fence): the id of the
// worker that held the lane when the attempt began. These ids are the epochs of a lane. A take-over
// deletes the worker's row no later than it releases the lanes, and ids are never reused. Every
// write checks the fence in its own transaction, under a lock that the deletion waits for
// (`require_workers`, in the migrations). So either the new owner sees a write, or the write is
// rejected with the SQLSTATE PF001.
import { type RawBuilder, sql } from 'kysely'
import { type Database, statement } from '../db/index.ts'

/**
 * Returns a condition for the `where` clause of a statement that writes; `parameter` holds
 * `toFences(…)`.
 */
const isUnfenced = (parameter: string) =>
  `(${parameter}::text[] is null or (select require_workers(${parameter}::text[])))`

/** Returns the distinct fences; null for writes without a fence. */
function toFences(fences: (string | null | undefined)[]): string[] | null {
  const known = fences.filter((fence): fence is string => typeof fence === 'string')
  return known.length === 0 ? null : [...new Set(known)]
}

/** Returns the same condition as `isUnfenced`, for Kysely. */
const unfenced = (fence: string | null | undefined): RawBuilder<boolean> =>
  fence ? sql`(select require_workers(array[${fence}]))` : sql`true`

const checkFenceStatement = statement<{ fences: string[] }>(
  'check-fence',
  'select require_workers(:fences)',
)

/** Throws when the lease was taken over. For work that is not one transaction. */
async function checkFence(database: Database, fence: string): Promise<void> {
  await database.run(...checkFenceStatement({ fences: [fence] }))
}

/** Fencing: a server writes nothing for lanes that it has lost. */
export const fencing = {
  check: checkFence,
  isUnfenced,
  toFences,
  unfenced,
}
