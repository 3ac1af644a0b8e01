// Owns the table participant. Joining and leaving are idempotent. The statement that changes a
// participant also stores its signal, so a crash cannot leave one without the other.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import type { UserRow } from './users.ts'

/** Signal to publish after the commit. Ids are those that chat clients see. */
export interface ParticipantSignal {
  number: string
  type: 'participant_added' | 'participant_removed'
  data: { conversationId: string; participantId: string }
}

/**
 * Adds a participant. The signal is null when the user already takes part, or when the conversation
 * or user does not exist.
 */
export async function joinConversation(
  db: Db,
  botId: string,
  conversationId: string,
  userId: string,
): Promise<{ joined: boolean; number: string | null; signal: ParticipantSignal | null }> {
  const { rows } = await sql<ParticipantSignal>`
    with joined as (
      insert into participant (bot_id, conversation_id, user_id)
      select c.bot_id, c.id, u.id from conversation c join "user" u on u.bot_id = c.bot_id
        and u.id = ${userId}
      where c.bot_id = ${botId} and c.id = ${conversationId}
      on conflict do nothing returning bot_id, conversation_id, user_id
    ), ${signalled('joined', 'participant_added')}`.execute(db)
  const signal = rows[0] ?? null
  return { joined: signal !== null, number: signal?.number ?? null, signal }
}

/** Removes a participant. The signal is null when the user does not take part. */
export async function leaveConversation(
  db: Db,
  botId: string,
  conversationId: string,
  userId: string,
): Promise<{
  removed: boolean
  number: string | null
  signal: ParticipantSignal | null
}> {
  const { rows } = await sql<ParticipantSignal>`
    with removed as (
      delete from participant where bot_id = ${botId} and conversation_id = ${conversationId}
        and user_id = ${userId}
      returning bot_id, conversation_id, user_id
    ), ${signalled('removed', 'participant_removed')}`.execute(db)
  const signal = rows[0] ?? null
  return { removed: signal !== null, number: signal?.number ?? null, signal }
}

/** Numbers the conversation's next signal and stores it, if the CTE `changed` has a row. */
const signalled = (changed: 'joined' | 'removed', type: ParticipantSignal['type']) => sql`
    numbered as (
      update conversation c set last_number = c.last_number + 1 from ${sql.ref(changed)} p
      where c.bot_id = p.bot_id and c.id = p.conversation_id
      returning c.bot_id, c.id, c.last_number, coalesce(c.fid, c.id) as shown_id, p.user_id
    )
    insert into signal (bot_id, conversation_id, number, type, data)
    select n.bot_id, n.id, n.last_number, ${type},
      jsonb_build_object('conversationId', n.shown_id, 'participantId', coalesce(u.fid, u.id))
    from numbered n join "user" u on u.bot_id = n.bot_id and u.id = n.user_id
    returning number, type, data`

/** Throws ResourceNotFound. */
export async function findParticipant(
  db: Db,
  botId: string,
  conversationId: string,
  userId: string,
): Promise<UserRow> {
  const found = await participants(db, botId, conversationId)
    .where('user.id', '=', userId)
    .executeTakeFirst()
  if (!found)
    throw new ApiError('ResourceNotFound', `Participant "${userId}" was not found`)
  return found
}

/** Lists participants, the latest to join first. `position` is the previous page's last row. */
export async function listParticipants(
  db: Db,
  botId: string,
  conversationId: string,
  { position, limit }: { position: { at: Date; id: string } | null; limit: number },
): Promise<(UserRow & { joined_at: Date })[]> {
  let query = participants(db, botId, conversationId).select('participant.joined_at')
  if (position)
    query = query.where(
      sql<boolean>`(participant.joined_at, participant.user_id) < (${position.at}, ${position.id})`,
    )
  return query
    .orderBy('participant.joined_at', 'desc')
    .orderBy('participant.user_id', 'desc')
    .limit(limit)
    .execute()
}

const participants = (db: Db, botId: string, conversationId: string) =>
  db
    .selectFrom('participant')
    .innerJoin('user', (on) =>
      on
        .onRef('user.bot_id', '=', 'participant.bot_id')
        .onRef('user.id', '=', 'participant.user_id'),
    )
    .selectAll('user')
    .where('participant.bot_id', '=', botId)
    .where('participant.conversation_id', '=', conversationId)
