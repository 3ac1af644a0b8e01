// Deletes old events and messages, where the operator limits their age. Small batches in the order
// of the primary key, whose ids begin with the time, so a run reads only what it deletes. Keeps
// lanes with deliveries, pending or dead, whose events and messages are still needed, and days that
// the daily statistics have not counted yet.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { earliestId } from '../../lib/index.ts'
import { batchSize, type Person, type Selected } from '../../table-rules/index.ts'

const dayMs = 86_400_000
/** Rows per statement: writers of their conversations wait for it. */
const batch = 1_000
/** Per run, because a server that stops waits for the run. */
const maxBatches = 20
const nextRunMs = 100

type Table = 'event' | 'message'

interface Batch {
  botId: string
  /** Condition on the table or alias `t` for old rows. */
  old: RawBuilder<unknown>
}

/**
 * Returns a periodic task that deletes events after `days`, or none for 0. It resolves with the
 * delay of the next run if more rows are old.
 */
export const createEventRemoval = (db: Db, days: number) =>
  createRemoval(db, 'event', days, removeEvents)

/** The same for messages. */
export const createMessageRemoval = (db: Db, days: number) =>
  createRemoval(db, 'message', days, removeMessages)

function createRemoval(
  db: Db,
  table: Table,
  days: number,
  remove: (db: Db, batch: Batch) => Promise<number>,
): () => Promise<number | undefined> {
  /** The last bot without further rows to delete. */
  let done = ''
  return async () => {
    if (days === 0) return undefined
    const at = new Date(Date.now() - days * dayMs)
    const before = earliestId(table, at.getTime())
    for (let n = 0; n < maxBatches; n++) {
      const botId = await nextBot(db, table, done, before)
      if (botId === undefined) {
        done = ''
        return undefined
      }
      if ((await remove(db, { botId, old: isOld(botId, before, at) })) < batch)
        done = botId
    }
    return nextRunMs
  }
}

/** Finds the next bot whose oldest row is old, by one step in the primary key for each bot. */
async function nextBot(
  db: Db,
  table: Table,
  after: string,
  before: string,
): Promise<string | undefined> {
  const oldest = (
    bot: RawBuilder<unknown>,
  ) => sql`select bot_id, id from ${sql.table(table)}
    where bot_id > ${bot} order by bot_id, id limit 1`
  const { rows } = await sql<{ bot_id: string }>`
    with recursive oldest as (
      (${oldest(sql`${after}::text`)})
      union all
      select next.* from oldest cross join lateral (${oldest(sql`oldest.bot_id`)}) next
    )
    select bot_id from oldest where id < ${before} limit 1`.execute(db)
  return rows[0]?.bot_id
}

/** Ids from other servers may sort anywhere, so the time counts as well. */
const isOld = (botId: string, before: string, at: Date) => sql`
  t.bot_id = ${botId} and t.id < ${before} and t.created_at < ${at}
    and t.created_at < (select (through + 1)::timestamptz from analytics_progress where bot_id = ${botId})`

const hasNoDelivery = (...lanes: RawBuilder<unknown>[]) => sql`not exists (
  select from delivery d where d.bot_id = t.bot_id and d.lane in (${sql.join(lanes)}))`

const isDone = {
  event: sql`t.status not in ('pending', 'scheduled')
    and ${hasNoDelivery(sql`coalesce(t.workflow_id, t.conversation_id, t.id)`)}`,
  message: hasNoDelivery(sql`t.conversation_id`, sql`'out:' || t.conversation_id`),
}

/** Returns the condition for the rows `t` of a bot that are older than `at` and may be deleted. */
export const isRemovable = (table: Table, botId: string, at: Date) =>
  sql`${isOld(botId, earliestId(table, at.getTime()), at)} and ${isDone[table]}`

async function removeEvents(db: Db, { old }: Batch): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event where ctid = any(array(
      select t.ctid from event t where ${old} and ${isDone.event} order by t.id limit ${batch}
    ))`.execute(db)
  return Number(numAffectedRows)
}

const removeMessages = (db: Db, { botId, old }: Batch): Promise<number> =>
  deleteMessages(
    db,
    botId,
    sql`${old} and ${isDone.message} order by t.id limit ${batch}`,
  )

/**
 * Deletes the messages `t` that a condition with a limit selects. Locks their conversations first,
 * like the deletion of a conversation, and keeps their counts.
 */
async function deleteMessages(
  db: Db,
  botId: string,
  selected: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with doomed as materialized (
      select t.ctid as place, t.conversation_id from message t where ${selected}
    ),
    locked as materialized (
      select id from conversation where bot_id = ${botId}
        and id in (select conversation_id from doomed) order by id for no key update
    ),
    removed as (
      delete from message where ctid = any(array(
        select place from doomed join locked on locked.id = doomed.conversation_id
      )) returning conversation_id
    ),
    counted as (
      update conversation c set message_count = c.message_count - n
      from (select conversation_id, count(*) as n from removed group by conversation_id) r
      where c.bot_id = ${botId} and c.id = r.conversation_id
    )
    select count(*)::int as removed from removed`.execute(db)
  return rows[0]!.removed
}

/** Deletes the messages that a retention rule selects. */
export const removeOldMessages = async (db: Db, botId: string, { where }: Selected) => ({
  count: await deleteMessages(db, botId, where),
})

/** Deletes messages that an erasure selects. */
export const removePersonsMessages = async (
  db: Db,
  { botId }: Person,
  belongs: RawBuilder<boolean>,
) => ({ count: await deleteMessages(db, botId, sql`${belongs} limit ${batchSize}`) })
