// Events that are delivered later: rows of `event` with a due time and without a delivery. When
// they are due, one statement makes them pending and creates their deliveries, in any process. Then
// they are like any other event.
import { sql } from 'kysely'
import { type Database, type Db, statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { fencing, type Queue, queueStatements } from '../../queue/index.ts'
import { type EventRow, madeBy, type NewEvent, noEvent } from './events.ts'
import {
  claimInTurns,
  type DueClaim,
  type DueTime,
  dueAt,
  forClaims,
  waitInSql,
} from './schedule.ts'

/** Stores the event and returns the ms until it is due. Everything that it refers to must exist. */
export async function scheduleEvent(
  db: Db,
  event: NewEvent,
  due: DueTime,
): Promise<{ row: EventRow; waitMs: number }> {
  const {
    botId,
    type,
    payload,
    conversationId = null,
    userId = null,
    messageId = null,
    workflowId = null,
    cause = null,
    fence,
  } = event
  const { rows } = await sql<EventRow & { wait: number }>`
    insert into event
      (bot_id, id, type, payload, conversation_id, user_id, message_id, workflow_id, cause, status, due_at)
    select ${botId}, ${newId('event')}, ${type}, ${JSON.stringify(payload)}::jsonb,
      ${conversationId}, ${userId},
      ${messageId}, ${workflowId}, ${cause}, 'scheduled', ${dueAt(due)}
    where ${fencing.unfenced(fence)}
    returning *, ${waitInSql('due_at')} as wait`.execute(db)
  const { wait, ...row } = rows[0]!
  return { row, waitMs: wait }
}

/**
 * Cancels an event that is still scheduled. Throws ResourceNotFound if there is none or its
 * delivery has begun.
 */
export async function cancelScheduledEvent(
  db: Db,
  botId: string,
  id: string,
  maker: string | null,
): Promise<void> {
  const canceled = await db
    .updateTable('event')
    .set({ status: 'canceled', due_at: null })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .where(madeBy(maker))
    .returning('id')
    .executeTakeFirst()
  if (!canceled) throw noEvent(id, 'Scheduled event')
}

const releasing = ({ rows }: DueClaim) => `
  with due_event as (${rows('event')}),
  released as (
    update event e set status = 'pending', due_at = null from due_event d where e.bot_id = d.bot_id
      and e.id = d.id
    returning e.bot_id, e.id, coalesce(e.workflow_id, e.conversation_id, e.id) as lane, d.due_at as due
  ),
  due as (
    select bot_id, lane, (:deliveryIds::text[])[ord] as delivery_id, 'event' as kind, id as subject_id, ord
    from (select *, row_number() over (order by due, id) as ord from released) t
  ),
  ${queueStatements.enqueueDue(':owner')}
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, ahead from placed`

const releaseStatements = forClaims((claim) =>
  statement<{ deliveryIds: string[]; owner: string | null }>(
    `release-due-events-${claim.max}`,
    releasing(claim),
  ),
)

type Placed = Parameters<typeof queueStatements.toEnqueued>[0] & {
  [column: string]: unknown
}

/** Returns the number of events. */
export function enqueueDueEvents({
  database,
  deliveries,
}: {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}): Promise<number> {
  return claimInTurns(releaseStatements, async (release, max) => {
    const deliveryIds = Array.from({ length: max }, () => newId('delivery'))
    const placed = await database.run<Placed>(
      ...release({ deliveryIds, owner: deliveries.owner }),
    )
    deliveries.dispatch(
      placed
        .sort((a, b) => Number(BigInt(a.number) - BigInt(b.number)))
        .map((row) => queueStatements.toEnqueued(row)),
    )
    return placed.length
  })
}
