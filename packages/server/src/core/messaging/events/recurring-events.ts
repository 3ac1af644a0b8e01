// Events that bots declare to recur by a cron expression. Owns the table recurring_event, with one
// row per declaration, kept in sync with the bot's definition. If no server ran for several ticks,
// one tick makes up for all of them, and the next follows the expression. A blocked bot does not
// tick, and its missed ticks are not made up for. outcomes.ts counts the failures.

import { sql } from 'kysely'
import type { BotDefinition } from '../../bots/index.ts'
import { type ColumnArrays, type Database, type Db, statement } from '../../db/index.ts'
import { newId, nextTick } from '../../lib/index.ts'
import { isAwake, type Queue, queueStatements } from '../../queue/index.ts'

/**
 * Syncs the rows within the transaction that changes the bot. Unchanged declarations keep their
 * next tick.
 */
export async function keepRecurringEvents(
  db: Db,
  bot: {
    id: string
    blocked: boolean
    definition: Pick<BotDefinition, 'recurringEvents'>
  },
): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const wanted = Object.entries(bot.definition.recurringEvents).map(
    ([
      key,
      {
        type,
        payload,
        schedule: { cron },
      },
    ]) => ({
      key,
      type,
      payload,
      cron,
      next_at: bot.blocked ? null : nextTick(cron, rows[0]!.now),
    }),
  )
  await sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w (key text, type text, payload jsonb, cron text, next_at timestamptz(3))
    ),
    removed as (delete from recurring_event r where r.bot_id = ${bot.id}
      and not exists (select from wanted w where w.key = r.key))
    insert into recurring_event as r (bot_id, key, type, payload, cron, next_at)
    select ${bot.id}, key, type, payload, cron, next_at from wanted order by key
    on conflict (bot_id, key) do update set type = excluded.type, payload = excluded.payload,
      cron = excluded.cron,
      next_at = case when r.cron = excluded.cron and r.next_at is not null
        and excluded.next_at is not null then r.next_at else excluded.next_at end`.execute(
    db,
  )
}

interface DueTick {
  bot_id: string
  key: string
  cron: string
  next_at: Date
  now: Date
  [column: string]: unknown
}

const dueTicks = statement(
  'due-ticks',
  `select bot_id, key, cron, next_at, now() as now from recurring_event where next_at <= now()
    and ${isAwake('recurring_event.bot_id')} order by next_at limit 200`,
)

interface TickValues {
  botId: string
  key: string
  dueAt: Date
  nextAt: Date | null
  eventId: string
  deliveryId: string
}

/** Skips rows that another process or the bot's owner has changed. */
const tick = statement<ColumnArrays<TickValues> & { owner: string | null }>(
  'tick',
  `
  with wanted as (
    select * from unnest(:botId::text[], :key::text[], :dueAt::timestamptz[], :nextAt::timestamptz[],
      :eventId::text[], :deliveryId::text[])
      as w (bot_id, key, due_at, then_at, event_id, delivery_id)
  ),
  ours as (
    select w.* from wanted w join recurring_event r on r.bot_id = w.bot_id and r.key = w.key
      and r.next_at = w.due_at for update of r skip locked
  ),
  moved as (
    update recurring_event r set next_at = o.then_at from ours o where r.bot_id = o.bot_id and r.key = o.key
      and r.next_at = o.due_at
    returning r.bot_id, r.key, r.type, r.payload, o.event_id, o.delivery_id
  ),
  noted as (insert into event (bot_id, id, type, payload, recurring_key) select bot_id, event_id,
    type, payload, key from moved),
  due as (select bot_id, event_id as lane, delivery_id, 'event' as kind, event_id as subject_id, 1 as ord
    from moved),
  ${queueStatements.enqueueDue(':owner')}
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, ahead from placed`,
)

type Placed = Parameters<typeof queueStatements.toEnqueued>[0] & {
  [column: string]: unknown
}

/** Returns the number of ticks, without those that another process has locked. */
export async function tickRecurringEvents(deps: {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}): Promise<number> {
  const { database, deliveries } = deps
  const due = await database.run<DueTick>(...dueTicks({}))
  const column = <T>(of: (one: DueTick) => T) => due.map(of)
  const placed = await database.run<Placed>(
    ...tick({
      botId: column((one) => one.bot_id),
      key: column((one) => one.key),
      dueAt: column((one) => one.next_at),
      nextAt: column((one) => nextTick(one.cron, one.now)),
      eventId: column(() => newId('event')),
      deliveryId: column(() => newId('delivery')),
      owner: deliveries.owner,
    }),
  )
  deliveries.dispatch(placed.map((row) => queueStatements.toEnqueued(row)))
  return placed.length
}
