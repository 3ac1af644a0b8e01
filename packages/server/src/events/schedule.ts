// When something scheduled is due, as callers say it. What time it is now only the database says: the clocks of processes differ, and jump.
import { ApiError, type Schedule } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'

/** One of the two, in milliseconds: since 1970, or from now. */
export type DueTime = { at: number; delay: null } | { at: null; delay: number }

/** Ten years. */
const longestDelay = 10 * 365.25 * 86_400_000
const shape =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** A moment that has passed is due at once: it may have passed on its way here. A delay cannot. Throws InvalidPayload. */
export function dueTime({ dateTime, delay }: Schedule): DueTime {
  if ((dateTime === undefined) === (delay === undefined))
    throw new ApiError('InvalidPayload', 'schedule has either a dateTime or a delay')
  return dateTime === undefined
    ? { at: null, delay: checkedDelay(delay!) }
    : { at: momentOf(dateTime), delay: null }
}

function checkedDelay(delay: number): number {
  if (delay >= 0 && delay <= longestDelay) return delay
  throw new ApiError(
    'InvalidPayload',
    `schedule/delay must be from 0 to ${longestDelay} milliseconds (ten years)`,
  )
}

/** Every text of this shape is one that Date reads, apart from the days that a month lacks, for which it takes those of the next. */
function momentOf(dateTime: string): number {
  const [, year, month, day] = shape.exec(dateTime) ?? []
  const midnight = new Date(`${year}-${month}-${day}T00:00:00.000Z`)
  if (midnight.getUTCDate() !== Number(day))
    throw new ApiError('InvalidPayload', 'schedule/dateTime must be a moment in the ISO 8601 format')
  return new Date(dateTime).getTime()
}

/** For the statement that stores it. */
export const dueAt = ({ at, delay }: DueTime): RawBuilder<Date> =>
  sql`greatest(now(), coalesce(to_timestamp(${at}::float8 / 1000), now() + ${delay}::float8 * interval '1 millisecond'))`

/** Milliseconds until then, for who waits for it. */
export const waitOf = (column: string): RawBuilder<number> =>
  sql`(extract(epoch from ${sql.ref(column)} - clock_timestamp()) * 1000)::float8`

/** How many things that are due one statement claims, and which: rows of a table with `bot_id`, `id` and `due_at`, which it locks. Others' it skips. */
export interface Claim {
  most: number
  rows: (table: string) => string
}

/** Those that wait longest. */
export const oldest: Claim = {
  most: 200,
  rows: (table) =>
    `select bot_id, id, due_at from ${table} where due_at <= now() order by due_at limit 200 for update skip locked`,
}

/** Some of each bot, so that the thousands of one hold up no other's: for when there is more than is claimed at once. It walks along the bots. */
export const someOfEach: Claim = {
  most: 1_000,
  rows: (table) => `
    with recursive bots as (
      (select bot_id from ${table} where due_at is not null order by bot_id limit 1)
      union all
      select (select t.bot_id from ${table} t where t.due_at is not null and t.bot_id > bots.bot_id order by t.bot_id limit 1)
      from bots where bots.bot_id is not null
    )
    select d.* from bots cross join lateral (
      select t.bot_id, t.id, t.due_at from ${table} t where t.bot_id = bots.bot_id and t.due_at <= now() order by t.due_at limit 20 for update skip locked
    ) d
    where bots.bot_id is not null limit 1000`,
}

/** Claims once, and once more of each bot when that was not all. How many there were; those that another process has in hand are not counted. */
export async function claimInTurns(claim: (how: Claim) => Promise<number>): Promise<number> {
  const first = await claim(oldest)
  return first < oldest.most ? first : first + (await claim(someOfEach))
}
