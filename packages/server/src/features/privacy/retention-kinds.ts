// The tables with a limited age: which rows are old, and which of them stay because work on them has
// not ended. Every condition on `t` has an index, so a statement reads only old rows.
import type { RetentionKind } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { earliestId } from '../../core/lib/ids.ts'
import { deleteMessages, isRemovable } from '../../core/messaging/messages/history-removal.ts'
import { finishAttempts } from '../../core/queue/attempts.ts'
import { hasDeclaredCell, hasDeclaredColumns } from './person-data.ts'

/** Rows per statement: writers of the same rows wait for it. */
export const batch = 500
/** Conversations per statement; each has many rows. */
const conversationBatch = 50

type Condition = RawBuilder<unknown>

export interface Age {
  botId: string
  /** Older rows are deleted. */
  at: Date
}

export interface Aged {
  kind: RetentionKind
  table: string
  old: (age: Age) => Condition
  /** Of the old rows, deletes only these. */
  isFree?: (age: Age) => Condition
  /**
   * Column that, with `id`, gives the order in which a sweep walks through the old rows, because rows
   * that are not free stay. Without it, no old row stays.
   */
  walk?: string
  /** Order of a batch: that of the index which the condition uses. */
  order?: Condition
  /** Rows of a batch, by default 500. */
  size?: number
  /** Deletes the rows that the condition selects; returns whether all of them are deleted. */
  remove?: (db: Db, botId: string, selected: Selected) => Promise<Removed>
}

/** Rows of a walk by their ids, or a condition on `t` with a limit. */
interface Selected {
  ids: string[]
  where: Condition
}

interface Removed {
  count: number
  /** Rows of the batch are left; the next batch begins with them. */
  hasMore?: boolean
}

export const cutOf = (days: number) => new Date(Date.now() - days * 86_400_000)

const ofBot = ({ botId }: Age) => sql`t.bot_id = ${botId}`
const isBefore =
  (column: string) =>
  (age: Age): Condition =>
    sql`${ofBot(age)} and ${sql.ref(`t.${column}`)} < ${age.at}`

/** For tables without an index of the time: their ids begin with it. */
const isBeforeById =
  (kind: 'eventTrace' | 'actionRun', column: string) =>
  (age: Age): Condition =>
    sql`${isBefore(column)(age)} and t.id < ${earliestId(kind, age.at.getTime())}`

const isActive = sql`w.status in ('pending', 'in_progress', 'listening', 'paused')`

/**
 * Nothing is pending, scheduled or running in the conversation, and no person holds it. Scheduled
 * events have no index of conversations, so one statement reads them once.
 */
const isIdleConversation = ({ botId }: Age): Condition => sql`
  not exists (select from delivery d where d.bot_id = t.bot_id and d.lane in (t.id, 'out:' || t.id))
  and not exists (select from handoff h where h.bot_id = t.bot_id and h.conversation_id = t.id
    and h.closed_at is null)
  and not exists (select from workflow w where w.bot_id = t.bot_id and w.conversation_id = t.id
    and ${isActive})
  and not exists (select from scheduled_message s where s.bot_id = t.bot_id and s.conversation_id = t.id)
  and t.id not in (select e.conversation_id from event e where e.bot_id = ${botId}
    and e.due_at is not null and e.status = 'scheduled' and e.conversation_id is not null)`

/** Not the bot itself, no participant of a conversation, no person who answers in place of the bot. */
const isIdleUser = (): Condition => sql`
  t.id <> t.bot_id
  and not exists (select from participant p where p.bot_id = t.bot_id and p.user_id = t.id)
  and not exists (select from conversation c where c.bot_id = t.bot_id and c.owner_id = t.id)
  and not exists (select from handoff_agent a where a.bot_id = t.bot_id and a.user_id = t.id)
  and not exists (select from workflow w where w.bot_id = t.bot_id and w.user_id = t.id and ${isActive})`

/** The daily statistics must have counted its messages. */
const isCounted = ({ botId }: Age) => sql`t.updated_at < (
  select (through + 1)::timestamptz from analytics_progress where bot_id = ${botId})`

/** It names a user in a declared column. */
const isOldRow = (age: Age): Condition => sql`${isBefore('updated_at')(age)}
  and t.bot_table_id in (${hasDeclaredColumns(age)})
  and hashtext(t.bot_table_id) = any(array(
    select hashtext(d.bot_table_id) from (${hasDeclaredColumns(age)}) d))
  and ${hasDeclaredCell(age, sql`is not null`)}`

/** In the order of deletion. Sweeps store the index: add at the end. */
export const agedTables: Aged[] = [
  {
    kind: 'conversations',
    table: 'conversation',
    old: (age) => sql`${isBefore('updated_slot')(age)} and t.updated_at < ${age.at}
      and (t.last_message_at is null or t.last_message_at < ${age.at}) and ${isCounted(age)}`,
    isFree: isIdleConversation,
    walk: 'updated_slot',
    size: conversationBatch,
    remove: removeConversations,
  },
  {
    kind: 'messages',
    table: 'message',
    old: ({ botId, at }) => isRemovable('message', botId, at),
    order: sql`order by t.id`,
    remove: async (db, botId, { where }) => ({ count: await deleteMessages(db, botId, where) }),
  },
  {
    kind: 'events',
    table: 'event',
    old: ({ botId, at }) => isRemovable('event', botId, at),
    order: sql`order by t.id`,
  },
  {
    kind: 'users',
    table: 'user',
    old: isBefore('updated_at'),
    isFree: isIdleUser,
    walk: 'updated_at',
  },
  {
    kind: 'files',
    table: 'file',
    old: (age) => sql`${isBefore('updated_at')(age)} and t.owner ->> 'type' = 'user'`,
    isFree: () => sql`t.upload_until is null and t.indexing_worker is null`,
    walk: 'updated_at',
  },
  { kind: 'logs', table: 'bot_log', old: isBefore('at') },
  {
    kind: 'logs',
    table: 'integration_log',
    old: (age) => sql`t.integration_id in (
      select i.integration_id from installation i where i.bot_id = ${age.botId})
      and ${isBefore('at')(age)}`,
  },
  { kind: 'traces', table: 'observation', old: isBefore('created_at') },
  { kind: 'traces', table: 'event_trace', old: isBeforeById('eventTrace', 'created_at') },
  { kind: 'traces', table: 'action_run', old: isBeforeById('actionRun', 'started_at') },
  { kind: 'issues', table: 'issue', old: isBefore('last_seen_at') },
  {
    kind: 'deadLetters',
    table: 'delivery',
    old: (age) => sql`${isBefore('dead_at')(age)} and t.dead_at is not null`,
    remove: discardDeadLetters,
  },
  { kind: 'webhookRequests', table: 'webhook_request', old: isBefore('at') },
  { kind: 'tableRows', table: 'table_row', old: isOldRow, remove: removeTableRows },
]

/**
 * Deletes their messages, events and ended workflows first, in batches: a conversation may have a
 * million. The locks keep new messages away.
 */
async function removeConversations(
  db: Db,
  botId: string,
  { ids, where }: Selected,
): Promise<Removed> {
  const { rows } = await sql<{ id: string }>`
    select t.id from conversation t where ${where} order by t.id for update`.execute(db)
  const locked = rows.map(({ id }) => id)
  if (ids.length === 0 || locked.length === 0) return { count: 0 }
  const isOfThem = sql`t.bot_id = ${botId} and t.conversation_id = any(${locked}::text[])`
  const isEventOfThem = sql`${isOfThem} and hashtextextended(t.conversation_id, 0) = any(array(
    select hashtextextended(id, 0) from unnest(${locked}::text[]) id))`
  const parts: [string, Condition][] = [
    ['message', isOfThem],
    ['event', isEventOfThem],
    ['workflow', isOfThem],
    ['signal', isOfThem],
  ]
  for (const [table, isPart] of parts)
    if ((await deleteSome(db, table, isPart)) === batch) return { count: 0, hasMore: true }
  const { numAffectedRows } = await sql`
    delete from conversation where bot_id = ${botId} and id = any(${locked}::text[])`.execute(db)
  return { count: Number(numAffectedRows) }
}

export async function deleteSome(db: Db, table: string, selected: Condition): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t where ${selected} limit ${batch}
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** Locks the counters of the tables first, like every writer of rows. */
async function removeTableRows(db: Db, botId: string, { where }: Selected): Promise<Removed> {
  await sql`select from table_counter where bot_id = ${botId}
    and bot_table_id in (${hasDeclaredColumns({ botId })}) order by bot_table_id for update`.execute(
    db,
  )
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from table_row where ctid = any(array(select t.ctid from table_row t where ${where}))
        returning bot_table_id, row_id
    ), terms as (
      delete from table_row_terms where bot_id = ${botId}
        and (bot_table_id, row_id) in (select bot_table_id, row_id from removed)
    )
    select count(*)::int as count from removed`.execute(db)
  return { count: rows[0]!.count }
}

/** Their events stay failed, as after discarding a dead letter. */
async function discardDeadLetters(db: Db, _botId: string, { where }: Selected): Promise<Removed> {
  const { rows } = await sql`
    with picked as (select t.* from delivery t where ${where} for update skip locked),
    removed as (delete from delivery d using picked p where d.bot_id = p.bot_id and d.id = p.id),
    finished as (${sql.raw(finishAttempts('picked'))})
    select id from picked`.execute(db)
  return { count: rows.length }
}
