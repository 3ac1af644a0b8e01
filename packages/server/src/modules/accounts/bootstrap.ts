// Creates the first account, workspace and token at the first start.
import { sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import { newId, newUuid } from '../../infra/lib/ids.ts'
import { sha256 } from '../../infra/lib/secrets.ts'
import { createTokenValue } from './token-format.ts'

/**
 * One of the ids for which the official command line uses package names without a workspace handle.
 */
export const firstWorkspaceId = '11111111-1111-1111-aaaa-111111111111'

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
        select ${newUuid()}, 'owner@localhost', 'Owner', now() from made returning id
    ), membership as (
      insert into workspace_member (workspace_id, account_id, role) select made.id, owner.id, 'owner'
        from made, owner
    ), given as (
      insert into token (id, kind, hash, note, account_id) select ${newId('patoken')}, 'pat',
        ${sha256(token)}, 'Created during setup, for the command line', id from owner
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
