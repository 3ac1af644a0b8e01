// How far users, and the members who answer them, have read conversations: a position for each
// participant and each handoff. A position is the time of a message, because times rise within a
// conversation, clients know them, and they outlive the message. Positions only move forward.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'

export interface ReachedMessage {
  botId: string
  conversationId: string
  messageId: string
}

/**
 * Stores that the user's client has the message, and shows it if `isRead`. Returns the new
 * position; null if it was there already. Throws ResourceNotFound.
 */
export const noteReceipt = (
  db: Db,
  reached: ReachedMessage & { userId: string },
  isRead: boolean,
): Promise<Date | null> =>
  advance(
    db,
    reached,
    sql`update participant p set delivered_until = greatest(p.delivered_until, r.at),
        read_until = case when ${isRead} then greatest(p.read_until, r.at) else p.read_until end
      from reached r
      where p.bot_id = ${reached.botId} and p.conversation_id = ${reached.conversationId}
        and p.user_id = ${reached.userId} and (coalesce(p.delivered_until < r.at, true)
          or (${isRead} and coalesce(p.read_until < r.at, true)))`,
  )

/**
 * Runs an update that returns no row where the position is not behind `reached.at`. Returns the new
 * position; null if it was there already. Throws ResourceNotFound.
 */
async function advance(
  db: Db,
  { botId, conversationId, messageId }: ReachedMessage,
  update: RawBuilder<unknown>,
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    with reached as (select created_at as at from message where bot_id = ${botId}
      and id = ${messageId} and conversation_id = ${conversationId}),
    changed as (${update} returning 1)
    select case when exists (select from changed) then at end as at from reached`.execute(
    db,
  )
  if (!rows[0])
    throw new ApiError('ResourceNotFound', `Message "${messageId}" was not found`)
  return rows[0].at
}

interface Positions {
  delivered_until: Date | null
  read_until: Date | null
  /** Of the members who have answered, or do. */
  person_read_until: Date | null
  /** When they returned the conversation to the bot: the latest times, oldest first. */
  returned_at: Date[]
  /** Whether a person answers, or should. */
  is_handed_over: boolean
  /** The member who answers in place of the bot. */
  assignee: { name: string | null } | null
}

const maxReturns = 50

export async function findReceipts(
  db: Db,
  {
    botId,
    conversationId,
    userId,
  }: Omit<ReachedMessage, 'messageId'> & { userId: string },
): Promise<Positions> {
  const { rows } = await sql<Positions>`
    select p.delivered_until, p.read_until,
      (select max(h.read_until) from handoff h
        where h.bot_id = p.bot_id and h.conversation_id = p.conversation_id) as person_read_until,
      array(select closed_at from (select h.closed_at from handoff h
        where h.bot_id = p.bot_id and h.conversation_id = p.conversation_id
          and h.closed_at is not null and h.answered_at is not null
        order by h.closed_at desc limit ${maxReturns}) latest order by closed_at) as returned_at,
      exists(select from handoff h where h.bot_id = p.bot_id
        and h.conversation_id = p.conversation_id and h.closed_at is null) as is_handed_over,
      (select jsonb_build_object('name', a.name) from handoff h join account a on a.id = h.assigned_to
        where h.bot_id = p.bot_id and h.conversation_id = p.conversation_id
          and h.closed_at is null) as assignee
    from participant p where p.bot_id = ${botId} and p.conversation_id = ${conversationId}
      and p.user_id = ${userId}`.execute(db)
  const none = { delivered_until: null, read_until: null, person_read_until: null }
  return rows[0] ?? { ...none, returned_at: [], is_handed_over: false, assignee: null }
}

export const toAssignee = ({ name }: { name: string | null }) =>
  name === null ? {} : { name }

/** Positions as fields of responses. */
export const toReceipt = ({
  delivered_until: deliveredUntil,
  read_until: readUntil,
}: Pick<Positions, 'delivered_until' | 'read_until'>) => ({
  ...(deliveredUntil && { deliveredUntil: deliveredUntil.toISOString() }),
  ...(readUntil && { readUntil: readUntil.toISOString() }),
})

/** Receipts: the messages that users have received and read. */
export const receipts = {
  advance,
  note: noteReceipt,
  toAssignee,
  toReceipt,
}
