// The report of a broadcast: counts by state, and its recipients in pages. A recipient's `delivered` and
// `read` come from the receipts of its conversation.
import type {
  BroadcastRecipient,
  BroadcastReport,
  recipientStates,
  SkipReason,
} from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { csvLine, withoutFormula } from '../../core/tables/index.ts'
import type { BroadcastRow } from './broadcasts.ts'

type RecipientState = (typeof recipientStates)[number]
type Key = Pick<BroadcastRow, 'bot_id' | 'id'>

const shownState = sql<RecipientState>`case r.state when 'queued' then 'sending' when 'sent' then
  case when p.read_until >= r.sent_at then 'read' when p.delivered_until >= r.sent_at then 'delivered'
    else 'sent' end else r.state end`

/** One look into an index for each recipient; otherwise the planner may read all participants. */
const withReceipts = sql`left join lateral (select read_until, delivered_until from participant
  where r.state = 'sent' and bot_id = r.bot_id and conversation_id = r.conversation_id
    and user_id = r.user_id limit 1) p on true`

export async function reportBroadcast(
  db: Db,
  { bot_id, id, unknown_rows: unknownRows }: Key & Pick<BroadcastRow, 'unknown_rows'>,
): Promise<BroadcastReport> {
  const { rows } = await sql<{
    state: RecipientState
    reason: string | null
    count: number
  }>`
    select ${shownState} as state, case when r.state = 'skipped' then r.reason end as reason,
      count(*)::int as count
    from broadcast_recipient r ${withReceipts}
    where r.bot_id = ${bot_id} and r.broadcast_id = ${id} group by 1, 2`.execute(db)
  const report = { ...noRecipients, skipReasons: {}, unknownRows: Number(unknownRows) }
  for (const { state, reason, count } of rows) addCount(report, state, reason, count)
  return report
}

const noRecipients = {
  total: 0,
  waiting: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
}

function addCount(
  report: BroadcastReport,
  state: RecipientState,
  reason: string | null,
  count: number,
) {
  report.total += count
  report[state] += count
  if (reason !== null) report.skipReasons[reason] = count
}

interface RecipientRow {
  user_id: string
  user_name: string | null
  conversation_id: string | null
  message_id: string | null
  state: RecipientState
  reason: SkipReason | 'not_delivered' | null
  detail: string | null
  sent_at: Date | null
  due_at: Date | null
}

interface Listing {
  /** Id of the last user of the page before. */
  position: string | null
  limit: number
}

/** Recipients that a page with a filter reads. */
const maxRead = 5_000

/** Returns a page by user id, and the position after it; null at the end. */
export async function listRecipients(
  db: Db,
  key: Key,
  { position, limit, state }: Listing & { state?: RecipientState | undefined },
): Promise<{ rows: RecipientRow[]; next: string | null }> {
  if (state === undefined) {
    const rows = await readRecipients(db, key, { position, limit: limit + 1 })
    const next = rows.length > limit ? rows[limit - 1]!.user_id : null
    return { rows: rows.slice(0, limit), next }
  }
  const { bot_id, id } = key
  const { rows: ends } = await sql<{ user_id: string }>`
    select user_id from broadcast_recipient where bot_id = ${bot_id} and broadcast_id = ${id}
      and user_id > ${position ?? ''} order by user_id offset ${maxRead - 1} limit 1`.execute(
    db,
  )
  const end = ends[0]?.user_id
  const rows = await readRecipients(db, key, { position, limit: limit + 1, state, end })
  const next = rows.length > limit ? rows[limit - 1]!.user_id : (end ?? null)
  return { rows: rows.slice(0, limit), next }
}

async function readRecipients(
  db: Db,
  { bot_id, id }: Key,
  {
    position,
    limit,
    state,
    end,
  }: Listing & { state?: RecipientState; end?: string | undefined },
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select page.*, u.name as user_name
    from (
      select r.user_id, r.conversation_id, r.message_id, ${shownState} as state, r.reason, r.detail,
        r.sent_at, case when r.state = 'waiting' and r.due_at > now() then r.due_at end as due_at
      from broadcast_recipient r ${withReceipts}
      where r.bot_id = ${bot_id} and r.broadcast_id = ${id} and r.user_id > ${position ?? ''}
        ${end === undefined ? sql`` : sql`and r.user_id <= ${end}`}
        ${state === undefined ? sql`` : sql`and ${shownState} = ${state}`}
      order by r.user_id limit ${limit}
    ) page join "user" u on u.bot_id = ${bot_id} and u.id = page.user_id
    order by page.user_id`.execute(db)
  return rows
}

export const toRecipient = (row: RecipientRow): BroadcastRecipient => ({
  userId: row.user_id,
  ...(row.user_name !== null && { userName: row.user_name }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.message_id !== null && { messageId: row.message_id }),
  state: row.state,
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.detail !== null && { detail: row.detail }),
  ...(row.sent_at && { sentAt: row.sent_at.toISOString() }),
  ...(row.due_at && { dueAt: row.due_at.toISOString() }),
})

const columns = [
  'userId',
  'userName',
  'conversationId',
  'messageId',
  'state',
  'reason',
  'detail',
  'sentAt',
] as const satisfies (keyof BroadcastRecipient)[]

/** Returns lines of CSV; with `hasHeader`, the first has the names of the columns. */
export const recipientsCsv = (
  recipients: BroadcastRecipient[],
  hasHeader: boolean,
): string =>
  [
    ...(hasHeader ? [[...columns]] : []),
    ...recipients.map((one) => columns.map((name) => withoutFormula(one[name] ?? ''))),
  ]
    .map(csvLine)
    .join('')
