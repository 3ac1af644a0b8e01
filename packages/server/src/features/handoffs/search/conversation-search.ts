// Searches the conversations of a bot, the latest activity first, with a fixed number of statements
// for each page: candidates, page, and its details.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import type { ConversationRow } from '../../../core/messaging/index.ts'
import { type ConversationDetails, findDetails } from './conversation-details.ts'
import {
  type Candidates,
  type ConversationFilter,
  findCandidates,
} from './conversation-filters.ts'
import { readPerResult } from './rare-filters.ts'

interface Position {
  at: Date
  id: string
}

interface Search extends ConversationFilter {
  /** Limits of the last activity, inclusive. */
  after?: Date | undefined
  before?: Date | undefined
  /** Position of the previous page's last conversation. */
  position: Position | null
  limit: number
}

/** Conversations, and messages in them, that a page checks at most. */
const maxConversations = 2_000
const maxMessages = 200_000

export interface FoundConversation extends ConversationDetails {
  conversation: ConversationRow
}

/**
 * Returns a page and the position after it, or null at the end. A page may be shorter or empty
 * although more follow.
 */
export async function searchConversations(
  db: Db,
  botId: string,
  search: Search,
): Promise<{ found: FoundConversation[]; next: Position | null }> {
  const candidates = await findCandidates(db, botId, search)
  if (!candidates || candidates.ids?.length === 0) return { found: [], next: null }
  const { rows, end } = await selectPage(db, botId, search, candidates)
  const page = rows.slice(0, search.limit)
  const last = page.at(-1)
  const next =
    rows.length > search.limit && last ? { at: last.updated_at, id: last.id } : end
  const details = await findDetails(db, botId, page)
  return {
    found: page.map((conversation, at) => ({ conversation, ...details[at]! })),
    next,
  }
}

type PageRow = ConversationRow & {
  /** Number of the last message with the words. */
  match: string | null
}

/**
 * Reads conversations in their order, up to the limits, and returns those that meet the conditions.
 * `end` is the position of the last one read, if more follow.
 */
async function selectPage(
  db: Db,
  botId: string,
  search: Search,
  { ids, checks, isCommon, match }: Candidates,
): Promise<{ rows: PageRow[]; end: Position | null }> {
  const isChecked = checks.length > 0
  const few = (search.limit + 1) * (isChecked ? readPerResult : 1)
  const maxRead = isChecked && !isCommon ? maxConversations : few
  const order = sql`c.updated_slot desc, c.updated_at desc, c.id desc`
  const { rows } = await sql<PageRow & { end_at: Date | null; end_id: string | null }>`
    with read as materialized (
      select c.*, row_number() over total as position, sum(c.message_count) over total as messages
      from (
        select c.* from ${ids ? byIds(botId, ids) : sql`conversation`} c
        where c.bot_id = ${botId} and ${toBounds(search)} order by ${order} limit ${maxRead}
      ) c window total as (order by ${order} rows unbounded preceding)
    ),
    checked as (
      select * from read where ${!isChecked || isCommon} or position = 1 or messages <= ${maxMessages}
    ),
    found as (
      select c.*, ${match} as match from checked c where ${sql.join([sql`true`, ...checks], sql` and `)}
      order by position limit ${search.limit + 1}
    ),
    last as (
      select updated_at as end_at, id as end_id from checked where ${isChecked}
        and ((select count(*) from read) = ${maxRead}
          or (select count(*) from checked) < (select count(*) from read))
      order by position desc limit 1
    )
    select found.*, last.end_at, last.end_id
    from (values (true)) one left join last on true left join found on true
    order by found.position`.execute(db)
  const { end_at: at, end_id: id } = rows[0]!
  return {
    rows: rows.filter((row) => row.id !== null),
    end: at && id ? { at, id } : null,
  }
}

/** By the primary key: the planner might prefer to read all conversations in their order. */
const byIds = (botId: string, ids: string[]) => sql`(
  select c.* from unnest(${ids}::text[]) as given (id) cross join lateral (
    select * from conversation where bot_id = ${botId} and id = given.id offset 0
  ) c)`

function toBounds({ after, before, position }: Search) {
  const bounds = [sql`true`]
  if (after)
    bounds.push(sql`c.updated_slot >= ${toSlot(after)} and c.updated_at >= ${after}`)
  if (before)
    bounds.push(sql`c.updated_slot <= ${toSlot(before)} and c.updated_at <= ${before}`)
  if (position)
    bounds.push(sql`c.updated_slot <= ${toSlot(position.at)}
      and (c.updated_at, c.id) < (${position.at}, ${position.id})`)
  return sql.join(bounds, sql` and `)
}

/** The index contains the ten minutes of each conversation's last change (migration 0056). */
const toSlot = (at: Date) =>
  sql`date_bin('10 minutes', ${at}, timestamptz '2000-01-01 00:00:00+00')`
