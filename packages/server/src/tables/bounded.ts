// Queries that strangers compose run in a time that they cannot exceed, and with memory for sorting what a table may hold.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Milliseconds. */
export const patience = { find: 10_000, delete: 60_000 } as const

/** `left` is what is left of it, where it is not the first to take of it. Throws OperationTimeout; InvalidQuery for a pattern that the database finds too complicated. */
export async function withinTime<T>(
  db: Db,
  ms: number,
  work: (trx: Db) => Promise<T>,
  left = ms,
): Promise<T> {
  try {
    return await db.transaction().execute(async (trx) => {
      // Parts of a union are read one after the other, which the order of rows rests on (row-finder.ts).
      await sql`select set_config('statement_timeout', ${String(Math.max(1, Math.ceil(left)))}, true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
        set_config('enable_parallel_append', 'off', true)`.execute(trx)
      return await work(trx)
    })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '57014')
      throw new ApiError('OperationTimeout', `The query exceeded ${ms / 1000} seconds; narrow \`filter\``, {
        cause: error,
      })
    if (code === '2201B')
      throw new ApiError('InvalidQuery', '`filter` has a $regex pattern that is too complex; simplify it', {
        cause: error,
      })
    throw error
  }
}
