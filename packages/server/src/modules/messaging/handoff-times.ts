// Response times of handoffs.
import type { HandoffTimes } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'

type Counted = { count: number; median: number | null; p95: number | null }

/** `until` is a column of `handoff`, null for handoffs that do not count. */
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
      durations(sql.ref('answered_at')).as('firstAnswer'),
      durations(closedAs('solved')).as('solution'),
      durations(closedAs('returned')).as('return'),
    ])
    .where('bot_id', '=', botId)
    .where('requested_at', '>=', from)
    .where('requested_at', '<', to)
    .where('source', '!=', 'hitl')
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
