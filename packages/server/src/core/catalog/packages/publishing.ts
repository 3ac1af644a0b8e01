// Writes versions of interfaces and plugins: names, numbers, icons, readmes and deletion. Their
// modules handle the definitions.

import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Limits, limitRules } from '../../config/index.ts'
import { type Db, isConflict, toJson } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { keepAsset, readAsset, removeAssets } from './assets.ts'
import { findPackage, type HeadedTable, type Package } from './heads.ts'
import { changeLine, claimLine, dropEmptyLine } from './lines.ts'
import { checkName, claimHubName } from './names.ts'
import { checkPackageVersion, toRank, type Visibility } from './versions.ts'

/** Fields that can change at any time; absent fields stay. `icon` and `readme` are base64. */
interface PackagePresentation {
  title?: string
  description?: string
  sdkVersion?: string
  icon?: string
  readme?: string
}
interface Publication extends PackagePresentation {
  name: string
  version: string
  visibility: Visibility
  definition: object
}

export const noPackage = (table: HeadedTable, id: string) =>
  new ApiError('ResourceNotFound', `The ${table} "${id}" was not found`)

/**
 * Requires a transaction. Returns the id. Throws InvalidIdentifier, InvalidPayload, Forbidden for a
 * name of another workspace, AlreadyExists, LimitExceeded.
 */
export async function publishPackage(
  db: Db,
  limits: Limits,
  table: HeadedTable,
  workspaceId: string,
  input: Publication,
): Promise<string> {
  const { name, version, visibility } = input
  await checkName(db, workspaceId, name)
  checkPackageVersion(version)
  await claimHubName(db, table, workspaceId, name, visibility)
  const line = await claimLine(db, table, workspaceId, name)
  const versions = await db
    .selectFrom(table)
    .select('id')
    .where('line_id', '=', line.id)
    .execute()
  limitRules.rejectTooMany(limits, 'versionsPerPackage', 'versions', [
    ...versions,
    version,
  ])
  await dressLine(db, workspaceId, line, input.icon)
  const id = newId(table)
  const inserted = db.insertInto(table).values({
    id,
    workspace_id: workspaceId,
    line_id: line.id,
    name,
    version,
    rank: toRank(version),
    visibility,
    ...(await columns(db, workspaceId, input)),
    definition: toJson(input.definition),
  })
  await inserted.execute().catch((error) => {
    throw isConflict(error)
      ? new ApiError(
          'AlreadyExists',
          `Version ${version} of the ${table} "${name}" already exists`,
        )
      : error
  })
  return id
}

/** Requires a transaction that has locked the row. */
export async function changePackage(
  db: Db,
  table: HeadedTable,
  {
    id,
    workspace_id: workspaceId,
    name,
    visibility,
    readme_id: readme,
  }: Package<unknown>,
  input: PackagePresentation & { visibility: Visibility; definition: object },
  isUsedElsewhere: (db: Db) => Promise<boolean>,
): Promise<void> {
  if (
    visibility !== 'private' &&
    input.visibility === 'private' &&
    (await isUsedElsewhere(db))
  )
    throw new ApiError(
      'ReferenceConstraint',
      'Other workspaces use this version: it cannot become private',
    )
  await claimHubName(db, table, workspaceId, name, input.visibility)
  await dressLine(
    db,
    workspaceId,
    await claimLine(db, table, workspaceId, name),
    input.icon,
  )
  await db
    .updateTable(table)
    .set({
      ...(await columns(db, workspaceId, input)),
      visibility: input.visibility,
      definition: toJson(input.definition),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
  if (input.readme !== undefined) await removeAssets(db, [readme])
}

/**
 * Locks the row until the end of the transaction; with `goes` (before a deletion), also against new
 * references. Throws ResourceNotFound.
 */
export async function lockPackage<D>(
  db: Db,
  table: HeadedTable,
  workspaceId: string,
  id: string,
  goes = false,
): Promise<Package<D>> {
  const lock = sql.raw(goes ? 'for update' : 'for no key update')
  await sql`select from ${sql.table(table)} where id = ${id} and workspace_id = ${workspaceId}
    ${lock}`.execute(db)
  const found = await findPackage<D>(db, table, { workspaceId }, id)
  if (!found) throw noPackage(table, id)
  return found
}

/** Requires a transaction. Throws ResourceNotFound, ReferenceConstraint for a version in use. */
export async function deletePackage(
  db: Db,
  table: HeadedTable,
  workspaceId: string,
  id: string,
  isUsed: (db: Db) => Promise<boolean>,
): Promise<void> {
  const {
    name,
    version,
    readme_id: readme,
  } = await lockPackage(db, table, workspaceId, id, true)
  if (await isUsed(db))
    throw new ApiError(
      'ReferenceConstraint',
      `The ${table} "${name}" ${version} is in use`,
    )
  const { line_id: line } = await db
    .deleteFrom(table)
    .where('id', '=', id)
    .returning('line_id')
    .executeTakeFirstOrThrow()
  await removeAssets(db, [readme, await dropEmptyLine(db, table, line)])
}

/** All versions share an icon. */
async function dressLine(
  db: Db,
  workspaceId: string,
  line: { id: string; icon_id: string | null; secrets: Record<string, string> },
  icon: string | undefined,
) {
  if (icon === undefined) return
  await changeLine(db, line.id, {
    iconId: await keepAsset(db, workspaceId, readAsset('icon', icon)),
    secrets: line.secrets,
  })
  await removeAssets(db, [line.icon_id])
}

async function columns(
  db: Db,
  workspaceId: string,
  { title, description, sdkVersion, readme }: PackagePresentation,
) {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(sdkVersion !== undefined && { sdk_version: sdkVersion }),
    ...(readme !== undefined && {
      readme_id: await keepAsset(db, workspaceId, readAsset('readme', readme)),
    }),
  }
}
