// Tags of handoffs: a column of their table, which handoffs.ts owns.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Db, type Json, toJson } from '../../core/db/index.ts'
import { findHandoff, type HandoffRow } from './handoffs.ts'

const maxTags = 50

const maxTagName = 100

/** Merges tags; null or an empty text removes one. Throws ResourceNotFound, InvalidPayload. */
export async function tagHandoff(
  db: Db,
  botId: string,
  id: string,
  changes: Record<string, string | null>,
): Promise<HandoffRow> {
  const long = Object.keys(changes).find(
    (name) => name.length > maxTagName || name === '',
  )
  if (long !== undefined)
    throw new ApiError('InvalidPayload', `A tag's name has 1 to ${maxTagName} characters`)
  const merged = sql<Json<HandoffRow['tags']>>`jsonb_strip_nulls(tags || ${toJson(
    Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value || null]),
    ),
  )}::jsonb)`
  const changed = await db
    .updateTable('handoff')
    .set({ tags: merged })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(sql`(select count(*) from jsonb_object_keys(${merged}))`, '<=', maxTags)
    .returningAll()
    .executeTakeFirst()
  if (changed) return changed
  await findHandoff(db, botId, id)
  throw new ApiError('InvalidPayload', `A handoff has ${maxTags} tags at most`)
}
