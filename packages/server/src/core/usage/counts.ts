// Owns the table usage_count: usage by workspace, bot and day.
import { type RawBuilder, sql } from 'kysely'
import {
  type ColumnArrays,
  type Database,
  type Db,
  statement,
  toArrays,
} from '../db/index.ts'

/** Types that are counted as they happen; all others are computed from their tables. */
export const countedTypes = ['invocation_calls', 'ai_spend'] as const

export interface UsageCount {
  type: (typeof countedTypes)[number]
  botId: string
  value: number
}

const addStatement = statement<ColumnArrays<UsageCount>>(
  'add-usage',
  `insert into usage_count as u (workspace_id, type, day, bot_id, value)
   select bot.workspace_id, given.type, (now() at time zone 'UTC')::date, bot.id, given.value
   from unnest(:type::text[], :botId::text[], :value::float8[]) as given (type, bot_id, value)
     join bot on bot.id = given.bot_id
   order by 1, 2, 4
   on conflict (workspace_id, type, day, bot_id) do update set value = u.value + excluded.value`,
)

/** Ignores the counts of bots that were deleted in the meantime. `counted` must not be empty. */
export async function addCounts(
  database: Database,
  counted: UsageCount[],
): Promise<void> {
  await database.lazily(...addStatement(toArrays(counted)))
}

export interface CountScope {
  workspaceId: string
  /** Null for the entire workspace. */
  botId: string | null
  type: string
}

export async function sumByBot(
  db: Db,
  { workspaceId, botId, type }: CountScope,
  month: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ bot_id: string; value: number }>`
    select bot_id, sum(value) as value from usage_count
    where workspace_id = ${workspaceId} and type = ${type} and day >= ${month}::date
      and day < ${month}::date + interval '1 month'
      and (${botId}::text is null or bot_id = ${botId})
    group by bot_id`.execute(db)
  return new Map(rows.map(({ bot_id, value }) => [bot_id, value]))
}

/**
 * SQL for the value of a month, within a statement with `scope`: a workspace and optionally one of
 * its bots.
 */
export const countedValue = (type: string, month: Date): RawBuilder<number> => sql`
  (select coalesce(sum(value), 0) from usage_count u where u.workspace_id = scope.workspace
    and u.type = ${type}
    and u.day >= ${month}::date and u.day < ${month}::date + interval '1 month'
      and (scope.bot is null or u.bot_id = scope.bot))`

/** Returns the sum of each month with usage, newest first. */
export async function sumByMonth(
  db: Db,
  { workspaceId, botId, type }: CountScope,
): Promise<{ month: string; value: number }[]> {
  const { rows } = await sql<{ month: string; value: number }>`
    select to_char(day, 'YYYY-MM') as month, sum(value) as value from usage_count
    where workspace_id = ${workspaceId} and type = ${type} and (${botId}::text is null or bot_id = ${botId})
    group by 1 order by 1 desc`.execute(db)
  return rows
}

interface DayListing extends CountScope {
  from?: Date | undefined
  until?: Date | undefined
  /** The last entry of the previous page; `botId` is empty for sums of all bots. */
  position: { day: string; botId: string } | null
  limit: number
  /** Lists each bot separately instead of the sum of all. */
  apart: boolean
}

/** Returns the newest first. */
export async function listDailyCounts(
  db: Db,
  listing: DayListing,
): Promise<{ day: string; bot_id: string; value: number }[]> {
  const { workspaceId, botId, type, from, until, position, limit, apart } = listing
  const who = apart ? sql`bot_id` : sql`''`
  const { rows } = await sql<{ day: string; bot_id: string; value: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, ${who} as bot_id, sum(value) as value from usage_count
    where workspace_id = ${workspaceId} and type = ${type} and (${botId}::text is null or bot_id = ${botId})
      and (${from ?? null}::timestamptz is null
        or day >= (${from ?? null}::timestamptz at time zone 'UTC')::date)
      and (${until ?? null}::timestamptz is null
        or day <= (${until ?? null}::timestamptz at time zone 'UTC')::date)
      and (${position?.day ?? null}::date is null
        or (day, ${who}) < (${position?.day ?? null}::date, ${position?.botId ?? ''}))
    group by day, 2 order by usage_count.day desc, 2 desc limit ${limit}`.execute(db)
  return rows
}

const retentionDays = 400

export const removeOldCounts = (db: Db) =>
  sql`delete from usage_count where day < now() - ${retentionDays} * interval '1 day'`.execute(
    db,
  )
