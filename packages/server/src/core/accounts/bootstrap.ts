// Owns the table first_start. Creates the first account, workspace and token at the first start,
// and records whether the first start is complete.

import { randomUUID } from 'node:crypto'
import { sha256 } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { createTokenValue, tokenKind } from './token-format.ts'

/**
 * One of the ids for which the official command line uses package names without a workspace handle.
 */
export const firstWorkspaceId = '11111111-1111-1111-aaaa-111111111111'

const firstTokenNote = 'Created during setup, for the command line'

/**
 * Creates the first workspace, its owner and a personal access token, once; the token is null if
 * they already exist. One statement depends on the insertion of the workspace: of several servers
 * that start together, exactly one gets a token. A retry may pass the same token again if the first
 * reply was lost.
 */
export async function bootstrap(
  db: Db,
  token = createTokenValue('pat'),
): Promise<{ workspaceId: string; accountId: string; token: string | null }> {
  const made = await sql<{ accountId: string }>`
    with made as (
      insert into workspace (id, name) select ${firstWorkspaceId}, 'Workspace'
        where not exists (select from account) on conflict (id) do nothing returning id
    ), owner as (
      insert into account (id, email, name, email_verified_at)
        select ${randomUUID()}, 'owner@localhost', 'Owner', now() from made returning id
    ), membership as (
      insert into workspace_member (workspace_id, account_id, role) select made.id, owner.id, 'owner'
        from made, owner
    ), given as (
      insert into token (id, kind, hash, note, account_id) select ${newId('patoken')}, 'pat',
        ${sha256(token)}, ${firstTokenNote}, id from owner
    ), begun as (
      insert into first_start (workspace_id) select id from made
    )
    select id as "accountId" from owner
  `.execute(db)
  const first = made.rows[0]
  if (first) return { workspaceId: firstWorkspaceId, accountId: first.accountId, token }
  const wasMade = await db
    .selectFrom('token')
    .select('id')
    .where('hash', '=', sha256(token))
    .executeTakeFirst()
  return {
    workspaceId: firstWorkspaceId,
    accountId: await findFirst(db),
    token: wasMade ? token : null,
  }
}

/**
 * Returns an empty string if the first workspace was deleted: people with an account can create
 * others.
 */
async function findFirst(db: Db): Promise<string> {
  const owner = await db
    .selectFrom('workspace_member')
    .select('account_id')
    .where('workspace_id', '=', firstWorkspaceId)
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst()
  return owner?.account_id ?? ''
}

/**
 * Creates the first workspace and its owner with this token. If an interrupted start has created them,
 * and the file with its token is lost, the owner gets the token in addition.
 */
async function createFirstOwner(db: Db, token: string) {
  const owner = await bootstrap(db, token)
  if (!owner.token) await storeFirstToken(db, owner.accountId, token)
  return owner
}

async function storeFirstToken(db: Db, accountId: string, token: string): Promise<void> {
  const id = newId('patoken')
  await db
    .insertInto('token')
    .values({
      id,
      kind: 'pat',
      hash: sha256(token),
      note: firstTokenNote,
      account_id: accountId,
    })
    .execute()
}

/**
 * Returns whether the first start has done its last step. Installations of earlier versions and
 * imported workspaces have no row.
 */
export async function isFirstStartComplete(db: Db): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select coalesce((select completed_at is not null from first_start),
      exists (select from account) or exists (select from workspace where id = ${firstWorkspaceId})
    ) as complete`.execute(db)
  return rows[0]!.complete
}

async function complete(db: Db): Promise<void> {
  await sql`update first_start set completed_at = now() where completed_at is null`.execute(
    db,
  )
}

/** The steps of the first start, in their order. */
export const openFirstStart = (db: Db) => ({
  isComplete: () => isFirstStartComplete(db),
  /** `stored` is of an interrupted first start, or of another installation, or edited. */
  toToken: (stored: string | null | undefined) =>
    stored && tokenKind(stored) === 'pat' ? stored : createTokenValue('pat'),
  createOwner: (token: string) => createFirstOwner(db, token),
  complete: () => complete(db),
})
