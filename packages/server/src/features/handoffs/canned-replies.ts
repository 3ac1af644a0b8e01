// Owns the table canned_reply: texts that members insert into their answers. A bot has each name
// once.
import { ApiError, type CannedReply } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'

type CannedReplyRow = Selectable<Schema['canned_reply']>

/** Throws AlreadyExists. */
export async function createCannedReply(
  db: Db,
  botId: string,
  { name, text }: { name: string; text: string },
): Promise<CannedReplyRow> {
  const created = await db
    .insertInto('canned_reply')
    .values({ bot_id: botId, id: newId('cannedReply'), name, text })
    .onConflict((conflict) => conflict.columns(['bot_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return created ?? rejectName(name)
}

interface Listing {
  /** Name of the last row of the page before. */
  position: string | null
  limit: number
}

export function listCannedReplies(db: Db, botId: string, { position, limit }: Listing) {
  let query = db.selectFrom('canned_reply').selectAll().where('bot_id', '=', botId)
  if (position !== null) query = query.where('name', '>', position)
  return query.orderBy('name').limit(limit).execute()
}

/** Absent fields stay unchanged. Throws ResourceNotFound, AlreadyExists. */
export async function updateCannedReply(
  db: Db,
  botId: string,
  id: string,
  { name, text }: { name?: string; text?: string },
): Promise<CannedReplyRow> {
  const update = db
    .updateTable('canned_reply')
    .set({
      updated_at: sql`now()`,
      ...(name !== undefined && { name }),
      ...(text !== undefined && { text }),
    })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returningAll()
  const changed = await update
    .executeTakeFirst()
    .catch((error: { constraint?: string }) => {
      if (error.constraint === 'canned_reply_bot_id_name_key') rejectName(name ?? '')
      throw error
    })
  return changed ?? rejectId(id)
}

/** Throws ResourceNotFound. */
export async function deleteCannedReply(
  db: Db,
  botId: string,
  id: string,
): Promise<void> {
  const deleted = await db
    .deleteFrom('canned_reply')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) rejectId(id)
}

function rejectName(name: string): never {
  throw new ApiError('AlreadyExists', `The bot has a canned reply "${name}" already`)
}

function rejectId(id: string): never {
  throw new ApiError('ResourceNotFound', `Canned reply "${id}" was not found`)
}

export const toCannedReply = (row: CannedReplyRow): CannedReply => ({
  id: row.id,
  name: row.name,
  text: row.text,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
