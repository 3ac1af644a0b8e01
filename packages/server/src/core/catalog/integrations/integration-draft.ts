// Computes the row of an integration after creation or change, and checks all rules; writes
// nothing.

import { ApiError } from '@botstead/contract'
import { mergeKeys } from '@botstead/lib'
import { sql } from 'kysely'
import { type Limits, limitRules } from '../../config/index.ts'
import { type Db, toJson } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { type Asset, readAsset } from '../packages/assets.ts'
import { checkName, rejectTakenHubName } from '../packages/names.ts'
import {
  checkPackageVersion,
  olderVisibility,
  toRank,
  type Visibility,
} from '../packages/versions.ts'
import { rejectBreakingChanges } from './breaking-changes.ts'
import {
  emptyIntegrationDefinition,
  type IntegrationDefinitionChange,
  mergeIntegrationDefinition,
} from './definition.ts'
import { nameInterfaces } from './implementations.ts'
import type { Integration } from './integration-row.ts'
import {
  checkExecutionTime,
  checkIntegrationDefinition,
  checkIntegrationUrl,
} from './integration-rules.ts'
import { checkSecrets } from './integration-secrets.ts'

export interface DraftDeps {
  db: Db
  secrets: Secrets
  limits: Limits
}

/** Fields of updateIntegration. Absent fields stay; in maps, null removes. */
export interface IntegrationChange extends IntegrationDefinitionChange {
  title?: string
  description?: string
  /** Empty or null: the server hosts the integration. */
  url?: string | null
  code?: string
  icon?: string
  readme?: string
  secrets?: Record<string, string | null>
  attributes?: Record<string, string | null>
  sdkVersion?: string
  layers?: string[]
  public?: boolean
  visibility?: Visibility
  maxExecutionTime?: number
}
export interface NewIntegration extends IntegrationChange {
  name: string
  version: string
  dev?: boolean
}

/** Absent assets stay; null removes. */
export interface Draft {
  columns: ReturnType<typeof toColumns>
  icon?: Asset | null
  readme?: Asset | null
}

const nothing = {
  definition: emptyIntegrationDefinition,
  title: null,
  description: '',
  visibility: 'private' as Visibility,
  url: null,
  attributes: {},
  sdk_version: null,
  layers: [] as string[],
  max_execution_seconds: null,
  dev: false,
}
type Changing = Pick<Integration, keyof typeof nothing>

export async function draftCreation(
  means: DraftDeps,
  workspaceId: string,
  input: NewIntegration,
): Promise<Draft & { rank: string }> {
  const { db, limits } = means
  checkPackageVersion(input.version)
  if (!input.dev) {
    await checkName(db, workspaceId, input.name)
    await rejectTakenVersion(db, limits, workspaceId, input)
  }
  const draft = await draftChange(
    means,
    workspaceId,
    { ...nothing, dev: input.dev ?? false },
    input,
  )
  await rejectTakenHubName(
    db,
    'integration',
    workspaceId,
    input.name,
    draft.columns.visibility,
  )
  return { ...draft, rank: toRank(input.version) }
}

/** `bypass` allows breaking changes; `replaces` removes everything that the change lacks. */
export async function draftUpdate(
  means: DraftDeps,
  now: Integration,
  change: IntegrationChange,
  { bypass, replaces = false }: { bypass: boolean; replaces?: boolean | undefined },
): Promise<Draft> {
  const before = replaces ? { ...nothing, visibility: now.visibility, dev: now.dev } : now
  const draft = await draftChange(means, now.workspace_id!, before, change)
  const { visibility } = draft.columns
  if (now.visibility === 'public' && !bypass)
    rejectBreakingChanges(now.definition, JSON.parse(draft.columns.definition))
  if (now.workspace_id)
    await rejectTakenHubName(
      means.db,
      'integration',
      now.workspace_id,
      now.name,
      visibility,
    )
  if (now.visibility !== 'private' && visibility === 'private')
    await checkHiding(means.db, now)
  return draft
}

async function draftChange(
  { db, limits }: DraftDeps,
  workspaceId: string,
  now: Changing,
  change: IntegrationChange,
): Promise<Draft> {
  checkIntegrationUrl(change.url)
  checkExecutionTime(change.maxExecutionTime)
  if (change.secrets) checkSecrets(limits, change.secrets)
  const merged = mergeIntegrationDefinition(now.definition, change)
  await checkIntegrationDefinition(limits, workspaceId, merged)
  const definition = {
    ...merged,
    interfaces: await nameInterfaces(db, workspaceId, merged.interfaces),
  }
  const columns = toColumns(now, change, definition)
  if (now.dev && columns.visibility !== 'private')
    throw new ApiError(
      'InvalidPayload',
      'An integration under development must be private',
    )
  return {
    columns,
    ...(change.icon !== undefined && {
      icon: readAsset('icon', getSentContent(change.icon, now.dev)),
    }),
    ...(change.readme !== undefined && {
      readme: readAsset('readme', getSentContent(change.readme, now.dev)),
    }),
  }
}

/** `bp dev` sends file names instead of the contents. */
const getSentContent = (asset: string, dev: boolean) =>
  dev && asset.includes('.') ? '' : asset

const toColumns = (
  now: Changing,
  change: IntegrationChange,
  definition: Integration['definition'],
) => ({
  definition: toJson(definition),
  title: change.title ?? now.title,
  description: change.description ?? now.description,
  url: change.url === undefined ? now.url : change.url || null,
  visibility: change.visibility ?? olderVisibility(now.visibility, change.public),
  attributes: toJson(mergeKeys(now.attributes, change.attributes, (value) => value)),
  action_names: Object.keys(definition.actions),
  interface_ids: Object.values(definition.interfaces).map(({ id }) => id),
  interface_names: Object.values(definition.interfaces).map(({ name }) => name),
  sdk_version: change.sdkVersion ?? now.sdk_version,
  layers: change.layers ?? now.layers,
  max_execution_seconds: change.maxExecutionTime ?? now.max_execution_seconds,
})

export async function rejectTakenVersion(
  db: Db,
  limits: Limits,
  workspaceId: string,
  { name, version }: Pick<NewIntegration, 'name' | 'version'>,
) {
  const versions = await db
    .selectFrom('integration')
    .select('version')
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .where('dev', '=', false)
    .execute()
  if (versions.some((one) => one.version === version))
    throw versionTaken({ name, version })
  limitRules.rejectTooMany(limits, 'versionsPerPackage', 'versions', [
    ...versions,
    version,
  ])
}

export const versionTaken = ({
  name,
  version,
}: Pick<NewIntegration, 'name' | 'version'>) =>
  new ApiError(
    'AlreadyExists',
    `Version ${version} of the integration "${name}" already exists`,
  )

async function checkHiding(db: Db, { id, workspace_id }: Integration) {
  const { rows } = await sql`
    select from installation join bot on bot.id = bot_id where integration_id = ${id}
      and bot.workspace_id <> ${workspace_id} limit 1`.execute(db)
  if (rows.length)
    throw new ApiError(
      'ReferenceConstraint',
      'Bots of other workspaces have installed this version: it cannot become private',
    )
}
