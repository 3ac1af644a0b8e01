// Due times of scheduled work. Only the database's clock counts, because the clocks of processes
// differ and jump.

import { ApiError, parseMoment, type Schedule } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import { isAwake } from '../../queue/index.ts'

/** Exactly one is set, in ms: `at` since 1970, `delay` from now. */
export type DueTime = { at: number; delay: null } | { at: null; delay: number }

/** Ten years in ms. */
const maxDelayMs = 10 * 365.25 * 86_400_000
/** Without it, the time would be that of another place. */
const offset = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i

/**
 * Converts a schedule. A past moment is due at once, since it may have passed during the request; a
 * negative delay is rejected. Throws InvalidPayload.
 */
export function dueTime({ dateTime, delay }: Schedule): DueTime {
  if ((dateTime === undefined) === (delay === undefined))
    throw new ApiError(
      'InvalidPayload',
      'Specify exactly one of `schedule.dateTime` and `schedule.delay`',
    )
  return dateTime === undefined
    ? { at: null, delay: checkedDelay(delay!) }
    : { at: parseDateTime(dateTime), delay: null }
}

function checkedDelay(delay: number): number {
  if (delay >= 0 && delay <= maxDelayMs) return delay
  throw new ApiError(
    'InvalidPayload',
    `\`schedule.delay\` must be from 0 to ${maxDelayMs} milliseconds (ten years)`,
  )
}

function parseDateTime(dateTime: string): number {
  const moment = parseMoment(dateTime)
  if (moment && offset.test(dateTime)) return moment.getTime()
  throw new ApiError(
    'InvalidPayload',
    '`schedule.dateTime` must be an ISO 8601 date and time with its offset, such as ' +
      `2026-01-31T08:00:00Z, not ${JSON.stringify(dateTime.slice(0, 60))}`,
  )
}

/** Returns the SQL expression of the due time. */
export const dueAt = ({ at, delay }: DueTime): RawBuilder<Date> =>
  sql`greatest(now(),
    coalesce(to_timestamp(${at}::float8 / 1000), now() + ${delay}::float8 * interval '1 millisecond'))`

/** Returns the SQL expression of the milliseconds until the time in `column`. */
export const waitInSql = (column: string): RawBuilder<number> =>
  sql`(extract(epoch from ${sql.ref(column)} - clock_timestamp()) * 1000)::float8`

/**
 * A way to select the due rows that one statement claims. `max` is their maximum number. `rows`
 * returns a query on a table with `bot_id`, `id` and `due_at`; it locks rows and skips locked ones.
 */
export interface DueClaim {
  max: number
  rows: (table: string) => string
}

/** The rows that are overdue the longest. */
const oldest: DueClaim = {
  max: 200,
  rows: (table) =>
    `select bot_id, id, due_at from ${table} where due_at <= now() and ${isAwake(`${table}.bot_id`)}
      order by due_at limit 200
      for update skip locked`,
}

/**
 * Up to 20 rows of each bot, so that thousands of rows of one bot do not delay other bots. Used if
 * `oldest` does not claim all due rows. Walks the index bot by bot.
 */
const someOfEach: DueClaim = {
  max: 1_000,
  rows: (table) => `
    with recursive bots as (
      (select bot_id from ${table} where due_at is not null order by bot_id limit 1)
      union all
      select (select t.bot_id from ${table} t where t.due_at is not null and t.bot_id > bots.bot_id
        order by t.bot_id limit 1)
      from bots where bots.bot_id is not null
    )
    select d.* from bots cross join lateral (
      select t.bot_id, t.id, t.due_at from ${table} t where t.bot_id = bots.bot_id and t.due_at <= now()
        and ${isAwake('t.bot_id')}
        order by t.due_at limit 20 for update skip locked
    ) d
    where bots.bot_id is not null limit 1000`,
}

/** Something for each way to claim, such as its statement. */
export interface ForClaims<T> {
  oldest: T
  someOfEach: T
}

export const forClaims = <T>(write: (claim: DueClaim) => T): ForClaims<T> => ({
  oldest: write(oldest),
  someOfEach: write(someOfEach),
})

/**
 * Claims the oldest rows and, if there are more, some of each bot. Returns the number of rows,
 * without those that another process has locked.
 */
export async function claimInTurns<T>(
  statements: ForClaims<T>,
  claim: (statement: T, max: number) => Promise<number>,
): Promise<number> {
  const first = await claim(statements.oldest, oldest.max)
  if (first < oldest.max) return first
  return first + (await claim(statements.someOfEach, someOfEach.max))
}
