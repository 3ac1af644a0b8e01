import type { State } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Schema } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
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

/** The row of a state that was never set. */
export function neverSet({
  botId,
  alias,
  type,
  subjectId,
  name,
}: StateLocation): StateRow {
  const now = new Date()
  return {
    bot_id: botId,
    alias,
    owner: alias ?? '',
    type,
    subject_id: subjectId,
    name,
    id: newId('state'),
    revision: '',
    payload: {},
    cause: null,
    expiry_ms: null,
    expiry_given: false,
    expires_at: null,
    created_at: now,
    updated_at: now,
    conversation_id: type === 'conversation' ? subjectId : null,
    user_id: type === 'user' ? subjectId : null,
    workflow_id: type === 'workflow' ? subjectId : null,
  }
}
