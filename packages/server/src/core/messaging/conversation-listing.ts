// Lists conversations of a bot.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { type ConversationRow, conversationVisibleTo } from './conversations.ts'
import { hasTags } from './tags/tag-columns.ts'
import { storedTags, type Tags, type Viewer } from './tags/tags.ts'

interface ConversationListing {
  tags?: Tags | undefined
  /** Users that must all take part. */
  participantIds?: string[] | undefined
  /** Aliases. */
  integrations?: string[] | undefined
  channel?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  minMessageCount?: number | undefined
  maxMessageCount?: number | undefined
  sortField: 'created_at' | 'updated_at'
  direction: 'asc' | 'desc'
  /** Position of the previous page's last row. */
  position: ConversationPosition | null
  limit: number
}

interface ConversationPosition {
  at: Date
  id: string
}

/** Conversations per page that a filter without an index reads. */
const maxScanned = 10_000

/**
 * Lists a page and the position after it, or null at the end. With a filter by message count, for
 * which there is no index, a page may be shorter or empty although more follow.
 */
export async function listConversations(
  db: Db,
  botId: string,
  viewer: Viewer,
  listing: ConversationListing,
): Promise<{ rows: ConversationRow[]; next: ConversationPosition | null }> {
  const {
    participantIds = [],
    minMessageCount,
    maxMessageCount,
    sortField,
    limit,
  } = listing
  const participants =
    participantIds.length > 0 ? await haveParticipants(db, botId, participantIds) : []
  const selected = selectConversations(db, botId, viewer, listing, participants)
  const counts = minMessageCount !== undefined || maxMessageCount !== undefined
  const end = counts ? await scanEnd(selected, sortField) : undefined
  let page = end ? selected.where(isBeyond(listing, end, 'up to')) : selected
  if (minMessageCount !== undefined)
    page = page.where('message_count', '>=', minMessageCount)
  if (maxMessageCount !== undefined)
    page = page.where('message_count', '<=', maxMessageCount)
  const rows = await page.limit(limit + 1).execute()
  const last = rows[limit - 1]
  const next =
    rows.length > limit ? { at: last![sortField], id: last!.id } : (end ?? null)
  return { rows: rows.slice(0, limit), next }
}

/** Returns the position of the last conversation to read for this page, if more follow. */
async function scanEnd(
  selected: ReturnType<typeof selectConversations>,
  sortField: ConversationListing['sortField'],
): Promise<ConversationPosition | undefined> {
  return selected
    .clearSelect()
    .select([`${sortField} as at`, 'id'])
    .offset(maxScanned - 1)
    .limit(1)
    .executeTakeFirst()
}

function selectConversations(
  db: Db,
  botId: string,
  viewer: Viewer,
  listing: ConversationListing,
  participants: RawBuilder<boolean>[],
) {
  const { tags, integrations, channel, after, before, position } = listing
  let query = db
    .selectFrom('conversation')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(conversationVisibleTo(viewer))
  if (tags) query = query.where(hasTags(storedTags(tags, viewer)))
  for (const isParticipant of participants) query = query.where(isParticipant)
  if (integrations) query = query.where('integration', 'in', integrations)
  if (channel !== undefined) query = query.where('channel', '=', channel)
  if (after) query = query.where('created_at', '>=', after)
  if (before) query = query.where('created_at', '<=', before)
  if (position) query = query.where(isBeyond(listing, position, 'after'))
  const { sortField, direction } = listing
  // Redundant, but the index has this column (migration 0056).
  if (sortField === 'updated_at') query = query.orderBy('updated_slot', direction)
  return query.orderBy(sortField, direction).orderBy('id', direction)
}

/** The first column of the index by change: ten minutes that contain the time. */
const toSlot = (at: Date) =>
  sql`date_bin('10 minutes', ${at}, timestamptz '2000-01-01 00:00:00+00')`

/** Limits a listing to rows on one side of a position, in the order of the listing. */
function isBeyond(
  { sortField, direction }: Pick<ConversationListing, 'sortField' | 'direction'>,
  { at, id }: ConversationPosition,
  side: 'after' | 'up to',
): RawBuilder<boolean> {
  const sign = (direction === 'asc') === (side === 'after') ? '>' : '<'
  const included = sql.raw(side === 'after' ? sign : `${sign}=`)
  const place = sql<boolean>`(${sql.ref(sortField)}, id) ${included} (${at}, ${id})`
  return sortField === 'created_at'
    ? place
    : sql`(updated_slot ${sql.raw(sign)}= ${toSlot(at)} and ${place})`
}

/** With more conversations of a user, the listing looks at the participants of each in its own order. */
const fewConversations = 1_000

/**
 * Returns a condition on `conversation` for each user, who must take part. The planner begins with a user who
 * has few conversations.
 */
async function haveParticipants(db: Db, botId: string, userIds: string[]) {
  const { rows } = await sql<{ id: string; has_few: boolean }>`
    select given.id, (select count(*) from (select from participant where bot_id = ${botId}
      and user_id = given.id limit ${fewConversations + 1}) counted) <= ${fewConversations} as has_few
    from unnest(${[...new Set(userIds)]}::text[]) given (id)`.execute(db)
  return rows.map(({ id, has_few }) => {
    const found = sql`from participant p where p.bot_id = conversation.bot_id
      and p.conversation_id = conversation.id and p.user_id = ${id}`
    // a scalar, which the planner does not join for all conversations at once
    return has_few
      ? sql<boolean>`exists (select ${found})`
      : sql<boolean>`(select true ${found})`
  })
}
