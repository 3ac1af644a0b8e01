// Failed attempts of deliveries that are over. They stay for traces until they are old, or excess
// of their bot. Those of pending deliveries and dead letters stay as long as their delivery.
import type { DeliveryAttempt } from '@botstead/contract'
import { sql } from 'kysely'
import { type Database, type Db, statement } from '../../db/index.ts'
import type { DeliveryKind } from '../deliveries.ts'

/** Per bot. */
const max = 10_000
/** Rows per statement. */
const batch = 10_000

/**
 * Marks the attempts of deliveries that end. A CTE body that expects the rows
 * `ended(bot_id, id, subject_id)`.
 */
export const finishAttempts = (ended: string) => `
  update delivery_attempt a set subject_id = e.subject_id, finished_at = now() from ${ended} e
  where a.bot_id = e.bot_id and a.delivery_id = e.id`

interface AttemptRow {
  attempt: number
  started_at: Date
  ms: number
  error: string
  stack: string | null
  [column: string]: unknown
}

interface Subject {
  botId: string
  id: string
}

/** The lanes that may hold a delivery of the subject. */
const lanes = {
  event: 'select unnest(array[workflow_id, conversation_id, id]) from event',
  message: `select 'out:' || conversation_id from message`,
}

const listStatement = (kind: keyof typeof lanes) =>
  statement<Subject>(
    `list-${kind}-attempts`,
    `select a.attempt, a.started_at, a.ms, a.error, a.stack from (
       select * from delivery_attempt
       where bot_id = :botId and subject_id = :id and finished_at is not null
       union all
       select a.* from (
         select id from delivery where bot_id = :botId and subject_id = :id and dead_at is not null
         union all
         select id from delivery where bot_id = :botId and subject_id = :id and dead_at is null
           and lane in (${lanes[kind]} where bot_id = :botId and id = :id)
       ) d
       join delivery_attempt a on a.bot_id = :botId and a.delivery_id = d.id and a.finished_at is null
     ) a order by a.started_at, a.attempt limit 100`,
  )
const listStatements = {
  event: listStatement('event'),
  message: listStatement('message'),
}

/** Lists the failed attempts to deliver an event or a message, oldest first. */
export async function listSubjectAttempts(
  database: Database,
  kind: Exclude<DeliveryKind, 'change'>,
  subject: Subject,
): Promise<DeliveryAttempt[]> {
  return (await database.run<AttemptRow>(...listStatements[kind](subject))).map(toAttempt)
}

const listDeadStatement = statement<Subject>(
  'list-attempts',
  `
    select attempt, started_at, ms, error, stack from delivery_attempt
    where bot_id = :botId and delivery_id = :id order by attempt`,
)

/** Lists all attempts of a dead letter, including those before earlier redeliveries. */
export async function listAttempts(
  database: Database,
  botId: string,
  id: string,
): Promise<DeliveryAttempt[]> {
  return (await database.run<AttemptRow>(...listDeadStatement({ botId, id }))).map(
    toAttempt,
  )
}

const toAttempt = ({
  attempt,
  started_at,
  ms,
  error,
  stack,
}: AttemptRow): DeliveryAttempt => ({
  number: attempt,
  startedAt: started_at.toISOString(),
  ms,
  error,
  ...(stack !== null && { stack }),
})

/**
 * Periodic task: removes attempts of deliveries that ended this many days ago, and each bot's oldest
 * beyond 10,000. Walks the bots along an index, one step each.
 */
export async function removeOldAttempts(db: Db, days: number): Promise<void> {
  await sql`
    with recursive holder as (
      (select bot_id from delivery_attempt where finished_at is not null order by bot_id limit 1)
      union all
      select (select a.bot_id from delivery_attempt a where a.bot_id > holder.bot_id
        and a.finished_at is not null order by a.bot_id limit 1) from holder where holder.bot_id is not null
    ),
    cut as materialized (
      select bot_id, greatest(now() - ${days} * interval '1 day', (
        select finished_at from delivery_attempt a where a.bot_id = holder.bot_id
          and finished_at is not null order by finished_at desc offset ${max} limit 1
      )) as at from holder where bot_id is not null
    )
    delete from delivery_attempt where ctid = any(array(
      select a.ctid from cut join delivery_attempt a on a.bot_id = cut.bot_id
        and a.finished_at <= cut.at limit ${batch}
    ))`.execute(db)
}
