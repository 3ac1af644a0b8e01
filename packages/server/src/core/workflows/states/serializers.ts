import type { State } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Schema } from '../../db/index.ts'
import type { StateLocation } from './location.ts'

export type StateRow = Selectable<Schema['state']>

/** A state of a person is kept at one of its users; callers see the user that they have named. */
export const toStateAt = (row: StateRow, { type, subjectId }: StateLocation): State =>
  toState(type === 'user' ? { ...row, user_id: subjectId } : row)

/** The event of an expired state has the same fields, built in SQL (expiry.ts). */
const toState = (row: StateRow): State => ({
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
