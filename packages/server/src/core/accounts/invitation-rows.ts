// Owns the table invitation: links by which people become members of a workspace.
import type { Role } from '@botstead/contract'
import type { Selectable } from 'kysely'
import { type Db, type Schema, statement } from '../db/index.ts'

export type Invitation = Omit<Selectable<Schema['invitation']>, 'hash'>

/** All but the hash of the link's code. */
export const invitationColumns = [
  'id',
  'workspace_id',
  'email',
  'role',
  'invited_by',
  'created_at',
  'expires_at',
] as const

/** Replaces the invitation of the address, unless its role is not among `givable`. */
export const upsertInvitation = statement<{
  id: string
  workspaceId: string
  accountId: string
  hash: Buffer
  email: string
  role: Role
  days: number
  givable: Role[]
}>(
  'create-invitation',
  `insert into invitation as known
     (id, workspace_id, hash, email, role, invited_by, expires_at)
   values (:id, :workspaceId, :hash, :email, :role, :accountId, now() + :days * interval '1 day')
   on conflict (workspace_id, email) do update set id = excluded.id, hash = excluded.hash,
     role = excluded.role, invited_by = excluded.invited_by, created_at = now(),
     expires_at = excluded.expires_at
   where known.role = any(:givable::text[])
   returning ${invitationColumns.join(', ')}`,
)

export const deleteInvitation = (db: Db, id: string) =>
  db.deleteFrom('invitation').where('id', '=', id).execute()

/** Deletes the invitations that the account has given. */
export const deleteInvitationsBy = (db: Db, accountId: string) =>
  db.deleteFrom('invitation').where('invited_by', '=', accountId).execute()
