// Owns the table workspace_member: who may do what in which workspace.
import { type Role, roles } from '@botstead/contract'
import type { Db } from '../db/open.ts'

/** Null for whom the workspace does not know. */
export async function findRole(db: Db, workspaceId: string, accountId: string): Promise<Role | null> {
  const row = await db
    .selectFrom('workspace_member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return roles.find((role) => role === row?.role) ?? null
}
