// Ownership of package names. A workspace names its packages `<its handle>/<name>`; the first
// workspace, which is the server owner's, needs no handle. In the hub, a name belongs to one
// workspace, even after a handle changes hands.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { firstWorkspaceId } from '../../accounts/index.ts'
import type { Db } from '../../db/index.ts'
import type { PackageTable, Visibility } from './versions.ts'

const shape = /^(?:([a-z0-9][a-z0-9_-]*)\/)?[A-Za-z0-9][A-Za-z0-9_.-]*$/

/**
 * Throws InvalidIdentifier for an invalid name, Forbidden for a name that is reserved for another
 * workspace.
 */
export async function checkName(
  db: Db,
  workspaceId: string,
  name: string,
): Promise<void> {
  const match = shape.exec(name)
  if (!match)
    throw new ApiError(
      'InvalidIdentifier',
      `The name "${name.slice(0, 200)}" must be "<handle of the workspace>/<name>"; the name begins ` +
        'with a letter or digit, and has only letters, digits, dots, hyphens and underscores',
    )
  const [, handle] = match
  if (handle === undefined && workspaceId === firstWorkspaceId) return
  const workspace = await db
    .selectFrom('workspace')
    .select('handle')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (workspace?.handle && workspace.handle === handle) return
  const advice = workspace?.handle
    ? `begin with "${workspace.handle}/"`
    : 'begin with the handle of this workspace and a slash: set a handle first, this workspace has none'
  throw new ApiError('Forbidden', `The name must ${advice}`)
}

/**
 * Requires the publishing transaction. Throws AlreadyExists when another workspace has the name in
 * the hub.
 */
export async function claimHubName(
  db: Db,
  table: PackageTable,
  workspaceId: string,
  name: string,
  visibility: Visibility,
): Promise<void> {
  if (visibility === 'private') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hub ${table} ${name}`}, 0))`.execute(
    db,
  )
  await rejectTakenHubName(db, table, workspaceId, name, visibility)
}

/** Checks the name without claiming it. */
export async function rejectTakenHubName(
  db: Db,
  table: PackageTable,
  workspaceId: string,
  name: string,
  visibility: Visibility,
): Promise<void> {
  if (visibility === 'private') return
  const { rows } = await sql`
    select from ${sql.table(table)} where name = ${name} and visibility <> 'private'
      and workspace_id is distinct from ${workspaceId} limit 1`.execute(db)
  if (rows.length)
    throw new ApiError(
      'AlreadyExists',
      `The hub already has a package "${name}" of another workspace`,
    )
}
