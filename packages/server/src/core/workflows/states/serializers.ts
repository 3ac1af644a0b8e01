import type { State } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Schema } from '../../db/index.ts'

export type StateRow = Selectable<Schema['state']>

/** The event of an expired state has the same fields, built in SQL (expiry.ts). */
export const toState = (row: StateRow): State => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  botId: row.bot_id,
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.user_id !== null && { userId: row.user_id }),
  name: row.name,
  type: row.type,
  payload: row.payload,
  ...(row.expiry_ms !== null && { expiry: Number(row.expiry_ms) }),
  ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
})
