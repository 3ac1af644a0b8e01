import type { State } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'

export type StateRow = Selectable<Schema['state']>

/** The event of a state that expired shows it alike, in SQL (expiry.ts). */
export const stateShown = (row: StateRow): State => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  botId: row.bot_id,
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.user_id !== null && { userId: row.user_id }),
  name: row.name,
  type: row.type,
  payload: row.payload,
})
