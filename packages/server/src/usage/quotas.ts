// How much there may be of what is used: the limits of the platform, under the names that the Admin API has for them.
import { ApiError, type UsageType } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Limits } from '../limits.ts'
import { monthOf, usageOf } from './usages.ts'

const limitOf: Partial<Record<UsageType, keyof Limits>> = {
  bot_count: 'botsPerWorkspace',
  workspace_member_count: 'membersPerWorkspace',
  integrations_owned_count: 'integrationsPerWorkspace',
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
export async function refuseMore(db: Db, limits: Limits, workspaceId: string, type: 'bot_count' | 'workspace_member_count' | 'integrations_owned_count') {
  const quota = quotaOf(limits, type)
  if (quota === anyNumber) return
  await holdWorkspace(db, workspaceId)
  const used = await usageOf(db, { workspaceId, botId: null, type }, monthOf(undefined))
  if (used >= quota) throw new ApiError('QuotaExceeded', `The workspace has ${used} of the ${quota} that it may have (${type})`)
}

/** The same; of an integration that the workspace has, another version is no more. */
export async function refuseMoreIntegrations(db: Db, limits: Limits, workspaceId: string, name: string) {
  if (quotaOf(limits, 'integrations_owned_count') === anyNumber) return
  await holdWorkspace(db, workspaceId)
  const known = await sql`select from integration where workspace_id = ${workspaceId} and name = ${name} and not dev limit 1`.execute(db)
  if (known.rows.length === 0) await refuseMore(db, limits, workspaceId, 'integrations_owned_count')
}

/** Names of it may be referred to meanwhile. */
const holdWorkspace = (db: Db, workspaceId: string) => sql`select from workspace where id = ${workspaceId} for no key update`.execute(db)
