// Owns the table workspace: the tenant. A handle belongs to at most one workspace, so it has its
// own column. The other public facts are in `profile`, and are returned unchanged.

import { randomUUID } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type pg from 'pg'
import { type Db, isConflict, isMissing, type Schema, toJson } from '../db/index.ts'
import { firstWorkspaceId } from './bootstrap.ts'
import type { AccountHooks } from './hooks.ts'

export type WorkspaceRow = Selectable<Schema['workspace']>
export type Workspace = WorkspaceRow & { owner_id: string; bot_count: number }

interface WorkspaceChange {
  name?: string
  handle?: string
  profile: Record<string, unknown>
}

/** The account becomes the owner. */
export async function createWorkspace(
  db: Db,
  accountId: string,
  name: string,
): Promise<Workspace> {
  const { rows } = await sql<Workspace>`
    with made as (
      insert into workspace (id, name) values (${randomUUID()}, ${name}) returning *
    ), owned as (
      insert into workspace_member (workspace_id, account_id, role) select id, ${accountId}, 'owner' from made
    )
    select *, ${accountId}::text as owner_id, 0 as bot_count from made
  `.execute(db)
  return rows[0]!
}

/** The oldest one, unless an older workspace was moved here. */
const firstWorkspace = `select coalesce(
  (select id from workspace where id = '${firstWorkspaceId}'),
  (select id from workspace order by created_at, id limit 1)) as id`

export async function findFirstWorkspaceId(db: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`${sql.raw(firstWorkspace)}`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns whether an account owns the first workspace, and so operates the installation. */
export async function isOperator(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from workspace_member where account_id = ${accountId} and role = 'owner'
      and workspace_id = (${sql.raw(firstWorkspace)})`.execute(db)
  return rows.length > 0
}

/**
 * Returns whether an owner of the oldest workspace also owns this one; true for the oldest itself.
 * An ownership counts only if that owner created the workspace, or another such owner gave it:
 * other people can add anybody to their own workspaces, which must not give them rights.
 */
export async function isOwnedWithFirst(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    with first as (
      select account_id from workspace_member
      where role = 'owner' and workspace_id = (${sql.raw(firstWorkspace)})
    )
    select from workspace_member mine where mine.workspace_id = ${id} and mine.role = 'owner'
      and mine.account_id in (select account_id from first)
      and (mine.granted_by is null or mine.granted_by in (select account_id from first)) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Returns the address of the first owner of the oldest workspace; null without owned workspaces.
 */
async function findOwnerEmail(db: Db): Promise<string | null> {
  const owner = await db
    .selectFrom('workspace_member as member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select('account.email')
    .where('member.role', '=', 'owner')
    .orderBy('workspace.created_at')
    .orderBy('member.created_at')
    .executeTakeFirst()
  return owner?.email ?? null
}

/** Returns false before the first start has finished its setup. */
async function hasWorkspaces(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspace').select('id').limit(1).execute()).length > 0
}

/** Finds a workspace of a member; for others it does not exist. Throws ResourceNotFound. */
export async function findWorkspace(
  db: Db,
  accountId: string,
  id: string,
): Promise<Workspace> {
  const found = await selectWorkspaces(db, accountId)
    .where('workspace.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new ApiError('ResourceNotFound', `Workspace "${id}" was not found`)
  return found
}

/** Returns the newest first; `after` is the last workspace of the previous page. */
export function listWorkspaces(
  db: Db,
  accountId: string,
  page: { handle?: string; after: { at: string; id: string } | null; limit: number },
): Promise<Workspace[]> {
  let query = selectWorkspaces(db, accountId)
  if (page.handle !== undefined) query = query.where('workspace.handle', '=', page.handle)
  if (page.after)
    query = query.where(
      sql<boolean>`(workspace.created_at, workspace.id) < (${page.after.at}::timestamptz, ${page.after.id})`,
    )
  return query
    .orderBy('workspace.created_at', 'desc')
    .orderBy('workspace.id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Finds a public workspace, for any caller. Throws ResourceNotFound for private ones. */
export async function findPublicWorkspace(db: Db, id: string): Promise<WorkspaceRow> {
  const found = await publicWorkspaces(db).where('id', '=', id).executeTakeFirst()
  if (!found)
    throw new ApiError('ResourceNotFound', `Public workspace "${id}" was not found`)
  return found
}

interface PublicListing {
  ids?: string[] | undefined
  /** Part of the name or handle; case is ignored. */
  search?: string | undefined
  after: { at: string; id: string } | null
  limit: number
}

/** Returns the newest first. */
export function listPublicWorkspaces(
  db: Db,
  { ids, search, after, limit }: PublicListing,
): Promise<WorkspaceRow[]> {
  let query = publicWorkspaces(db)
  if (ids) query = query.where(sql<boolean>`id = any(${ids}::text[])`)
  if (search)
    query = query.where(
      sql<boolean>`strpos(lower(name || ' ' || coalesce(handle, '')), lower(${search})) > 0`,
    )
  if (after)
    query = query.where(
      sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id})`,
    )
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

const publicWorkspaces = (db: Db) =>
  db
    .selectFrom('workspace')
    .selectAll()
    .where(sql<boolean>`profile @> '{"isPublic": true}'`)

/**
 * The caller ensures that the workspace exists. Throws AlreadyExists for a handle of another
 * workspace.
 */
export async function updateWorkspace(
  db: Db,
  id: string,
  { name, handle, profile }: WorkspaceChange,
): Promise<void> {
  try {
    await db
      .updateTable('workspace')
      .set({
        updated_at: sql`now()`,
        profile: sql`profile || ${JSON.stringify(profile)}::jsonb`,
        ...(name !== undefined && { name }),
        ...(handle !== undefined && { handle }),
      })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    if (isConflict(error))
      throw new ApiError('AlreadyExists', `The handle "${handle}" is taken`)
    throw error
  }
}

/** Deletes the row, in the transaction of a session that has deleted all others of the workspace. */
const deleteWorkspaceRow = (session: Pick<pg.Client, 'query'>, id: string) =>
  session.query('delete from workspace where id = $1', [id])

/**
 * Deletes the row. If other rows refer to it, keeps an empty row without members. Call it within a
 * transaction that uses savepoints for failing statements.
 */
async function removeWorkspaceRow(
  { db, hooks }: { db: Db; hooks: AccountHooks },
  id: string,
): Promise<void> {
  try {
    await db.deleteFrom('workspace').where('id', '=', id).execute()
  } catch (error) {
    if (!isMissing(error)) throw error
    await emptyWorkspace(db, id)
    for (const empty of hooks.workspaceEmptied) await empty(db, id)
  }
}

async function emptyWorkspace(db: Db, id: string): Promise<void> {
  await db.deleteFrom('workspace_member').where('workspace_id', '=', id).execute()
  await db.deleteFrom('pending_member').where('workspace_id', '=', id).execute()
  await db
    .updateTable('account')
    .set({ invited_by: null })
    .where('invited_by', '=', id)
    .execute()
  await db.deleteFrom('workspace_preference').where('workspace_id', '=', id).execute()
  const nothing = {
    name: 'Deleted workspace',
    handle: null,
    profile: toJson({}),
    updated_at: sql<Date>`now()`,
  }
  await db.updateTable('workspace').set(nothing).where('id', '=', id).execute()
}

/**
 * Returns the workspaces of which the account is the only owner; `others` is true if they have
 * other members.
 */
export async function listOwnedAlone(
  db: Db,
  accountId: string,
): Promise<{ id: string; name: string; others: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; others: boolean }>`
    select workspace.id, workspace.name,
      exists (select from workspace_member other where other.workspace_id = workspace.id
        and other.account_id <> mine.account_id) as others
    from workspace_member mine join workspace on workspace.id = mine.workspace_id
    where mine.account_id = ${accountId} and mine.role = 'owner' and not exists (
      select from workspace_member other where other.workspace_id = mine.workspace_id and other.role = 'owner'
        and other.account_id <> mine.account_id)
    order by workspace.id`.execute(db)
  return rows
}

const selectWorkspaces = (db: Db, accountId: string) =>
  db
    .selectFrom('workspace')
    .innerJoin('workspace_member as member', 'member.workspace_id', 'workspace.id')
    .where('member.account_id', '=', accountId)
    .selectAll('workspace')
    .select([
      sql<string>`(select account_id from workspace_member where workspace_id = workspace.id
        and role = 'owner' order by created_at limit 1)`.as('owner_id'),
      sql<number>`(select count(*)::integer from bot where workspace_id = workspace.id)`.as(
        'bot_count',
      ),
    ])

/** Workspaces and their owners. */
export const workspaceStore = {
  deleteRow: deleteWorkspaceRow,
  findFirstId: findFirstWorkspaceId,
  findOwnerEmail,
  find: findWorkspace,
  exist: hasWorkspaces,
  isOperator,
  isOwnedWithFirst,
  list: listWorkspaces,
  removeRow: removeWorkspaceRow,
}
