// Owns the table model_call: one row for each call of a model. Callers do not wait for it; if the
// database is too slow, rows are dropped instead of queued without limit.

import { createBatchedWrites, PeriodicTask, storableText } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { type Database, type Db, statement } from '../../../core/db/index.ts'
import { newId } from '../../../core/lib/index.ts'
import type { CallRecord } from './call.ts'

export interface Ledger {
  record(call: CallRecord): void
  close(): Promise<void>
}

const hourMs = 3_600_000
const removedAtOnce = 10_000

interface LedgerDeps {
  database: Database
  log: Logger
  /** Called after the call was recorded. */
  recorded: (call: CallRecord) => void
  /** How long rows are kept. */
  days: number
}

export function openLedger({ database, log, recorded, days }: LedgerDeps): Ledger {
  const writes = createBatchedWrites<CallRecord>(
    async (_, calls) => {
      await database.lazily(...recordAll({ calls: JSON.stringify(calls.map(toRow)) }))
      for (const call of calls) recorded(call)
    },
    (error) => log.warn({ err: error }, 'calls of models were not recorded'),
  )
  const removal = new PeriodicTask({
    task: () => removeOld(database.db, days),
    paceMs: hourMs,
    failed: (error) =>
      log.warn({ err: error }, 'cannot remove old model calls; retrying'),
  })
  return {
    record: (call) => writes.add('calls', call),
    async close() {
      await removal.stop()
      await writes.close()
    },
  }
}

/** The event gives conversation and user. Calls of deleted workspaces are dropped. */
const recordAll = statement<{ calls: string }>(
  'record-model-calls',
  `insert into model_call (workspace_id, id, bot_id, conversation_id, user_id, event_id, kind, source,
     model, provider, fallback_path, input_tokens, output_tokens, cost, ms, first_token_ms, cached,
     outcome, error, created_at)
   select workspace.id, call.id, call.bot_id, coalesce(event.conversation_id, call.conversation_id),
     coalesce(event.user_id, call.user_id), call.event_id, call.kind, call.source, call.model,
     call.provider, call.fallback_path, call.input_tokens, call.output_tokens, call.cost, call.ms,
     call.first_token_ms, call.cached, call.outcome, call.error, call.created_at
   from jsonb_to_recordset(:calls::jsonb) as call (
     workspace_id text, id text, bot_id text, conversation_id text, user_id text, event_id text,
     kind text, source text, model text, provider text, fallback_path text[], input_tokens bigint,
     output_tokens bigint, cost float8, ms int, first_token_ms int, cached bool, outcome text,
     error text, created_at timestamptz
   ) join workspace on workspace.id = call.workspace_id
     left join event on event.bot_id = call.bot_id and event.id = call.event_id`,
)

const short = (text: string | null) => text && storableText(text, 200)

function toRow({ usage, startedAt, ...call }: CallRecord) {
  return {
    workspace_id: call.workspaceId,
    id: newId('modelCall'),
    bot_id: call.botId,
    conversation_id: short(call.conversationId),
    user_id: short(call.userId),
    event_id: short(call.eventId),
    kind: call.kind,
    source: short(call.source),
    model: short(call.model),
    provider: short(call.provider),
    fallback_path: call.fallbackPath,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost: call.cost,
    ms: Math.round(call.ms),
    first_token_ms: call.firstTokenMs === null ? null : Math.round(call.firstTokenMs),
    cached: call.cached,
    outcome: call.outcome,
    error: call.error && storableText(call.error, 500),
    created_at: startedAt,
  }
}

async function removeOld(db: Db, days: number): Promise<number | undefined> {
  const { rows } = await sql`
    delete from model_call where (workspace_id, id) in (
      select workspace_id, id from model_call where created_at < now() - make_interval(days => ${days})
      limit ${removedAtOnce} for update skip locked)
    returning 1`.execute(db)
  return rows.length === removedAtOnce ? 0 : undefined
}

const groupings = {
  bot: 'bot_id',
  conversation: 'conversation_id',
  user: 'user_id',
  event: 'event_id',
  model: 'model',
  provider: 'provider',
  source: 'source',
  kind: 'kind',
  outcome: 'outcome',
  day: `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`,
} as const
type Grouping = keyof typeof groupings

interface CallTotals {
  key: string | null
  calls: string
  failed: string
  cached: string
  input_tokens: string
  output_tokens: string
  cost: number
  mean_ms: number
}

interface TotalsScope {
  workspaceId: string
  /** Null for all bots. */
  botId: string | null
  /** An account, which may not see all bots; null for a member that sees all. */
  seenBy: string | null
  after: Date | null
  before: Date | null
}

/** Sums the calls of a workspace by one property, highest cost first. */
export async function sumCalls(
  db: Db,
  by: Grouping,
  scope: TotalsScope,
  limit: number,
): Promise<CallTotals[]> {
  const key = sql.raw<string | null>(groupings[by])
  const { rows } = await sql<CallTotals>`
    select ${key} as key, count(*) as calls, count(*) filter (where outcome <> 'ok') as failed,
      count(*) filter (where cached) as cached, coalesce(sum(input_tokens), 0) as input_tokens,
      coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(cost), 0) as cost,
      coalesce(avg(ms), 0)::float8 as mean_ms
    from model_call where ${within(scope)}
    group by 1 order by cost desc, calls desc, 1 limit ${limit}`.execute(db)
  return rows
}

const within = ({
  workspaceId,
  botId,
  seenBy,
  after,
  before,
}: TotalsScope): RawBuilder<boolean> => sql`
  workspace_id = ${workspaceId} and (${botId}::text is null or bot_id = ${botId})
    and (${seenBy}::text is null or not exists (select from bot where bot.id = model_call.bot_id
      and allowlist <> 'ALL_WORKSPACE_USERS' and not exists (select from bot_allowed_member
        where bot_id = bot.id and account_id = ${seenBy})))
    and (${after}::timestamptz is null or created_at >= ${after})
    and (${before}::timestamptz is null or created_at < ${before})`

interface CallListing {
  conversationId?: string | undefined
  eventId?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  /** Id of the last call of the previous page. */
  position: string | null
  limit: number
}

/** Returns the calls of a bot, newest first. */
export async function listCalls(db: Db, botId: string, listing: CallListing) {
  const { conversationId, eventId, after, before, position, limit } = listing
  let query = db.selectFrom('model_call').selectAll().where('bot_id', '=', botId)
  if (conversationId) query = query.where('conversation_id', '=', conversationId)
  if (eventId) query = query.where('event_id', '=', eventId)
  if (after) query = query.where('created_at', '>=', after)
  if (before) query = query.where('created_at', '<', before)
  if (position) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
export type CallRow = Awaited<ReturnType<typeof listCalls>>[number]
