// Looks through what a bot logged. One filter is served by an index, the others are asked of what it gives; so much of it is looked through for one page,
// and no more, however long the log is and however rare what is looked for.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/open.ts'

export interface BotLogListing {
  from: Date
  until?: Date | undefined
  level?: string | undefined
  userId?: string | undefined
  workflowId?: string | undefined
  conversationId?: string | undefined
  /** In whatever case. */
  contains?: string | undefined
  /** The last of the page before. */
  position: LogPosition | null
  limit: number
}

export interface LogPosition {
  at: Date
  id: string
}

export interface BotLogRow extends LogPosition {
  level: string
  message: string
  conversation_id: string | null
  user_id: string | null
  workflow_id: string | null
}

/** For one page. */
const mostLookedThrough = 20_000

/** Newest first. `next` is where the next page goes on; null when there is nothing more. */
export async function listBotLogs(
  db: Db,
  botId: string,
  listing: BotLogListing,
): Promise<{ rows: BotLogRow[]; next: LogPosition | null }> {
  const { limit } = listing
  const { served, asked } = conditionsOf(listing)
  const from = sql`from bot_log where ${sql.join([sql`bot_id = ${botId}`, ...served], sql` and `)} order by at desc, id desc`
  const columns = sql`id, at, level, message, conversation_id, user_id, workflow_id`
  const looked = asked.length
    ? sql`select * from (select ${columns} ${from} limit ${mostLookedThrough}) looked where ${sql.join(asked, sql` and `)} order by at desc, id desc`
    : sql`select ${columns} ${from}`
  const { rows } = await sql<BotLogRow>`${looked} limit ${limit + 1}`.execute(db)
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]! }
  if (!asked.length) return { rows, next: null }
  const { rows: ends } =
    await sql<LogPosition>`select at, id ${from} offset ${mostLookedThrough - 1} limit 1`.execute(db)
  return { rows, next: ends[0] ?? null }
}

/** Each of the first four has an index of its own. What a line is about says most; the first one given is taken. */
function conditionsOf({
  from,
  until,
  position,
  contains,
  workflowId,
  conversationId,
  userId,
  level,
}: BotLogListing) {
  const equal = Object.entries({
    workflow_id: workflowId,
    conversation_id: conversationId,
    user_id: userId,
    level: level?.toLowerCase(),
  })
  const filters = equal.flatMap(([column, value]): RawBuilder<unknown>[] =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
  )
  const times = [
    sql`at >= ${from}`,
    ...(until ? [sql`at <= ${until}`] : []),
    ...(position ? [sql`(at, id) < (${position.at}, ${position.id}::bigint)`] : []),
  ]
  const words = contains ? [sql`strpos(lower(message), lower(${contains})) > 0`] : []
  return { served: [...times, ...filters.slice(0, 1)], asked: [...filters.slice(1), ...words] }
}
