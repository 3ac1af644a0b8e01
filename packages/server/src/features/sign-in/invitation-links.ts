// Owns the table invitation: links by which people become members. The server sends one by e-mail if it has a
// mail server; otherwise the inviting member passes the link on. Its holder may set up a new account, or an
// unused one that the workspace created. The holder of any other account signs in first, so that a link never
// opens an account in use.
import { randomBytes } from 'node:crypto'
import { ApiError, mayGive, type Role, roles } from '@botstead/contract'
import { sha256 } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import { accountStore, memberStore } from '../../core/accounts/index.ts'
import { type Database, type Db, type Schema, statement } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'

export type Invitation = Omit<Selectable<Schema['invitation']>, 'hash'>

/** All but the hash of the link's code. */
const invitationColumns = [
  'id',
  'workspace_id',
  'email',
  'role',
  'invited_by',
  'created_at',
  'expires_at',
] as const

/** Replaces the invitation of the address, unless its role is not among `givable`. */
const upsertInvitation = statement<{
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

const days = 7

/**
 * Invites an address, and replaces its former invitation. `code` is returned only here. Throws
 * Forbidden for a role that the inviter may not give or remove, AlreadyExists for a member.
 */
export async function createInvitation(
  database: Database,
  inviter: { workspaceId: string; accountId: string; role: Role },
  { email, role }: { email: string; role: Role },
): Promise<{ invitation: Invitation; code: string }> {
  const { workspaceId, accountId } = inviter
  if (!mayGive(inviter.role, role)) throw forbidden(role)
  const account = await accountStore.findByEmail(database.db, email)
  if (account && (await memberStore.findRole(database.db, workspaceId, account.id)))
    throw new ApiError('AlreadyExists', `${email} is already a member`)
  const code = randomBytes(32).toString('base64url')
  const [invitation] = await database.run<Invitation>(
    ...upsertInvitation({
      id: newId('invitation'),
      workspaceId,
      accountId,
      hash: sha256(code),
      role,
      days,
      email: email.toLowerCase(),
      givable: givableBy(inviter.role),
    }),
  )
  if (!invitation)
    throw new ApiError(
      'Forbidden',
      `${email} is invited with a role that you may not remove`,
    )
  return { invitation, code }
}

const givableBy = (giver: Role) => roles.filter((role) => mayGive(giver, role))

const forbidden = (role: Role) =>
  new ApiError(
    'Forbidden',
    `The role "${role}" has more permissions than yours: you can neither give nor remove it`,
  )

/** Returns the newest first, with expired ones. */
export function listInvitations(
  db: Db,
  workspaceId: string,
  page: { after: { at: Date; id: string } | null; limit: number },
): Promise<Invitation[]> {
  let query = db
    .selectFrom('invitation')
    .select(invitationColumns)
    .where('workspace_id', '=', workspaceId)
  if (page.after)
    query = query.where(
      sql<boolean>`(created_at, id) < (${page.after.at}::timestamptz, ${page.after.id})`,
    )
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Throws ResourceNotFound, and Forbidden for a role that the caller may not remove. */
export async function withdrawInvitation(
  db: Db,
  workspaceId: string,
  giver: Role,
  id: string,
): Promise<void> {
  const query = db.selectFrom('invitation').select('role').where('id', '=', id)
  const found = await query.where('workspace_id', '=', workspaceId).executeTakeFirst()
  if (!found) throw new ApiError('ResourceNotFound', `Invitation "${id}" was not found`)
  if (!mayGive(giver, found.role)) throw forbidden(found.role)
  await deleteInvitation(db, id)
}

/**
 * Finds the invitation of a link. Returns null for an unknown, used or expired one, and if its
 * inviter could not give the role today. With `lock`, no other request can accept it meanwhile.
 */
export async function findInvitation(
  db: Db,
  code: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<(Invitation & { workspace: string }) | null> {
  const query = db
    .selectFrom('invitation')
    .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
    .select(invitationColumns.map((column) => `invitation.${column}` as const))
    .select('workspace.name as workspace')
    .where('hash', '=', sha256(code))
    .where('expires_at', '>', sql<Date>`now()`)
  const found = await (lock ? query.forUpdate('invitation') : query).executeTakeFirst()
  const giver =
    found && (await memberStore.findRole(db, found.workspace_id, found.invited_by))
  return found && giver && mayGive(giver, found.role) ? found : null
}

export const invitationGone = () =>
  new ApiError(
    'ResourceGone',
    'The invitation is invalid: it was used or withdrawn, or it expired. Ask for another one',
  )

export const addressInUse = (email: string) =>
  new ApiError(
    'RelationConflict',
    `There is an account with the address ${email}: sign in, then accept the invitation. If it is not ` +
      'yours, ask the operator of this installation for a sign-in link',
  )

export const deleteInvitation = (db: Db, id: string) =>
  db.deleteFrom('invitation').where('id', '=', id).execute()

export const deleteInvitationsIn = (db: Db, workspaceId: string) =>
  db.deleteFrom('invitation').where('workspace_id', '=', workspaceId).execute()

/** The code is in the fragment, which browsers do not send. */
export const toInvitationUrl = (url: string, code: string) =>
  `${url}/invitation#code=${code}`
