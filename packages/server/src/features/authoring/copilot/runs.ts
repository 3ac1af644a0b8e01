// Owns the table copilot_run. A running request has a lease, which its server renews; after a crash
// another server continues from the last round. Every write names the lease, so a server that lost
// it, or that a person stopped, writes nothing.
import { randomUUID } from 'node:crypto'
import { ApiError, type CopilotRun } from '@botstead/contract'
import { storableText } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../../core/db/index.ts'

type Stored = Selectable<Schema['copilot_run']>
export type RunRow = Stored & { author: string | null }

export interface RunStep {
  at: string
  tool: string
  outcome: string
  failed: boolean
}

const authorInSql = sql<string | null>`(
  select coalesce(nullif(a.name, ''), a.email) from account a where a.id = r.created_by)`

interface NewRun {
  request: string
  createdBy: string
  base: { revision: number; text: string; format: 'JSON' | 'YAML' }
}

/** Throws ResourceLockedConflict while another one of the bot runs. Requires a transaction. */
export async function createRun(db: Db, botId: string, run: NewRun): Promise<RunRow> {
  await sql`select pg_advisory_xact_lock(hashtextextended('copilot ' || ${botId}, 0))`.execute(
    db,
  )
  const { rows } = await sql<{ number: number; isBusy: boolean }>`
    select coalesce(max(number), 0) + 1 as number, coalesce(bool_or(state = 'running'), false) as "isBusy"
    from copilot_run where bot_id = ${botId}`.execute(db)
  const { number, isBusy } = rows[0]!
  if (isBusy)
    throw new ApiError(
      'ResourceLockedConflict',
      'The copilot works on another request of this bot: wait until it ends, or stop it',
    )
  const { revision, text, format } = run.base
  await sql`
    insert into copilot_run (bot_id, number, request, created_by, base_revision, base_text, format)
    values (${botId}, ${number}, ${run.request}, ${run.createdBy}, ${revision}, ${text}, ${format})`.execute(
    db,
  )
  return findRun(db, botId, number)
}

/** Throws ResourceNotFound. */
export async function findRun(db: Db, botId: string, number: number): Promise<RunRow> {
  const { rows } = await sql<RunRow>`
    select r.*, ${authorInSql} as author from copilot_run r
    where r.bot_id = ${botId} and r.number = ${number}`.execute(db)
  if (rows[0]) return rows[0]
  throw new ApiError(
    'ResourceNotFound',
    `The bot has no request ${number} to its copilot`,
  )
}

/** Newest first, below the number. Without texts, which may be long. */
export async function listRuns(
  db: Db,
  botId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.bot_id, r.number, r.request, r.state, r.created_by, r.created_at, r.ended_at, r.base_revision,
      r.answer, r.failure, r.steps, r.rounds, r.input_tokens, r.output_tokens, r.cost, r.passed_tests,
      case when r.text is null then null else '' end as text, ${authorInSql} as author
    from copilot_run r
    where r.bot_id = ${botId} and (${before}::int is null or r.number < ${before}::int)
    order by r.number desc limit ${limit}`.execute(db)
  return rows
}

/** Of the bot, on this day in UTC. */
export async function sumUseOfDay(
  db: Db,
  botId: string,
): Promise<{ tokens: number; dollars: number }> {
  const { rows } = await sql<{ tokens: number; dollars: number }>`
    select coalesce(sum(input_tokens + output_tokens), 0)::int as tokens, coalesce(sum(cost), 0) as dollars
    from copilot_run where bot_id = ${botId}
      and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`.execute(
    db,
  )
  return rows[0]!
}

const leaseSeconds = 20

/**
 * Takes the oldest running request without a valid lease. Returns null if there is none. Each claim
 * has its own lease, so that a server that claims again what it has lost does not work on it twice.
 */
export async function claimRun(db: Db): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    update copilot_run r set lease_id = ${randomUUID()},
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where (bot_id, number) in (
      select bot_id, number from copilot_run where state = 'running'
        and (lease_until is null or lease_until < now())
      order by created_at limit 1 for update skip locked)
    returning r.*, ${authorInSql} as author`.execute(db)
  return rows[0] ?? null
}

type Held = Pick<Stored, 'bot_id' | 'number' | 'lease_id'>
const isHeld = ({ bot_id, number, lease_id }: Held) =>
  sql`bot_id = ${bot_id} and number = ${number} and state = 'running' and lease_id = ${lease_id}`

/** Returns false if the request was stopped, or belongs to another server. */
export async function renewLease(db: Db, held: Held): Promise<boolean> {
  const { rows } = await sql`
    update copilot_run set lease_until = now() + make_interval(secs => ${leaseSeconds})
    where ${isHeld(held)} returning number`.execute(db)
  return rows.length > 0
}

/** For a server that stops. */
export const releaseLease = (db: Db, held: Held) =>
  sql`update copilot_run set lease_until = null where ${isHeld(held)}`.execute(db)

export interface Progress {
  text: string | null
  steps: RunStep[]
  messages: object[]
  rounds: number
  inputTokens: number
  outputTokens: number
  cost: number
}

/** Stores a round. Returns false as renewLease. */
export async function storeRound(
  db: Db,
  held: Held,
  { text, steps, messages, ...used }: Progress,
): Promise<boolean> {
  const { rows } = await sql`
    update copilot_run set text = ${text}, steps = ${toJson(steps)}, messages = ${toJson(messages)},
      rounds = ${used.rounds}, input_tokens = ${used.inputTokens}, output_tokens = ${used.outputTokens},
      cost = ${used.cost}, lease_until = now() + make_interval(secs => ${leaseSeconds})
    where ${isHeld(held)} returning number`.execute(db)
  return rows.length > 0
}

interface End {
  state: 'done' | 'failed'
  answer?: string
  failure?: string
  passedTests?: number | null
}

export const endRun = (db: Db, held: Held, end: End) =>
  sql`
    update copilot_run set state = ${end.state}, ended_at = now(), messages = null, lease_until = null,
      answer = ${end.answer === undefined ? null : storableText(end.answer, 20_000)},
      failure = ${end.failure === undefined ? null : storableText(end.failure, 2_000)},
      passed_tests = ${end.passedTests ?? null}
    where ${isHeld(held)}`.execute(db)

/** Changes nothing if it has ended. */
export async function stopRun(db: Db, botId: string, number: number): Promise<RunRow> {
  await sql`
    update copilot_run set state = 'stopped', ended_at = now(), messages = null, lease_until = null
    where bot_id = ${botId} and number = ${number} and state = 'running'`.execute(db)
  return findRun(db, botId, number)
}

export const removeOldRuns = (db: Db) =>
  sql`delete from copilot_run where ended_at < now() - interval '30 days'`.execute(db)

export const toRun = (row: RunRow): CopilotRun => ({
  number: row.number,
  request: row.request,
  state: row.state as CopilotRun['state'],
  createdAt: row.created_at.toISOString(),
  createdBy: row.author === null ? null : { name: row.author },
  endedAt: row.ended_at?.toISOString() ?? null,
  baseRevision: row.base_revision,
  hasChange: row.text !== null,
  passedTests: row.passed_tests,
  answer: row.answer,
  failure: row.failure,
  steps: row.steps as unknown as RunStep[],
  rounds: row.rounds,
  tokens: row.input_tokens + row.output_tokens,
  cost: row.cost,
})
