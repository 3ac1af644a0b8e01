// Owns the table message_feedback: the opinions of users on messages, one per message and user.
import { ApiError, type Feedback, type Rating } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'

interface Author {
  botId: string
  messageId: string
  userId: string
}

interface NewFeedback {
  rating: Rating
  comment?: string | undefined
}

/** Replaces earlier feedback of the user on the message. Throws ResourceNotFound. */
export async function setFeedback(
  db: Db,
  { botId, messageId, userId }: Author,
  { rating, comment }: NewFeedback,
): Promise<FeedbackRow> {
  const { rows } = await sql<FeedbackRow>`
    with rated as (
      select m.conversation_id, m.id as message_id, u.id as user_id
      from message m join "user" u on u.bot_id = m.bot_id and u.id = ${userId}
      where m.bot_id = ${botId} and m.id = ${messageId} for key share of m, u
    )
    insert into message_feedback as f
      (bot_id, id, conversation_id, message_id, user_id, rating, comment)
    select ${botId}, ${newId('feedback')}, conversation_id, message_id, user_id,
      ${String(rating)}, ${comment || null}::text from rated
    on conflict (bot_id, message_id, user_id) do update set rating = excluded.rating,
      comment = excluded.comment, updated_at = greatest(now(), f.updated_at)
    returning *`.execute(db)
  if (!rows[0])
    throw new ApiError('ResourceNotFound', `Message "${messageId}" was not found`)
  return rows[0]
}

export async function deleteFeedback(
  db: Db,
  { botId, messageId, userId }: Author,
): Promise<void> {
  await db
    .deleteFrom('message_feedback')
    .where('bot_id', '=', botId)
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .execute()
}

/** Throws ResourceNotFound. */
export async function findFeedback(
  db: Db,
  botId: string,
  id: string,
): Promise<FeedbackRow> {
  const found = await db
    .selectFrom('message_feedback')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new ApiError('ResourceNotFound', `Feedback "${id}" was not found`)
  return found
}

interface FeedbackListing {
  conversationId?: string | undefined
  messageId?: string | undefined
  userId?: string | undefined
  rating?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  /** Id of the last row of the page before. */
  position: string | null
  limit: number
}

/** Lists feedback, newest first: ids begin with the time. */
export async function listFeedback(db: Db, botId: string, listing: FeedbackListing) {
  const { conversationId, messageId, userId, rating, after, before, position, limit } =
    listing
  let query = db.selectFrom('message_feedback').selectAll().where('bot_id', '=', botId)
  if (conversationId !== undefined)
    query = query.where('conversation_id', '=', conversationId)
  if (messageId !== undefined) query = query.where('message_id', '=', messageId)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (rating !== undefined)
    query = query.where('rating', '=', rating as FeedbackRow['rating'])
  if (after) query = query.where('created_at', '>=', after)
  if (before) query = query.where('created_at', '<', before)
  if (position) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
export type FeedbackRow = Awaited<ReturnType<typeof listFeedback>>[number]

/** `shown` replaces ids by those that chat clients see. */
export const toFeedback = (
  row: FeedbackRow,
  shown: { conversationId?: string; userId?: string } = {},
): Feedback => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  conversationId: row.conversation_id,
  messageId: row.message_id,
  userId: row.user_id,
  rating: toRating(row.rating),
  ...(row.comment !== null && { comment: row.comment }),
  ...shown,
})

const toRating = (stored: FeedbackRow['rating']): Rating =>
  stored === 'positive' || stored === 'negative' ? stored : Number(stored)
