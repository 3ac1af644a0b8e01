// Lists the users of a bot, as a viewer sees them.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { hasTags } from './tags/tag-columns.ts'
import { storedTags, type Tags, type Viewer } from './tags/tags.ts'
import { type UserRow, userVisibleTo } from './users.ts'

interface UserListing {
  conversationId?: string | undefined
  tags?: Tags | undefined
  after?: Date | undefined
  before?: Date | undefined
  rangeField: 'created_at' | 'updated_at'
  sortField: 'created_at' | 'updated_at'
  direction: 'asc' | 'desc'
  /** Position of the previous page's last row. */
  position: { at: Date; id: string } | null
  limit: number
}

export function listUsers(
  db: Db,
  botId: string,
  viewer: Viewer,
  listing: UserListing,
): Promise<UserRow[]> {
  const {
    conversationId,
    tags,
    after,
    before,
    rangeField,
    sortField,
    direction,
    position,
    limit,
  } = listing
  let query = db
    .selectFrom('user')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(userVisibleTo(viewer))
  if (conversationId !== undefined) {
    const memberIds = db
      .selectFrom('participant')
      .select('user_id')
      .where('bot_id', '=', botId)
      .where('conversation_id', '=', conversationId)
    query = query.where('id', 'in', memberIds)
  }
  if (tags) query = query.where(hasTags(storedTags(tags, viewer)))
  if (after) query = query.where(rangeField, '>=', after)
  if (before) query = query.where(rangeField, '<=', before)
  if (position)
    query = query.where(
      sql<boolean>`(${sql.ref(sortField)}, id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${position.at},
        ${position.id})`,
    )
  return query
    .orderBy(sortField, direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
}
