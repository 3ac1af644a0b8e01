// How much of what is used. What happens is summed up by month (counts.ts); what is there is counted in the tables where it lies, as they are now: of
// files, bots, members and integrations this only reads how many there are.
import { ApiError, type UsageType } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { type CountScope, countedTypes, sumByBot } from './counts.ts'

/** The first moment of a month, UTC. */
export type Month = Date

/** Undefined is this month. Throws InvalidQuery. */
export function monthOf(period: string | undefined): Month {
  const at = period === undefined ? new Date() : new Date(period)
  if (Number.isNaN(at.getTime())) throw new ApiError('InvalidQuery', `"${period}" is no month: write it as 2026-11, or as any moment of it`)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
}

export const isCounted = (type: UsageType) => (countedTypes as readonly string[]).includes(type)

const itsFiles = sql`from file f where f.bot_id = b.id and (f.expires_at is null or f.expires_at > now())`

/** Of one bot, `b`. */
const ofBot: Partial<Record<UsageType, RawBuilder<number>>> = {
  bot_count: sql`1`,
  always_alive: sql`b.always_alive::int`,
  storage_count: sql`(select coalesce(sum(f.size), 0) ${itsFiles})`,
  file_max_size_bytes: sql`(select coalesce(max(f.size), 0) ${itsFiles})`,
  indexed_file_count: sql`(select count(*) ${itsFiles} and f.status = 'indexing_completed')`,
  knowledgebase_vector_storage: sql`(select coalesce(sum(i.bytes), 0) from file_index i where i.bot_id = b.id)`,
  invocation_timeout: sql`b.max_execution_seconds`,
}

const ofWorkspace: Partial<Record<UsageType, (workspaceId: string) => RawBuilder<{ value: number }>>> = {
  workspace_member_count: (id) => sql`select count(*)::float8 as value from workspace_member where workspace_id = ${id}`,
  integrations_owned_count: (id) => sql`select count(distinct name)::float8 as value from integration where workspace_id = ${id} and not dev`,
}

/** Of these the greatest counts, of all others the sum. */
const ceilings: UsageType[] = ['invocation_timeout', 'file_max_size_bytes']

type Scope = CountScope & { type: UsageType }

/** By bot, the greatest first; those without any are left out. Throws InvalidQuery for another month than this one of what is counted as it is. */
export async function usageByBot(db: Db, scope: Scope, month: Month): Promise<{ botId: string; value: number }[]> {
  const values = isCounted(scope.type) ? await sumByBot(db, scope, month) : await presentByBot(db, scope, month)
  return [...values].map(([botId, value]) => ({ botId, value })).sort((a, b) => b.value - a.value)
}

async function presentByBot(db: Db, { workspaceId, botId, type }: Scope, month: Month): Promise<Map<string, number>> {
  if (month.getTime() !== monthOf(undefined).getTime())
    throw new ApiError('InvalidQuery', `Of ${type} it is known how much there is now, not how much there was`)
  const value = ofBot[type]
  if (!value) return new Map()
  const { rows } = await sql<{ id: string; value: number }>`
    select id, value from (
      select b.id, (${value})::float8 as value from bot b where b.workspace_id = ${workspaceId} and (${botId}::text is null or b.id = ${botId})
    ) counted where value > 0`.execute(db)
  return new Map(rows.map((row) => [row.id, row.value]))
}

/** Throws InvalidQuery, as `usageByBot` does. */
export async function usageOf(db: Db, scope: Scope, month: Month): Promise<number> {
  const { workspaceId, botId, type } = scope
  const whole = botId === null && ofWorkspace[type]
  if (whole) return (await whole(workspaceId).execute(db)).rows[0]?.value ?? 0
  const all = (await usageByBot(db, scope, month)).map(({ value }) => value)
  return ceilings.includes(type) ? Math.max(0, ...all) : all.reduce((sum, value) => sum + value, 0)
}
