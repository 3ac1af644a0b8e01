// Limits the time and the sort memory of queries that callers compose, with the settings of the pool
// `finds` (core/db/database.ts).
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Db, findTimeoutMs } from '../../db/index.ts'

/** In milliseconds. `order` is for the numbers of all rows in their order. */
export const queryTimeouts = {
  find: findTimeoutMs,
  delete: 60_000,
  order: 120_000,
} as const

/**
 * Runs work with a statement timeout. `remainingMs` is the remaining time in ms if earlier steps used some
 * of it. Throws the errors of `explainQueryErrors`.
 */
export const withTimeout = <T>(
  db: Db,
  ms: number,
  work: (trx: Db) => Promise<T>,
  remainingMs = ms,
): Promise<T> =>
  explainQueryErrors(ms, () =>
    db.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(Math.max(1, Math.ceil(remainingMs)))}, true),
        set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
        set_config('enable_parallel_append', 'off', true)`.execute(trx)
      return await work(trx)
    }),
  )

/** Throws OperationTimeout, and InvalidQuery if PostgreSQL finds a pattern too complex. */
export async function explainQueryErrors<T>(
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '57014')
      throw new ApiError(
        'OperationTimeout',
        `The query exceeded ${ms / 1000} seconds; narrow \`filter\``,
        {
          cause: error,
        },
      )
    if (code === '2201B')
      throw new ApiError(
        'InvalidQuery',
        '`filter` has a $regex pattern that is too complex; simplify it',
        {
          cause: error,
        },
      )
    throw error
  }
}
