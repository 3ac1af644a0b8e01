// Owns the table integration: versions of integrations, each of one workspace or, without a
// workspace, built into the server. integration-draft.ts validates them, integration-listings.ts
// lists them, packages/lines.ts has the data that all versions of a name share.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { tokenStore } from '../../accounts/index.ts'
import { type Db, isConflict, isMissing } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { keepAsset, removeAssets } from '../packages/assets.ts'
import {
  changeLine,
  claimLine,
  dropEmptyLine,
  type PackageLine,
} from '../packages/lines.ts'
import { claimHubName } from '../packages/names.ts'
import { findVersionId, reachable, type Scope } from '../packages/versions.ts'
import { lockInterfaces } from './implementations.ts'
import { deployIntegrationCode } from './integration-code.ts'
import {
  type Draft,
  type DraftDeps,
  draftCreation,
  draftUpdate,
  type IntegrationChange,
  type NewIntegration,
  rejectTakenVersion,
  versionTaken,
} from './integration-draft.ts'
import type { Integration } from './integration-row.ts'
import { createIntegrationSigningSecret, sealSecrets } from './integration-secrets.ts'

/** An integration with the data of its line. */
export type FoundIntegration = Integration & {
  iconId: string | null
  secretNames: string[]
}

export const noIntegration = (id: string) =>
  new ApiError('ResourceNotFound', `Integration "${id}" was not found`)

/** `signingSecret` is returned only here. */
export async function createIntegration(
  means: DraftDeps,
  workspaceId: string,
  input: NewIntegration,
  loadError: string | null = null,
): Promise<{ row: FoundIntegration; signingSecret: string }> {
  const { rank, ...draft } = await draftCreation(means, workspaceId, input)
  const id = newId('integration')
  const { plain, sealed } = await createIntegrationSigningSecret(
    means.secrets,
    workspaceId,
    id,
  )
  const made = means.db.transaction().execute(async (trx) => {
    await lockInterfaces(trx, workspaceId, draft.columns.interface_ids)
    await claimHubName(
      trx,
      'integration',
      workspaceId,
      input.name,
      draft.columns.visibility,
    )
    const line = await claimLine(
      trx,
      'integration',
      workspaceId,
      input.dev ? null : input.name,
    )
    // The lock on the line serialises the creation of versions, so that they can be counted.
    if (!input.dev) await rejectTakenVersion(trx, means.limits, workspaceId, input)
    const readmeId = await keepAsset(trx, workspaceId, draft.readme ?? null)
    await trx
      .insertInto('integration')
      .values({
        id,
        workspace_id: workspaceId,
        name: input.name,
        version: input.version,
        dev: input.dev ?? false,
        rank,
        line_id: line.id,
        readme_id: readmeId,
        signing_secret: sealed,
        ...draft.columns,
      })
      .execute()
    await keepShared(means, trx, line, draft, input)
    if (input.code) await deployIntegrationCode(trx, id, input.code, loadError)
    return findIntegration(trx, { workspaceId }, id)
  })
  const row = await made.catch((error) => {
    throw isConflict(error) ? versionTaken(input) : error
  })
  return { row, signingSecret: plain }
}

/** Performs the checks of createIntegration. */
export async function validateCreation(
  means: DraftDeps,
  workspaceId: string,
  input: NewIntegration,
): Promise<void> {
  await draftCreation(means, workspaceId, input)
}

/**
 * Locks the row until the end, so that of two concurrent updates neither loses the other's keys.
 */
export async function updateIntegration(
  means: DraftDeps,
  workspaceId: string,
  id: string,
  change: IntegrationChange,
  {
    loadError = null,
    ...rules
  }: { bypass: boolean; replaces?: boolean; loadError?: string | null | undefined },
): Promise<FoundIntegration> {
  return means.db.transaction().execute(async (trx) => {
    const now = await own(trx, workspaceId, id, true)
    const draft = await draftUpdate({ ...means, db: trx }, now, change, rules)
    await claimHubName(
      trx,
      'integration',
      workspaceId,
      now.name,
      draft.columns.visibility,
    )
    const line = await takeLine(trx, now)
    const readmeId =
      draft.readme === undefined
        ? now.readme_id
        : await keepAsset(trx, workspaceId, draft.readme)
    await trx
      .updateTable('integration')
      .set({
        ...draft.columns,
        line_id: line.id,
        readme_id: readmeId,
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .execute()
    await keepShared(means, trx, line, draft, change)
    if (change.code !== undefined)
      await deployIntegrationCode(trx, id, change.code, loadError)
    if (draft.readme !== undefined) await removeAssets(trx, [now.readme_id])
    return findIntegration(trx, { workspaceId }, id)
  })
}

/** Performs the checks of updateIntegration. */
export async function validateUpdate(
  means: DraftDeps,
  workspaceId: string,
  id: string,
  change: IntegrationChange,
  bypass: boolean,
): Promise<void> {
  await draftUpdate(means, await own(means.db, workspaceId, id), change, { bypass })
}

/**
 * Returns the hashes of its keys, for `Services.forget`. Throws ReferenceConstraint while a bot has
 * installed it.
 */
export async function deleteIntegration(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string[]> {
  const deleted = db.transaction().execute(async (trx) => {
    const { line_id, readme_id } = await own(trx, workspaceId, id, true)
    const hashes = await tokenStore.listHashes(trx, { kind: 'iak', integrationId: id })
    await trx.deleteFrom('integration').where('id', '=', id).execute()
    await removeAssets(trx, [
      readme_id,
      line_id && (await dropEmptyLine(trx, 'integration', line_id)),
    ])
    return hashes
  })
  return deleted.catch((error) => {
    throw isMissing(error)
      ? new ApiError(
          'ReferenceConstraint',
          'This version is installed in bots, or plugins depend on it',
        )
      : error
  })
}

/** Throws ResourceNotFound. */
export async function requireIntegration(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<void> {
  if (!(await isOwnIntegration(db, workspaceId, id))) throw noIntegration(id)
}

/** Returns whether the integration belongs to the workspace. */
export async function isOwnIntegration(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('integration')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Throws ResourceNotFound for an integration that does not exist or is not visible in this scope.
 */
export async function findIntegration(
  db: Db,
  scope: Scope,
  id: string,
): Promise<FoundIntegration> {
  const { rows } = await sql<FoundIntegration>`
    select p.*, line.icon_id as "iconId", array(select jsonb_object_keys(line.secrets)
      order by 1) as "secretNames"
    from integration p left join package_line line on line.id = p.line_id
    where p.id = ${id} and ${reachable(scope)} and (${scope !== 'hub'} or not p.dev)`.execute(
    db,
  )
  if (!rows[0]) throw noIntegration(id)
  return rows[0]
}

/** `version` is a number, a range, or `latest`. Throws ResourceNotFound. */
export async function findIntegrationByName(
  db: Db,
  scope: Scope,
  name: string,
  version: string,
): Promise<FoundIntegration> {
  const id = await findVersionId(db, 'integration', scope, name, version)
  if (!id) throw noIntegration(`${name}@${version}`)
  return findIntegration(db, scope, id)
}

async function own(
  db: Db,
  workspaceId: string,
  id: string,
  lock = false,
): Promise<Integration> {
  const query = db
    .selectFrom('integration')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
  const found = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  if (!found) throw noIntegration(id)
  return found as unknown as Integration
}

/** Rows from before the table of lines have no line yet. */
async function takeLine(
  db: Db,
  { line_id, workspace_id, name, dev }: Integration,
): Promise<PackageLine> {
  if (!line_id || !dev)
    return claimLine(db, 'integration', workspace_id!, dev ? null : name)
  return db
    .selectFrom('package_line')
    .selectAll()
    .where('id', '=', line_id)
    .executeTakeFirstOrThrow()
}

/** Stores the line's icon and secrets if the request contains them. */
async function keepShared(
  { secrets, limits }: DraftDeps,
  db: Db,
  line: PackageLine,
  { icon }: Draft,
  { secrets: change }: IntegrationChange,
): Promise<void> {
  if (icon === undefined && !change) return
  const iconId =
    icon === undefined ? line.icon_id : await keepAsset(db, line.workspace_id, icon)
  const now = { id: line.id, workspaceId: line.workspace_id, secrets: line.secrets }
  await changeLine(db, line.id, {
    iconId,
    secrets: change ? await sealSecrets(secrets, limits, now, change) : line.secrets,
  })
  if (icon !== undefined) await removeAssets(db, [line.icon_id])
}
