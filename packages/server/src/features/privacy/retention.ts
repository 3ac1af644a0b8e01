// Retention of a bot: how many days it keeps data of each kind. The rules are in the bot's row; the
// operator's settings limit them. `retention-sweeps.ts` applies them.
import {
  ApiError,
  type Retention,
  type RetentionCounts,
  type RetentionDays,
  type RetentionKind,
  retentionKinds,
} from '@botstead/contract'
import { sql } from 'kysely'
import { storeRules } from '../../core/bots/index.ts'
import { type Db, toJson } from '../../core/db/index.ts'
import type { Age, Tables } from '../../core/table-rules/index.ts'
import type { RecordedCalls } from './person-recordings.ts'
import { countOldRecordings } from './retention-recordings.ts'
import { listRetentionSteps, type RetentionStep, toCutoff } from './retention-steps.ts'

/** Settings of the installation; 0 stands for no limit. */
interface Settings {
  conversationDays: number
  messageDays: number
  eventDays: number
  userDays: number
  fileDays: number
  logDays: number
  insightDays: number
  deadLetterDays: number
  webhookRequestDays: number
}

const maxCounted = 100_000

export function toRetentionLimits(settings: Settings): RetentionDays {
  const days: Record<RetentionKind, number> = {
    conversations: settings.conversationDays,
    messages: settings.messageDays,
    events: settings.eventDays,
    users: settings.userDays,
    files: settings.fileDays,
    logs: settings.logDays,
    traces: settings.insightDays,
    issues: settings.insightDays,
    deadLetters: settings.deadLetterDays,
    webhookRequests: settings.webhookRequestDays,
    recordings: 0,
    tableRows: 0,
  }
  return Object.fromEntries(Object.entries(days).filter(([, value]) => value > 0))
}

/** Returns the shorter of both for each kind. */
export const toEffectiveDays = (
  rules: RetentionDays,
  limits: RetentionDays,
): RetentionDays =>
  Object.fromEntries(
    retentionKinds.flatMap((kind) => {
      const days = Math.min(rules[kind] ?? Infinity, limits[kind] ?? Infinity)
      return Number.isFinite(days) ? [[kind, days]] : []
    }),
  )

const toRetention = (rules: RetentionDays, limits: RetentionDays): Retention => ({
  rules,
  limits,
  effective: toEffectiveDays(rules, limits),
})

export async function findRetention(
  db: Db,
  botId: string,
  limits: RetentionDays,
): Promise<Retention> {
  const found = await db
    .selectFrom('bot')
    .select('retention')
    .where('id', '=', botId)
    .executeTakeFirst()
  return toRetention(found?.retention ?? {}, limits)
}

/** Requires a transaction. The server begins to apply the rules at once. Throws InvalidPayload. */
export async function setRetention(
  db: Db,
  botId: string,
  rules: RetentionDays,
  limits: RetentionDays,
): Promise<Retention> {
  checkRetention(rules, limits)
  const stored = Object.keys(rules).length === 0 ? null : toJson(rules)
  await storeRules(db, botId, { retention: stored })
  await sql`
    insert into retention_sweep (bot_id) values (${botId})
    on conflict (bot_id) do update set next_at = now(), step = 0, position = ''`.execute(
    db,
  )
  return toRetention(rules, limits)
}

/** Throws InvalidPayload for a rule that is longer than the limit of the installation. */
export function checkRetention(rules: RetentionDays, limits: RetentionDays): void {
  for (const kind of retentionKinds) {
    const [days, limit] = [rules[kind], limits[kind]]
    if (days !== undefined && limit !== undefined && days > limit)
      throw new ApiError(
        'InvalidPayload',
        `\`${kind}\` must be at most ${limit} days, the limit of this installation; it is ${days}`,
      )
  }
}

interface CountDeps {
  db: Db
  recordings: RecordedCalls
  tableRules: Tables
}

/** Counts what the rules would delete now. */
export async function countRetention(
  { db, recordings, tableRules }: CountDeps,
  botId: string,
  effective: RetentionDays,
): Promise<RetentionCounts> {
  const counts: RetentionCounts = {}
  const steps = listRetentionSteps(tableRules)
  for (const kind of retentionKinds) {
    const days = effective[kind]
    if (days === undefined) continue
    let count =
      kind === 'recordings' ? await countOldRecordings(recordings, botId, days) : 0
    for (const step of steps.filter((one) => one.kind === kind))
      count += await countOld(db, step, { botId, at: toCutoff(days) })
    counts[kind] = count > maxCounted ? { count: maxCounted, hasMore: true } : { count }
  }
  return counts
}

async function countOld(
  db: Db,
  { table, old, isFree }: RetentionStep,
  age: Age,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${sql.table(table)} t where ${old(age)} and ${isFree?.(age) ?? sql`true`}
        limit ${maxCounted + 1}) found`.execute(db)
  return rows[0]!.count
}
