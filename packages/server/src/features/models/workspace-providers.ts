// Owns the table model_provider: providers of models that workspaces configure by API. Keys are
// encrypted, and leave the server only to their provider.
import { ApiError } from '@botstead/contract'
import { apiKeyForm, isApiKey, openCache } from '@botstead/lib'
import { sql } from 'kysely'
import { type Db, toJson } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import {
  type Catalog,
  defaultConcurrency,
  defaultTimeoutSeconds,
  type Model,
  type ModelEntry,
  type ProviderSettings,
  type ProviderType,
  toModel,
} from './providers/catalog.ts'

export interface ProviderRow {
  name: string
  type: ProviderType
  url: string | null
  key: Buffer | null
  models: Record<string, ModelEntry>
  updated_at: Date
}

interface WorkspaceCatalogs {
  /** Returns the operator's catalog with the models of the workspace. */
  of(workspaceId: string): Promise<Catalog>
  invalidate(workspaceId: string | null): void
}

/** A change by another server takes effect after this time, if its notification was lost. */
const knownMs = 30_000

export function openWorkspaceCatalogs(
  db: Db,
  secrets: Secrets,
  getOperators: () => Catalog,
): WorkspaceCatalogs {
  const load = async (workspaceId: string) => {
    const operators = getOperators()
    const rows = await listProviders(db, workspaceId)
    if (rows.length === 0) return operators
    const models = await Promise.all(
      rows.map((row) => toModels(secrets, workspaceId, row)),
    )
    // The operator's models take precedence, so that a workspace cannot replace one.
    return {
      ...operators,
      models: new Map([
        ...operators.models,
        ...models
          .flat()
          .flatMap((one) => (operators.models.has(one.id) ? [] : [[one.id, one]])),
      ] as [string, Model][]),
    }
  }
  const known = openCache(load, { size: 10_000, ttlMs: knownMs })
  return {
    of: async (workspaceId) => known.peek(workspaceId) ?? (await known.get(workspaceId)),
    invalidate(workspaceId) {
      if (workspaceId === null) known.clear()
      else known.invalidate((key) => key === workspaceId)
    },
  }
}

async function toModels(
  secrets: Secrets,
  workspaceId: string,
  { name, type, url, key, models }: ProviderRow,
): Promise<Model[]> {
  const provider: ProviderSettings = {
    name,
    type,
    url,
    workspaceId,
    concurrency: defaultConcurrency,
    key: key && (await secrets.open(key, toLocation(workspaceId, name))),
    timeoutMs: defaultTimeoutSeconds * 1_000,
  }
  return Object.entries(models).map(([model, entry]) =>
    toModel(`${name}:${model}`, provider, entry),
  )
}

const toLocation = (workspaceId: string, name: string) =>
  `model_provider.key/${workspaceId}/${name}`

export async function listProviders(db: Db, workspaceId: string): Promise<ProviderRow[]> {
  const rows = await db
    .selectFrom('model_provider')
    .select(['name', 'type', 'url', 'key', 'models', 'updated_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .execute()
  return rows as ProviderRow[]
}

const maxProviders = 50
const form = /^[a-z0-9][a-z0-9-]{0,63}$/

interface ProviderChange extends Pick<ProviderRow, 'name' | 'type' | 'url' | 'models'> {
  /** Undefined keeps the present key. */
  key: string | null | undefined
}

/** Throws InvalidPayload and LimitExceeded. */
export async function setProvider(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  { name, type, url, key, models }: ProviderChange,
): Promise<ProviderRow> {
  if (!form.test(name))
    throw new ApiError(
      'InvalidPayload',
      '`name` must consist of small letters, digits and hyphens, at most 64',
    )
  if (type === 'openai-compatible' && url === null)
    throw new ApiError('InvalidPayload', '`url` is missing')
  if (key && !isApiKey(key))
    throw new ApiError('InvalidPayload', `\`key\` must ${apiKeyForm}`)
  const others = (await listProviders(db, workspaceId)).filter((row) => row.name !== name)
  if (others.length >= maxProviders)
    throw new ApiError(
      'LimitExceeded',
      `A workspace may have at most ${maxProviders} providers`,
    )
  const sealed = key
    ? await secrets.seal(workspaceId, key, toLocation(workspaceId, name))
    : null
  // A key must not follow its provider to another address.
  const { rows } = await sql<ProviderRow>`
    insert into model_provider as p (workspace_id, name, type, url, key, concurrency, timeout_ms, models)
    values (${workspaceId}, ${name}, ${type}, ${url}, ${sealed}, ${defaultConcurrency},
      ${defaultTimeoutSeconds * 1_000}, ${toJson(models)})
    on conflict (workspace_id, name) do update set type = excluded.type, url = excluded.url,
      models = excluded.models, updated_at = now(),
      key = case when ${key === undefined} and p.url is not distinct from excluded.url
        and p.type = excluded.type then p.key else excluded.key end
    returning name, type, url, key, models, updated_at`.execute(db)
  return rows[0]!
}

/** Throws ResourceNotFound. */
export async function deleteProvider(
  db: Db,
  workspaceId: string,
  name: string,
): Promise<void> {
  const { rows } = await sql`
    delete from model_provider where workspace_id = ${workspaceId} and name = ${name} returning 1`.execute(
    db,
  )
  if (rows.length === 0)
    throw new ApiError('ResourceNotFound', `Provider "${name}" was not found`)
}
