// Owns the table conversation_note: what members write about a conversation. No operation of chat
// users or integrations reads it.
import { ApiError, type ConversationNote } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'

type NoteRow = Selectable<Schema['conversation_note']>

interface Place {
  botId: string
  conversationId: string
}

interface NewNote {
  text: string
  /** An account; null for the bot. */
  author: string | null
}

/** Throws ResourceNotFound. */
export async function createNote(
  db: Db,
  { botId, conversationId }: Place,
  { text, author }: NewNote,
): Promise<NoteRow> {
  const { rows } = await sql<NoteRow>`
    with place as (
      select id from conversation where bot_id = ${botId} and id = ${conversationId} for key share
    )
    insert into conversation_note (bot_id, id, conversation_id, account_id, text)
    select ${botId}, ${newId('note')}, id, ${author}::text, ${text}::text from place
    returning *`.execute(db)
  if (!rows[0])
    throw new ApiError(
      'ResourceNotFound',
      `Conversation "${conversationId}" was not found`,
    )
  return rows[0]
}

interface NoteListing {
  /** Id of the last row of the page before. */
  position: string | null
  limit: number
}

/** Lists notes, newest first: ids begin with the time. */
export function listNotes(
  db: Db,
  { botId, conversationId }: Place,
  listing: NoteListing,
) {
  const { position, limit } = listing
  let query = db
    .selectFrom('conversation_note')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
  if (position !== null) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Throws ResourceNotFound, also for notes of other authors. */
export async function deleteNote(
  db: Db,
  { botId, id, author }: { botId: string; id: string; author: string | null },
): Promise<void> {
  const deleted = await db
    .deleteFrom('conversation_note')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where('account_id', 'is not distinct from', author)
    .returning('id')
    .executeTakeFirst()
  if (!deleted)
    throw new ApiError(
      'ResourceNotFound',
      `You have no note "${id}": only authors delete notes`,
    )
}

export const toNote = (row: NoteRow): ConversationNote => ({
  id: row.id,
  conversationId: row.conversation_id,
  ...(row.account_id !== null && { accountId: row.account_id }),
  text: row.text,
  createdAt: row.created_at.toISOString(),
})
