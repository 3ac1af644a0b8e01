// Owns the table workspace_member: the roles of members. The contract's permissions.ts defines the
// permissions of roles. This file ensures that members cannot give or remove a role with more
// permissions than their own, and that a workspace keeps an owner.
import { ApiError, mayGive, type Role, roles } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { accountByEmail } from './invitations.ts'
import {
  addPending,
  changePending,
  lockPendingRole,
  membersWithPending,
  removePending,
} from './pending-members.ts'

export interface Member {
  account_id: string
  email: string
  name: string | null
  picture_url: string | null
  role: Role
  created_at: Date
  /** Null for an address that is merely claimed. */
  email_verified_at: Date | null
  /** Whether the role counts only after the proof of the address (pending-members.ts). */
  is_pending: boolean
}

/** Returns null for non-members. */
export const findRole = async (
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<Role | null> =>
  (await findRoles(db, [workspaceId], accountId)).get(workspaceId) ?? null

/** Returns null for an account that is a member of no workspace, or of several. */
export async function findOnlyWorkspace(
  db: Db,
  accountId: string,
): Promise<string | null> {
  const rows = await db
    .selectFrom('workspace_member')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .limit(2)
    .execute()
  return rows.length === 1 ? rows[0]!.workspace_id : null
}

/** Returns the roles by workspace, without workspaces that the account is not a member of. */
async function findRoles(
  db: Db,
  workspaceIds: string[],
  accountId: string,
): Promise<Map<string, Role>> {
  const rows = await db
    .selectFrom('workspace_member')
    .select(['workspace_id', 'role'])
    .where(sql<boolean>`workspace_id = any(${workspaceIds})`)
    .where('account_id', '=', accountId)
    .execute()
  return new Map(
    rows.flatMap((row) =>
      roles
        .filter((role) => role === row.role)
        .map((role) => [row.workspace_id, role] as const),
    ),
  )
}

interface Membership {
  id: string
  name: string
  handle: string | null
  role: Role
}

/** Returns the account's workspaces with its roles, the oldest first. */
export const listMemberships = (
  db: Db,
  accountId: string,
  limit: number,
): Promise<Membership[]> =>
  db
    .selectFrom('workspace_member as member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .where('member.account_id', '=', accountId)
    .select(['workspace.id', 'workspace.name', 'workspace.handle'])
    .select(sql<Role>`member.role`.as('role'))
    .orderBy('workspace.created_at')
    .orderBy('workspace.id')
    .limit(limit)
    .execute()

/** Also finds pending members. Throws ResourceNotFound. */
export async function findMember(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<Member> {
  return (
    (await selectMembers(db, workspaceId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()) ?? noMember(accountId)
  )
}

/** Returns the oldest members first, with pending ones; `after` is the last member of the previous page. */
export function listMembers(
  db: Db,
  workspaceId: string,
  page: { after: { at: string; id: string } | null; limit: number },
): Promise<Member[]> {
  let query = selectMembers(db, workspaceId)
  if (page.after)
    query = query.where(
      sql<boolean>`(member.created_at, member.account_id) > (${page.after.at}::timestamptz,
        ${page.after.id})`,
    )
  return query
    .orderBy('member.created_at')
    .orderBy('member.account_id')
    .limit(page.limit)
    .execute()
}

/**
 * The member who gives a role. It is recorded because people need not agree to a role that others
 * give them (accounts/workspaces.ts).
 */
interface Granter {
  role: Role
  accountId: string
}

/**
 * Adds a member; a pending one, if another workspace made the account and its address is not proved. Call it
 * within a transaction. Throws AlreadyExists for a member, Forbidden for a role that the giver may not give.
 */
export async function addMember(
  db: Db,
  workspaceId: string,
  { role: giver, accountId: grantedBy }: Granter,
  { email, role }: { email: string; role: Role },
): Promise<Member> {
  if (!mayGive(giver, role)) throw roleForbidden(role)
  const { id, isKnown } = await accountByEmail(
    db,
    { workspaceId, accountId: grantedBy },
    email,
  )
  const isAdded = isKnown
    ? await insertMember(db, { workspaceId, accountId: id, role, grantedBy })
    : !(await findRole(db, workspaceId, id)) &&
      (await addPending(db, { workspaceId, accountId: id }, { role, grantedBy }))
  if (!isAdded) throw new ApiError('AlreadyExists', `${email} is already a member`)
  return findMember(db, workspaceId, id)
}

/** Returns false for a member. */
async function insertMember(
  db: Db,
  member: { workspaceId: string; accountId: string; role: Role; grantedBy: string },
): Promise<boolean> {
  const { workspaceId, accountId, role, grantedBy } = member
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('workspace_member')
    .values({
      workspace_id: workspaceId,
      account_id: accountId,
      role,
      granted_by: grantedBy,
    })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst()
  await removePending(db, { workspaceId, accountId })
  return Boolean(numInsertedOrUpdatedRows)
}

/**
 * Changes a role. Call it within a transaction. Throws ResourceNotFound, Forbidden, and
 * RelationConflict for the last owner.
 */
export async function changeRole(
  db: Db,
  workspaceId: string,
  { role: giver, accountId: grantedBy }: Granter,
  accountId: string,
  role: Role,
): Promise<void> {
  const key = { workspaceId, accountId }
  const pending = await lockPendingRole(db, key)
  if (pending) {
    for (const one of [pending, role]) if (!mayGive(giver, one)) throw roleForbidden(one)
    await changePending(db, key, { role, grantedBy })
    return
  }
  const now = await lockMember(db, workspaceId, giver, accountId)
  if (!mayGive(giver, role)) throw roleForbidden(role)
  if (role !== 'owner') checkOtherOwner(now)
  await db
    .updateTable('workspace_member')
    .set({ role, granted_by: grantedBy })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}

/** Removes a member. Call it within a transaction. Throws the errors of `changeRole`. */
export async function removeMember(
  db: Db,
  workspaceId: string,
  giver: Role,
  accountId: string,
): Promise<void> {
  const key = { workspaceId, accountId }
  const pending = await lockPendingRole(db, key)
  if (pending) {
    if (!mayGive(giver, pending)) throw roleForbidden(pending)
    await removePending(db, key)
    return
  }
  checkOtherOwner(await lockMember(db, workspaceId, giver, accountId))
  await db
    .deleteFrom('workspace_member')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}

interface Locked {
  role: Role
  owners: number
}

/** Throws ResourceNotFound, and Forbidden for a role that the caller may not give. */
async function lockMember(
  db: Db,
  workspaceId: string,
  giver: Role,
  accountId: string,
): Promise<Locked> {
  const { role, owners } = await lockWithOwners(db, workspaceId, accountId)
  const known = roles.find((one) => one === role) ?? noMember(accountId)
  if (!mayGive(giver, known)) throw roleForbidden(known)
  return { role: known, owners }
}

/**
 * Gives the account a role, also if it is no member yet. The last owner of the workspace stays one.
 * Call it within a transaction.
 */
async function setRole(
  db: Db,
  workspaceId: string,
  accountId: string,
  role: Role,
): Promise<void> {
  const now = await lockWithOwners(db, workspaceId, accountId)
  if (now.role === 'owner' && now.owners === 1) return
  await db
    .insertInto('workspace_member')
    .values({ workspace_id: workspaceId, account_id: accountId, role, granted_by: null })
    .onConflict((on) => on.columns(['workspace_id', 'account_id']).doUpdateSet({ role }))
    .execute()
}

/**
 * Returns the account's role, if it is a member, and the number of owners. Locks the rows of both
 * until the transaction ends: the last two owners cannot leave at the same time.
 */
async function lockWithOwners(db: Db, workspaceId: string, accountId: string) {
  const rows = await db
    .selectFrom('workspace_member')
    .select(['account_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where((is) => is.or([is('role', '=', 'owner'), is('account_id', '=', accountId)]))
    .orderBy('account_id')
    .forUpdate()
    .execute()
  return {
    role: rows.find((row) => row.account_id === accountId)?.role,
    owners: rows.filter((row) => row.role === 'owner').length,
  }
}

function checkOtherOwner({ role, owners }: Locked) {
  if (role === 'owner' && owners === 1)
    throw new ApiError(
      'RelationConflict',
      'A workspace must have an owner: make another member an owner first, or delete the workspace',
    )
}

const roleForbidden = (role: Role) =>
  new ApiError(
    'Forbidden',
    `The role "${role}" has more permissions than yours: you can neither give nor remove it`,
  )

function noMember(id: string): never {
  throw new ApiError('ResourceNotFound', `Member "${id}" was not found`)
}

const selectMembers = (db: Db, workspaceId: string) =>
  db
    .selectFrom(membersWithPending.as('member'))
    .innerJoin('account', 'account.id', 'member.account_id')
    .where('member.workspace_id', '=', workspaceId)
    .select([
      'account_id',
      'email',
      'name',
      'picture_url',
      'email_verified_at',
      'member.created_at',
    ])
    .select(['member.role', 'member.is_pending'])

/** The giver of roles that do not count as given by an operator (`isOwnedWithFirst`). */
const unprovedGranter = 'unproved'

/**
 * The account may become an operator. Workspaces that it created or gave roles in before do not become
 * workspaces of the operator by that.
 */
export const distrustGrants = (db: Db, accountId: string) =>
  db
    .updateTable('workspace_member')
    .set({ granted_by: unprovedGranter })
    .where((is) =>
      is.or([
        is('granted_by', '=', accountId),
        is.and([is('account_id', '=', accountId), is('granted_by', 'is', null)]),
      ]),
    )
    .execute()

/** Members of workspaces and their roles. */
export const memberStore = {
  findRole,
  findRoles,
  insert: insertMember,
  setRole,
}
