// Computes usage. Events are summed up by month (counts.ts); stored data is counted in its current
// tables: files, tables, bots, members and integrations are only read here.
import { ApiError, parseMoment, type UsageType } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { type CountScope, countedTypes, countedValue, sumByBot } from './counts.ts'

/** The first moment of a month, UTC. */
export type Month = Date

const isMonth = /^\d{4}-\d\d$/

const parsePeriod = (period: string) =>
  parseMoment(isMonth.test(period) ? `${period}-01` : period)

/** Returns the current month for undefined. Throws InvalidQuery. */
export function parseMonth(period: string | undefined): Month {
  const at = period === undefined ? new Date() : parsePeriod(period)
  if (!at)
    throw new ApiError(
      'InvalidQuery',
      `\`period\` must be a month such as 2026-11 or a date-time in it, not "${period}"`,
    )
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
}

export const isCounted = (type: UsageType) =>
  (countedTypes as readonly string[]).includes(type)

const itsFiles = sql`from file f where f.bot_id = b.id and (f.expires_at is null or f.expires_at > now())`

/** SQL for one bot, `b`. */
const ofBot: Partial<Record<UsageType, RawBuilder<number>>> = {
  bot_count: sql`1`,
  always_alive: sql`b.always_alive::int`,
  storage_count: sql`(select coalesce(sum(f.size), 0) ${itsFiles})`,
  file_max_size_bytes: sql`(select coalesce(max(f.size), 0) ${itsFiles})`,
  indexed_file_count: sql`(select count(*) ${itsFiles} and f.status = 'indexing_completed')`,
  knowledgebase_vector_storage: sql`(select coalesce(sum(i.bytes), 0) from file_index i
    where i.bot_id = b.id)`,
  table_row_count: sql`(select coalesce(sum(c.row_count * t.factor), 0) from bot_table t
    join table_counter c using (bot_id, bot_table_id) where t.bot_id = b.id)`,
  invocation_timeout: sql`b.max_execution_seconds`,
}

/** SQL for the requested workspace. */
const ofWorkspace: Partial<Record<UsageType, RawBuilder<number>>> = {
  workspace_member_count: sql`((select count(*) from workspace_member where workspace_id = scope.workspace)
    + (select count(*) from pending_member where workspace_id = scope.workspace))`,
  integrations_owned_count: sql`(select count(distinct name) from integration
    where workspace_id = scope.workspace and not dev)`,
}

/** Types with a maximum instead of a sum. */
const maximumTypes: UsageType[] = ['invocation_timeout', 'file_max_size_bytes']

type Scope = CountScope & { type: UsageType }

/**
 * Returns usage by bot, the greatest first, without bots that have none. Throws InvalidQuery for a
 * past month of a type that has no history.
 */
export async function usageByBot(
  db: Db,
  scope: Scope,
  month: Month,
): Promise<{ botId: string; value: number }[]> {
  const values = isCounted(scope.type)
    ? await sumByBot(db, scope, month)
    : await presentByBot(db, scope, month)
  return [...values]
    .map(([botId, value]) => ({ botId, value }))
    .sort((a, b) => b.value - a.value || (a.botId < b.botId ? -1 : 1))
}

async function presentByBot(
  db: Db,
  { workspaceId, botId, type }: Scope,
  month: Month,
): Promise<Map<string, number>> {
  checkCurrentMonth(type, month)
  const value = ofBot[type]
  if (!value) return new Map()
  const { rows } = await sql<{ id: string; value: number }>`
    select id, value from (
      select b.id, (${value})::float8 as value from bot b where b.workspace_id = ${workspaceId}
        and (${botId}::text is null or b.id = ${botId})
    ) counted where value > 0`.execute(db)
  return new Map(rows.map((row) => [row.id, row.value]))
}

function checkCurrentMonth(type: UsageType, month: Month) {
  if (!isCounted(type) && month.getTime() !== parseMonth(undefined).getTime())
    throw new ApiError(
      'InvalidQuery',
      `${type} has no history; omit \`period\` or specify the current month`,
    )
}

/** A workspace, or one of its bots. */
type UsageScope = Pick<CountScope, 'workspaceId' | 'botId'>

/**
 * Returns the usage of each scope and type, in one statement. Throws InvalidQuery like
 * `usageByBot`.
 */
export async function findUsages<Type extends UsageType>(
  db: Db,
  scopes: UsageScope[],
  types: Type[],
  month: Month,
): Promise<Record<Type, number>[]> {
  for (const type of types) checkCurrentMonth(type, month)
  const found = scopes.map(
    () => Object.fromEntries(types.map((type) => [type, 0])) as Record<Type, number>,
  )
  if (!scopes.length || !types.length) return found
  const given = JSON.stringify(
    scopes.map(({ workspaceId, botId }, n) => ({
      n,
      workspace: workspaceId,
      bot: botId,
    })),
  )
  const { rows } = await sql<{ n: number; type: Type; value: number }>`
    with scope as (select * from jsonb_to_recordset(${given}::jsonb) as one (n int, workspace text, bot text))
    ${sql.join(
      types.map(
        (type) =>
          sql`select n, ${type} as type, (${amountInSql(type, month)})::float8 as value from scope`,
      ),
      sql` union all `,
    )}`.execute(db)
  for (const { n, type, value } of rows) found[n]![type] = value
  return found
}

/** SQL for the rows of `scope`. */
function amountInSql(type: UsageType, month: Month): RawBuilder<number> {
  if (isCounted(type)) return countedValue(type, month)
  const sum = maximumTypes.includes(type) ? sql`max` : sql`sum`
  const ofItsBots = sql<number>`(select coalesce(${sum}(value), 0) from (
    select (${ofBot[type] ?? sql`0`})::float8 as value from bot b where b.workspace_id = scope.workspace
      and (scope.bot is null or b.id = scope.bot)) one)`
  const whole = ofWorkspace[type]
  return whole
    ? sql`case when scope.bot is null then ${whole} else ${ofItsBots} end`
    : ofItsBots
}

/** Returns the usage of one scope and type. */
export const findUsage = async (
  db: Db,
  { type, ...scope }: UsageScope & { type: UsageType },
  month: Month,
): Promise<number> => (await findUsages(db, [scope], [type], month))[0]![type]
