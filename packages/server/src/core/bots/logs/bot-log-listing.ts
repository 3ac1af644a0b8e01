// Searches the log of a bot. An index serves one filter; the others are applied to at most 20,000
// of its rows per page, so the cost is bounded for any length of the log and any search.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'

interface BotLogListing {
  from: Date
  until?: Date | undefined
  level?: string | undefined
  userId?: string | undefined
  workflowId?: string | undefined
  conversationId?: string | undefined
  /** Case-insensitive. */
  contains?: string | undefined
  /** Position of the previous page's last row. */
  position: LogPosition | null
  limit: number
}

interface LogPosition {
  at: Date
  id: string
}

export interface BotLogRow extends LogPosition {
  level: string
  message: string
  conversation_id: string | null
  user_id: string | null
  workflow_id: string | null
  event_id: string | null
}

/** Per page. */
const maxScanned = 20_000

/** Returns the lines written in the handling of an event, oldest first. */
async function listEventLogs(
  db: Db,
  botId: string,
  eventId: string,
  limit: number,
): Promise<BotLogRow[]> {
  const { rows } = await sql<BotLogRow>`
    select id, at, level, message, conversation_id, user_id, workflow_id, event_id from bot_log
    where bot_id = ${botId} and event_id = ${eventId}
      and hashtextextended(event_id, 0) = hashtextextended(${eventId}, 0)
    order by at, id limit ${limit}`.execute(db)
  return rows
}

/** Lists lines, newest first. `next` is the position of the next page, or null at the end. */
export async function listBotLogs(
  db: Db,
  botId: string,
  listing: BotLogListing,
): Promise<{ rows: BotLogRow[]; next: LogPosition | null }> {
  const { limit } = listing
  const { served, remaining } = toConditions(listing)
  const from = sql`from bot_log where ${sql.join([sql`bot_id = ${botId}`, ...served], sql` and `)}
    order by at desc, id desc`
  const columns = sql`id, at, level, message, conversation_id, user_id, workflow_id, event_id`
  const query = remaining.length
    ? sql`select * from (select ${columns} ${from} limit ${maxScanned}) scanned
      where ${sql.join(remaining, sql` and `)} order by at desc, id desc`
    : sql`select ${columns} ${from}`
  const { rows } = await sql<BotLogRow>`${query} limit ${limit + 1}`.execute(db)
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]! }
  if (!remaining.length) return { rows, next: null }
  const { rows: ends } =
    await sql<LogPosition>`select at, id ${from} offset ${maxScanned - 1} limit 1`.execute(
      db,
    )
  return { rows, next: ends[0] ?? null }
}

/**
 * Each of the first four filters has an index. The first one given is served, since the most
 * specific come first.
 */
function toConditions({
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
  return {
    served: [...times, ...filters.slice(0, 1)],
    remaining: [...filters.slice(1), ...words],
  }
}

/** Log lines of bots. */
export const botLogs = {
  list: listBotLogs,
  listOfEvent: listEventLogs,
}
