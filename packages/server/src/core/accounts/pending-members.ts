// Owns the table pending_member: roles that workspaces gave to an address which an account of another
// workspace merely claims. They count after the proof of the address (proofs.ts), or after the holder of
// the account accepted an invitation link of the workspace.
import { type Role, roles } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

interface Key {
  workspaceId: string
  accountId: string
}

/** Returns false for a pending member. */
export async function addPending(
  db: Db,
  { workspaceId, accountId }: Key,
  { role, grantedBy }: { role: Role; grantedBy: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('pending_member')
    .values({
      workspace_id: workspaceId,
      account_id: accountId,
      role,
      granted_by: grantedBy,
    })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

/** Returns the role and locks its row; null without one. Call it within a transaction. */
export async function lockPendingRole(db: Db, key: Key): Promise<Role | null> {
  const row = await db
    .selectFrom('pending_member')
    .select('role')
    .where(isMember(key))
    .forUpdate()
    .executeTakeFirst()
  return roles.find((role) => role === row?.role) ?? null
}

export const changePending = (
  db: Db,
  key: Key,
  change: { role: Role; grantedBy: string },
) =>
  db
    .updateTable('pending_member')
    .set({ role: change.role, granted_by: change.grantedBy })
    .where(isMember(key))
    .execute()

export const removePending = (db: Db, key: Key) =>
  db.deleteFrom('pending_member').where(isMember(key)).execute()

const isMember = ({ workspaceId, accountId }: Key) =>
  sql<boolean>`workspace_id = ${workspaceId} and account_id = ${accountId}`

/** Makes an account the member of the workspaces that gave roles to the address of `from`. */
export async function acceptPending(
  db: Db,
  from: string,
  accountId: string,
): Promise<void> {
  await sql`
    with accepted as (delete from pending_member where account_id = ${from} returning *)
    insert into workspace_member (workspace_id, account_id, role, granted_by, created_at)
    select workspace_id, ${accountId}, role, granted_by, created_at from accepted
    on conflict do nothing`.execute(db)
}

/** The table workspace_member with pending members, for lists. */
export const membersWithPending = sql<{
  workspace_id: string
  account_id: string
  role: Role
  created_at: Date
  is_pending: boolean
}>`(
  select workspace_id, account_id, role, created_at, false as is_pending from workspace_member
  union all
  select workspace_id, account_id, role, created_at, true as is_pending from pending_member
)`
