// Lists the pending deliveries of a bot. Lanes with work are found by the partial indexes that
// claims use, so dead letters and idle lanes cost nothing.
import { type Database, statement } from '../db/index.ts'
import type { DeliveryKind } from './deliveries.ts'

interface PendingRow {
  id: string
  lane: string
  number: string
  kind: DeliveryKind
  subject_id: string
  created_at: Date
  attempts: number
  /** Of the attempts since the last redelivery. */
  failures: number
  error: string | null
  failed_at: Date | null
  [column: string]: unknown
}

interface Page {
  botId: string
  /** Of the last delivery of the previous page; empty for the first page. */
  lane: string
  number: string
  /** Only the deliveries of this conversation. */
  conversationId: string | null
  limit: number
}

/** The lane of the position may have no further deliveries, so one more lane is read. */
const listStatement = statement<Page>(
  'list-pending-deliveries',
  `with busy as (
     select key from lane where owner is not null and bot_id = :botId and pending > 0
       and (:conversationId::text is null or key = :conversationId)
     union all
     select key from lane where owner is null and pending > 0 and bot_id = :botId
       and (:conversationId::text is null or key = :conversationId)
   ),
   picked as (select key from busy where key >= :lane order by key limit :limit::int + 1)
   select d.*, failed.error, failed.at as failed_at from picked
   cross join lateral (
     select id, lane, number, kind, subject_id, created_at, earlier_attempts + attempts as attempts,
       attempts as failures
     from delivery d where d.bot_id = :botId and d.lane = picked.key and d.dead_at is null
       and (d.lane, d.number) > (:lane, :number::bigint)
     order by d.number limit :limit
   ) d
   left join lateral (
     select error, started_at + ms * interval '1 ms' as at from delivery_attempt a
       where a.bot_id = :botId and a.delivery_id = d.id and d.attempts > 0
     order by attempt desc limit 1
   ) failed on true
   order by d.lane, d.number limit :limit`,
)

export const listPending = (database: Database, page: Page): Promise<PendingRow[]> =>
  database.run<PendingRow>(...listStatement(page))
