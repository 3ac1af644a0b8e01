// Response times of handoffs. The server does not see the answers of people at a help desk, only those
// that they write in the conversation to which the plugin `hitl` has linked that of the user.
import type { HandoffTimes } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { type ReachedMessage, receipts } from '../../core/messaging/index.ts'
import type { HandoffRow } from './handoffs.ts'

type Counted = { count: number; median: number | null; p95: number | null }

/** The first message of people at the help desk during a session of the plugin `hitl`. */
const deskAnswer = sql<Date | null>`(
  select answer.created_at from conversation c
    cross join lateral jsonb_each_text(c.tags) tag
    cross join lateral (
      select m.created_at from message m
      where m.bot_id = c.bot_id and m.conversation_id = tag.value and m.number > 0
        and m.direction = 'incoming' and m.created_at >= handoff.requested_at
      order by m.number limit 1
    ) answer
  where c.bot_id = handoff.bot_id and c.id = handoff.conversation_id and tag.key ~ '(^|#)downstream$'
  limit 1)`

/** Call it when the session ends: another session may use the same tags. */
export const noteDeskAnswer = (db: Db, { bot_id: botId, id }: HandoffRow) =>
  db
    .updateTable('handoff')
    .set({ answered_at: deskAnswer })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .execute()

/** Also of sessions that have not ended. */
const answeredAt = sql`(case when source = 'hitl' and closed_at is null then ${deskAnswer}
  else answered_at end)`

/** `until` is a time of `handoff`, null for handoffs that do not count. */
const durations = (until: RawBuilder<unknown>) => {
  const seconds = sql`extract(epoch from ${until} - requested_at)::float8`
  const percentile = (share: number) =>
    sql`percentile_cont(${sql.lit(share)}) within group (order by ${seconds})`
  return sql<Counted>`json_build_object('count', count(${until})::int, 'median', ${percentile(0.5)},
    'p95', ${percentile(0.95)})`
}
const closedAs = (outcome: 'solved' | 'returned') =>
  sql`(case when outcome = ${sql.lit(outcome)} then closed_at end)`

export async function findHandoffTimes(
  db: Db,
  botId: string,
  { from, to }: { from: Date; to: Date },
): Promise<HandoffTimes> {
  const found = await db
    .selectFrom('handoff')
    .select([
      sql<number>`count(*)::int`.as('requested'),
      durations(answeredAt).as('firstAnswer'),
      durations(closedAs('solved')).as('solution'),
      durations(closedAs('returned')).as('return'),
    ])
    .where('bot_id', '=', botId)
    .where('requested_at', '>=', from)
    .where('requested_at', '<', to)
    .executeTakeFirstOrThrow()
  return {
    requested: found.requested,
    firstAnswer: toDurations(found.firstAnswer),
    solution: toDurations(found.solution),
    return: toDurations(found.return),
  }
}

const toDurations = ({ count, median, p95 }: Counted) =>
  median === null || p95 === null
    ? { count }
    : { count, medianSeconds: rounded(median), p95Seconds: rounded(p95) }

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Stores that the member who answers has read the message. As `advance`. */
export const noteReading = (
  db: Db,
  reached: ReachedMessage & { handoffId: string },
): Promise<Date | null> =>
  receipts.advance(
    db,
    reached,
    sql`update handoff h set read_until = r.at from reached r
      where h.bot_id = ${reached.botId} and h.id = ${reached.handoffId}
        and coalesce(h.read_until < r.at, true)`,
  )
