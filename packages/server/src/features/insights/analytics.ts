// Owns the table analytics_count: custom counters of bots, summed up by hour, so that the size does
// not grow with the number of calls.

import { shareCommits } from '@botstead/lib'
import { sql } from 'kysely'
import {
  type ColumnArrays,
  type Database,
  type Db,
  statement,
  toArrays,
} from '../../core/db/index.ts'

export interface Analytics {
  /** Resolves after the commit. */
  track(botId: string, name: string, count: number): Promise<void>
}

interface Counted {
  botId: string
  name: string
  count: number
}

/**
 * Sums concurrent counts of one name in memory first, because they would wait for each other's row
 * lock.
 */
export function openAnalytics(database: Database): Analytics {
  const commits = shareCommits<Counted, void>(async (counted) => {
    await database.run(...countAll(toArrays(counted)))
    return counted.map(() => undefined)
  })
  return { track: (botId, name, count) => commits.write({ botId, name, count }) }
}

const countAll = statement<ColumnArrays<Counted>>(
  'count-analytics',
  `
  insert into analytics_count as a (bot_id, name, hour, count)
  select b.id, given.name, date_trunc('hour', now(), 'UTC'), sum(given.count)
  from unnest(:botId::text[], :name::text[], :count::bigint[]) as given (bot_id, name, count)
    join bot b on b.id = given.bot_id
  group by b.id, given.name order by b.id, given.name
  on conflict (bot_id, name, hour) do update set count = a.count + excluded.count`,
)

interface AnalyticsListing {
  name?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  /** The last entry of the previous page. */
  position: { hour: Date; name: string } | null
  limit: number
}

interface AnalyticsRow {
  name: string
  hour: Date
  count: string
}

/** Returns the newest hour first. An hour is in the range if its beginning is. */
export function listAnalytics(
  db: Db,
  botId: string,
  { name, after, before, position, limit }: AnalyticsListing,
): Promise<AnalyticsRow[]> {
  let query = db
    .selectFrom('analytics_count')
    .select(['name', 'hour', 'count'])
    .where('bot_id', '=', botId)
  if (name !== undefined) query = query.where('name', '=', name)
  if (after) query = query.where('hour', '>=', after)
  if (before) query = query.where('hour', '<=', before)
  if (position)
    query = query.where(sql<boolean>`(hour, name) < (${position.hour}, ${position.name})`)
  return query.orderBy('hour', 'desc').orderBy('name', 'desc').limit(limit).execute()
}
