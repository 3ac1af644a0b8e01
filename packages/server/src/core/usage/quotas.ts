// Enforces the platform's limits, under their names in the Admin API.
import { ApiError, type UsageType } from '@botstead/contract'
import { sql } from 'kysely'
import { botStore } from '../bots/index.ts'
import type { Limits } from '../config/index.ts'
import type { Database, Db } from '../db/index.ts'
import { findUsage, parseMonth } from './usages.ts'

const limitByType: Partial<Record<UsageType, keyof Limits>> = {
  bot_count: 'botsPerWorkspace',
  workspace_member_count: 'membersPerWorkspace',
  integrations_owned_count: 'integrationsPerWorkspace',
  table_row_count: 'tableRowsPerWorkspace',
  storage_count: 'storageBytesPerWorkspace',
  invocation_timeout: 'invocationSeconds',
  file_max_size_bytes: 'fileBytes',
  workspace_ratelimit: 'requestsPerSecond',
}

/** Stands for no limit: JSON has no infinity. */
export const unlimited = Number.MAX_SAFE_INTEGER

export function getQuota(limits: Limits, type: UsageType): number {
  const name = limitByType[type]
  return name ? Math.min(limits[name], unlimited) : unlimited
}

/**
 * Checks the quota for one more item. Call it within the transaction that creates the item: it
 * serialises creations in the workspace. Throws QuotaExceeded.
 */
async function rejectOverQuota(
  db: Db,
  limits: Limits,
  workspaceId: string,
  type: 'bot_count' | 'workspace_member_count' | 'integrations_owned_count',
) {
  const quota = getQuota(limits, type)
  if (quota === unlimited) return
  await holdWorkspace(db, workspaceId)
  const used = await findUsage(
    db,
    { workspaceId, botId: null, type },
    parseMonth(undefined),
  )
  if (used >= quota)
    throw new ApiError(
      'QuotaExceeded',
      `The workspace has reached its quota of ${type}: ${used} of ${quota} used`,
    )
}

/** Checks the quota of integrations; another version of an existing integration does not count. */
async function rejectIntegrationsOverQuota(
  db: Db,
  limits: Limits,
  workspaceId: string,
  name: string,
) {
  if (getQuota(limits, 'integrations_owned_count') === unlimited) return
  await holdWorkspace(db, workspaceId)
  const known =
    await sql`select from integration where workspace_id = ${workspaceId} and name = ${name} and not dev
      limit 1`.execute(db)
  if (known.rows.length === 0)
    await rejectOverQuota(db, limits, workspaceId, 'integrations_owned_count')
}

/**
 * Runs work that adds to the stored data of a bot's workspace, in one transaction, and serialises
 * it with other additions. Changes that do not add data are allowed above the quota. Without a
 * quota there is no extra cost, and no transaction unless `work` opens one. `toCome` is an admitted
 * amount that is not stored yet. Throws QuotaExceeded.
 */
async function withinQuota<T>(
  { database, limits }: { database: Database; limits: Limits },
  { botId, type }: { botId: string; type: 'table_row_count' | 'storage_count' },
  work: (inside: Database) => Promise<T>,
  toCome: (done: T) => number = () => 0,
): Promise<T> {
  const quota = getQuota(limits, type)
  if (quota === unlimited) return work(database)
  return database.inTransaction(async (inside) => {
    const workspaceId = (await botStore.findWorkspace(inside.db, botId)) ?? ''
    await holdWorkspace(inside.db, workspaceId)
    const count = () =>
      findUsage(inside.db, { workspaceId, botId: null, type }, parseMonth(undefined))
    const before = await count()
    const done = await work(inside)
    const after = (await count()) + toCome(done)
    if (after > quota && after > before)
      throw new ApiError(
        'QuotaExceeded',
        `The request would exceed the workspace's quota of ${type}: ${after} of ${quota}`,
      )
    return done
  })
}

/** A lock that still permits references to the workspace. */
const holdWorkspace = (db: Db, workspaceId: string) =>
  sql`select from workspace where id = ${workspaceId} for no key update`.execute(db)

/** Quotas of workspaces. */
export const quotas = {
  rejectIntegrations: rejectIntegrationsOverQuota,
  reject: rejectOverQuota,
  within: withinQuota,
}
