// The state of each bot of a workspace. It reads tables of other modules on purpose, with one
// statement for a page. The queue's part comes from its depth (core/queue/depth.ts).
import { type BotOverview, overviewLimits } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { earliestId } from '../../core/lib/index.ts'

interface OverviewListing {
  dev?: boolean | undefined
  /** A part of the name, in any case. */
  search?: string | undefined
  /** An account; null for a member that sees all bots. */
  seenBy: string | null
  /** The last bot of the previous page. */
  position: { at: Date; id: string } | null
  limit: number
}

interface OverviewRow {
  id: string
  name: string
  dev: boolean
  blocked: boolean
  created_at: Date
  updated_at: Date
  deployed_at: Date | null
  at_url: boolean
  load_error: string | null
  issue_id: string | null
  issue_message: string | null
  issue_seen_at: Date | null
  open_issues: number
  messages_today: number
}

const dayMs = 86_400_000
/** An age from which a pending delivery means that the bot does not work. */
const stuckSeconds = 300

/** The orders inside of the counts lead the planner to an index, also for bots without rows. */
export async function listBotOverviews(
  db: Db,
  workspaceId: string,
  { dev, search, seenBy, position, limit }: OverviewListing,
): Promise<OverviewRow[]> {
  const today = earliestId('message', Math.floor(Date.now() / dayMs) * dayMs)
  const conditions: RawBuilder<unknown>[] = [
    sql`workspace_id = ${workspaceId}`,
    // People reach the bot for tests of a draft by its draft.
    sql`not exists (select from bot_trial where trial_bot_id = bot.id)`,
    ...(dev === undefined ? [] : [sql`dev = ${dev}`]),
    ...(search === undefined ? [] : [sql`position(lower(${search}) in lower(name)) > 0`]),
    ...(seenBy === null
      ? []
      : [
          sql`(allowlist = 'ALL_WORKSPACE_USERS' or exists (select from bot_allowed_member
            where bot_id = bot.id and account_id = ${seenBy}))`,
        ]),
    ...(position ? [sql`(created_at, id) < (${position.at}, ${position.id})`] : []),
  ]
  const { rows } = await sql<OverviewRow>`
    select b.*, code.load_error, last.id as issue_id, last.message as issue_message,
      last.last_seen_at as issue_seen_at, opened.n as open_issues, sent.n as messages_today
    from (
      select id, name, dev, blocked, created_at, updated_at, deployed_at, url is not null as at_url
      from bot
      where ${sql.join(conditions, sql` and `)} order by created_at desc, id desc limit ${limit}
    ) b
    left join bot_code code on code.bot_id = b.id
    left join lateral (
      select id, message, last_seen_at from issue i where i.bot_id = b.id and i.status = 'open'
      order by last_seen_at desc, id desc limit 1
    ) last on true
    cross join lateral (
      select count(*)::int as n from (
        select from issue i where i.bot_id = b.id and i.status = 'open'
        order by i.last_seen_at desc, i.id desc limit ${overviewLimits.openIssues}
      ) some_issues
    ) opened
    cross join lateral (
      select count(*)::int as n from (
        select from message m where m.bot_id = b.id and m.id >= ${today}
        order by m.id limit ${overviewLimits.messagesToday}
      ) some_messages
    ) sent
    order by b.created_at desc, b.id desc`.execute(db)
  return rows
}

interface QueueState {
  pending: number
  oldestSeconds: number
  dead: number
}

export function toBotOverview(row: OverviewRow, queue: QueueState): BotOverview {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    name: row.name,
    dev: row.dev,
    blocked: row.blocked,
    ...(row.deployed_at && { deployedAt: row.deployed_at.toISOString() }),
    atUrl: row.at_url,
    health: toHealth(row, queue),
    ...(row.load_error !== null && { loadError: row.load_error }),
    ...(row.issue_id !== null && {
      lastFailure: {
        issueId: row.issue_id,
        message: row.issue_message!,
        at: row.issue_seen_at!.toISOString(),
      },
    }),
    pendingDeliveries: queue.pending,
    ...(queue.pending > 0 && { oldestPendingSeconds: queue.oldestSeconds }),
    deadLetters: queue.dead,
    openIssues: row.open_issues,
    messagesToday: row.messages_today,
  }
}

/** Failures before the deployment may be mended: they do not count. */
function toHealth(
  { load_error, issue_seen_at, deployed_at }: OverviewRow,
  { oldestSeconds, dead }: QueueState,
): BotOverview['health'] {
  if (load_error !== null || oldestSeconds > stuckSeconds) return 'failing'
  const since = Math.max(Date.now() - dayMs, deployed_at?.getTime() ?? 0)
  const isRecent = issue_seen_at !== null && issue_seen_at.getTime() > since
  return dead > 0 || isRecent ? 'degraded' : 'ok'
}
