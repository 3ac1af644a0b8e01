// Owns the tables model_budget and model_spend. A budget is checked before a call, and its use is
// added after it, so calls that run at the same time may exceed a budget of dollars or tokens by
// their own use. Calls are counted before they begin: their budgets are exact. A workspace without
// budgets causes no statement.
import { ApiError } from '@botstead/contract'
import { type Cache, openCache } from '@botstead/lib'
import { sql } from 'kysely'
import {
  type ColumnArrays,
  type Database,
  type Db,
  statement,
  toArrays,
} from '../../../core/db/index.ts'
import { newId } from '../../../core/lib/index.ts'
import type { ModelCaller } from './call.ts'

export interface Budget {
  id: string
  scope: 'workspace' | 'bot' | 'conversation' | 'user'
  scope_id: string | null
  unit: 'dollars' | 'tokens' | 'calls'
  period: 'hour' | 'day' | 'month' | 'total'
  maximum: number
}

interface Use {
  workspaceId: string
  budgetId: string
  subject: string
  startsAt: Date
  maximum: number
  unit: Budget['unit']
}

/** Budgets that apply to a call. */
export type Reservation = Use[]

export interface Budgets {
  /** Counts the call. Throws QuotaExceeded if a budget is used up. */
  reserve(caller: ModelCaller): Promise<Reservation>
  /** Adds the use of a call. */
  spend(
    reservation: Reservation,
    used: { dollars: number; tokens: number },
  ): Promise<void>
  invalidate(workspaceId: string | null): void
}

/** Another server's change takes effect after this time, if its notification was lost. */
const knownMs = 10_000

export function openBudgets(database: Database): Budgets {
  const known: Cache<Budget[]> = openCache((id) => listBudgets(database.db, id), {
    size: 10_000,
    ttlMs: knownMs,
  })
  return {
    async reserve(caller) {
      const budgets =
        known.peek(caller.workspaceId) ?? (await known.get(caller.workspaceId))
      if (budgets.length === 0) return []
      const uses = await toReservation(database, budgets, caller)
      if (uses.length > 0) await countCall(database, budgets, uses)
      return uses
    },
    async spend(reservation, { dollars, tokens }) {
      const spent = reservation.flatMap(({ unit, maximum: _, ...use }) => {
        const value = unit === 'dollars' ? dollars : tokens
        return unit === 'calls' || value === 0 ? [] : [{ ...use, value }]
      })
      if (spent.length > 0) await database.run(...addSpend(toArrays(spent)))
    },
    invalidate(workspaceId) {
      if (workspaceId === null) known.clear()
      else known.invalidate((key) => key === workspaceId)
    },
  }
}

async function toReservation(
  database: Database,
  budgets: Budget[],
  caller: ModelCaller,
): Promise<Reservation> {
  const needsEvent = budgets.some(
    ({ scope }) => scope === 'conversation' || scope === 'user',
  )
  const { conversationId, userId } = needsEvent
    ? await completeCaller(database, caller)
    : caller
  const subjects = {
    workspace: '',
    bot: caller.botId,
    conversation: conversationId,
    user: userId,
  }
  const now = new Date()
  return budgets.flatMap(({ id, scope, scope_id, unit, period, maximum }) => {
    const subject = subjects[scope]
    if (subject === null || (scope_id !== null && scope_id !== subject)) return []
    const { workspaceId } = caller
    return [
      {
        workspaceId,
        budgetId: id,
        subject,
        startsAt: toPeriodStart(period, now),
        maximum,
        unit,
      },
    ]
  })
}

const findLinks = statement<{ botId: string; eventId: string }>(
  'find-links-of-model-call',
  'select conversation_id, user_id from event where bot_id = :botId and id = :eventId',
)

async function completeCaller(database: Database, caller: ModelCaller) {
  const { botId, eventId, conversationId, userId } = caller
  if (eventId === null) return caller
  const [found] = await database.run<{
    conversation_id: string | null
    user_id: string | null
  }>(...findLinks({ botId, eventId }))
  return {
    conversationId: found?.conversation_id ?? conversationId,
    userId: found?.user_id ?? userId,
  }
}

/** The start of the period in UTC. */
function toPeriodStart(period: Budget['period'], now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === 'total') return new Date(0)
  if (period === 'month') return new Date(Date.UTC(year, month))
  return new Date(Date.UTC(year, month, day, period === 'hour' ? now.getUTCHours() : 0))
}

function toPeriodEnd(period: Budget['period'], start: Date): Date | null {
  const hours = { hour: 1, day: 24 }
  if (period === 'total') return null
  if (period === 'month')
    return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
  return new Date(start.getTime() + hours[period] * 3_600_000)
}

/** Counts the call, unless a budget is used up. Returns the budgets that are. */
const reserveCall = statement<ColumnArrays<Use>>(
  'reserve-model-call',
  `with use as (
     select * from unnest(:workspaceId::text[], :budgetId::text[], :subject::text[],
       :startsAt::timestamptz[], :maximum::float8[], :unit::text[])
       as use (workspace_id, budget_id, subject, starts_at, maximum, unit)
   ), used_up as (
     select budget_id from use left join model_spend spend using (workspace_id, budget_id, subject, starts_at)
     where coalesce(spend.value, 0) >= use.maximum
   ), counted as (
     insert into model_spend as spend (workspace_id, budget_id, subject, starts_at, value)
     select use.workspace_id, use.budget_id, subject, starts_at, 1
     from use join model_budget on model_budget.workspace_id = use.workspace_id
       and model_budget.id = use.budget_id
     where use.unit = 'calls' and not exists (select from used_up)
     order by 1, 2, 3, 4
     on conflict (workspace_id, budget_id, subject, starts_at) do update set value = spend.value + 1
       where spend.value < (select maximum from use where use.budget_id = spend.budget_id)
     returning budget_id
   )
   select budget_id from used_up union
   select budget_id from use where unit = 'calls' and budget_id not in (select budget_id from counted)
     and exists (select from model_budget b where b.workspace_id = use.workspace_id
       and b.id = use.budget_id)`,
)

async function countCall(
  database: Database,
  budgets: Budget[],
  uses: Use[],
): Promise<void> {
  const usedUp = await database.run<{ budget_id: string }>(...reserveCall(toArrays(uses)))
  const budget = budgets.find(({ id }) =>
    usedUp.some(({ budget_id }) => budget_id === id),
  )
  if (!budget) return
  const { startsAt } = uses.find(({ budgetId }) => budgetId === budget.id)!
  const until = toPeriodEnd(budget.period, startsAt)?.toISOString()
  throw new ApiError(
    'QuotaExceeded',
    `The budget of ${budget.maximum} ${budget.unit} per ${budget.period} for this ${budget.scope} ` +
      `is used up${until ? ` until ${until}` : ''}`,
    {
      metadata: {
        subtype: 'MODEL_BUDGET_EXCEEDED',
        budgetId: budget.id,
        scope: budget.scope,
        unit: budget.unit,
        period: budget.period,
        maximum: budget.maximum,
        ...(until && { resetsAt: until }),
      },
    },
  )
}

const addSpend = statement<
  ColumnArrays<
    Pick<Use, 'workspaceId' | 'budgetId' | 'subject' | 'startsAt'> & { value: number }
  >
>(
  'add-model-spend',
  `insert into model_spend as spend (workspace_id, budget_id, subject, starts_at, value)
   select used.* from unnest(:workspaceId::text[], :budgetId::text[], :subject::text[],
       :startsAt::timestamptz[], :value::float8[])
       as used (workspace_id, budget_id, subject, starts_at, value)
     join model_budget on model_budget.workspace_id = used.workspace_id and model_budget.id = used.budget_id
   order by 1, 2, 3, 4
   on conflict (workspace_id, budget_id, subject, starts_at) do update
     set value = spend.value + excluded.value`,
)

export async function listBudgets(db: Db, workspaceId: string): Promise<Budget[]> {
  return db
    .selectFrom('model_budget')
    .select(['id', 'scope', 'scope_id', 'unit', 'period', 'maximum'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
}

const maxBudgets = 100

/** Throws LimitExceeded if the workspace has too many. */
export async function createBudget(
  db: Db,
  workspaceId: string,
  budget: Omit<Budget, 'id'>,
): Promise<Budget> {
  if ((await listBudgets(db, workspaceId)).length >= maxBudgets)
    throw new ApiError(
      'LimitExceeded',
      `A workspace may have at most ${maxBudgets} budgets`,
    )
  const row = { id: newId('modelBudget'), ...budget }
  await db
    .insertInto('model_budget')
    .values({ ...row, workspace_id: workspaceId })
    .execute()
  return row
}

/** Throws ResourceNotFound. */
export async function deleteBudget(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<void> {
  const { rows } = await sql`
    delete from model_budget where workspace_id = ${workspaceId} and id = ${id} returning 1`.execute(
    db,
  )
  if (rows.length === 0)
    throw new ApiError('ResourceNotFound', `Budget "${id}" was not found`)
}

/** Returns the current use of each budget by its id; of several subjects, the highest. */
export async function readSpend(
  db: Db,
  workspaceId: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ budget_id: string; value: number }>`
    select spend.budget_id, max(spend.value) as value from model_spend spend
    join model_budget b on b.workspace_id = spend.workspace_id and b.id = spend.budget_id
    where spend.workspace_id = ${workspaceId} and spend.starts_at >= case b.period
      when 'total' then '-infinity' else date_trunc(b.period, now() at time zone 'UTC') at time zone 'UTC' end
    group by 1`.execute(db)
  return new Map(rows.map(({ budget_id, value }) => [budget_id, value]))
}
