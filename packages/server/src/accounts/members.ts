// Owns the table workspace_member: who may do what in which workspace.
import { ApiError, type Role, roles } from '@botstead/contract'
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

/** Roles are ordered: each may do what those before it may. */
export const mayActAs = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

/** Throws ResourceNotFound to strangers, who must not learn that the workspace exists, and Forbidden to members of a lesser role. */
export async function requireRole(db: Db, workspaceId: string, accountId: string, least: Role): Promise<void> {
  const role = await findRole(db, workspaceId, accountId)
  if (!role) throw new ApiError('ResourceNotFound', `No workspace "${workspaceId}"`)
  if (!mayActAs(role, least)) throw new ApiError('Forbidden', `This takes the role ${least}`)
}
