// How much there may be of what is used: the limits of the platform, under the names that the Admin API has for them.
import { ApiError, type UsageType } from '@botstead/contract'
import { sql } from 'kysely'
import { findBotWorkspace } from '../bots/bots.ts'
import type { Database, Db } from '../db/open.ts'
import type { Limits } from '../limits.ts'
import { monthOf, usageOf } from './usages.ts'

const limitOf: Partial<Record<UsageType, keyof Limits>> = {
  bot_count: 'botsPerWorkspace',
  workspace_member_count: 'membersPerWorkspace',
  integrations_owned_count: 'integrationsPerWorkspace',
  table_row_count: 'tableRowsPerWorkspace',
  storage_count: 'storageBytesPerWorkspace',
  invocation_timeout: 'invocationSeconds',
  file_max_size_bytes: 'fileBytes',
  workspace_ratelimit: 'requestsPerSecond',
}

/** JSON has no infinity. */
export const anyNumber = Number.MAX_SAFE_INTEGER

export function quotaOf(limits: Limits, type: UsageType): number {
  const name = limitOf[type]
  return name ? Math.min(limits[name], anyNumber) : anyNumber
}

/**
 * Within the transaction that makes one more: who makes another in this workspace meanwhile waits for its end. Throws QuotaExceeded when there is
 * no room.
 */
export async function refuseMore(
  db: Db,
  limits: Limits,
  workspaceId: string,
  type: 'bot_count' | 'workspace_member_count' | 'integrations_owned_count',
) {
  const quota = quotaOf(limits, type)
  if (quota === anyNumber) return
  await holdWorkspace(db, workspaceId)
  const used = await usageOf(db, { workspaceId, botId: null, type }, monthOf(undefined))
  if (used >= quota)
    throw new ApiError(
      'QuotaExceeded',
      `The workspace has reached its quota of ${type}: ${used} of ${quota} used`,
    )
}

/** The same; of an integration that the workspace has, another version is no more. */
export async function refuseMoreIntegrations(db: Db, limits: Limits, workspaceId: string, name: string) {
  if (quotaOf(limits, 'integrations_owned_count') === anyNumber) return
  await holdWorkspace(db, workspaceId)
  const known =
    await sql`select from integration where workspace_id = ${workspaceId} and name = ${name} and not dev limit 1`.execute(
      db,
    )
  if (known.rows.length === 0) await refuseMore(db, limits, workspaceId, 'integrations_owned_count')
}

/**
 * Does what may add to what the workspace of a bot stores, all or nothing: who adds to it as well meanwhile waits for its end. What is there already may be
 * changed, and become less, whatever the quota is. Without one, `work` costs what it costs alone, and is in a transaction only if it makes one.
 * `toCome` says how much is let in by it that is not there yet. Throws QuotaExceeded.
 */
export async function withinQuota<T>(
  { database, limits }: { database: Database; limits: Limits },
  { botId, type }: { botId: string; type: 'table_row_count' | 'storage_count' },
  work: (inside: Database) => Promise<T>,
  toCome: (done: T) => number = () => 0,
): Promise<T> {
  const quota = quotaOf(limits, type)
  if (quota === anyNumber) return work(database)
  return database.inOneTransaction(async (inside) => {
    const workspaceId = (await findBotWorkspace(inside.db, botId)) ?? ''
    await holdWorkspace(inside.db, workspaceId)
    const count = () => usageOf(inside.db, { workspaceId, botId: null, type }, monthOf(undefined))
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

/** Names of it may be referred to meanwhile. */
const holdWorkspace = (db: Db, workspaceId: string) =>
  sql`select from workspace where id = ${workspaceId} for no key update`.execute(db)
