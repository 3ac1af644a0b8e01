// Owns the table scheduled_message. Until a message is due, it is only there: not in lists, not
// visible to listeners. Then the statement that writes all messages moves it, and it keeps the id
// that the caller received.
import { sql } from 'kysely'
import { appendBotLogs, type LogDeps } from '../../bots/index.ts'
import type { Database, Db } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { type Enqueued, fencing, type Queue } from '../../queue/index.ts'
import type { Signals } from '../../realtime/index.ts'
import { claimInTurns, type DueTime, dueAt, waitInSql } from '../events/schedule.ts'
import { type FoundOrCreated, getOrCreate } from '../get-or-create.ts'
import type { SerializableMessage } from '../serializers.ts'
import { json, mergedTags } from '../tags/tag-columns.ts'
import { changeOfTags, type Tags, type Viewer } from '../tags/tags.ts'
import { writeDueMessages } from './message-statements.ts'
import type { NewMessage } from './message-types.ts'
import {
  findWrittenMessage,
  inOrder,
  type Prepared,
  publish,
  rejectionReason,
  toDelivery,
  toWrittenMessage,
  type WrittenRow,
} from './message-writer.ts'
import {
  existsElsewhere,
  findByTags,
  type MessageChange,
  toLockKey,
  updateMessage,
  type WantedMessage,
} from './messages.ts'
import { takeRepeatedMessage } from './repeated-messages.ts'

/**
 * Returns a row with its final id. Throws ResourceNotFound and ReferenceNotFound as posting a
 * message does.
 */
export async function scheduleMessage(
  database: Database,
  db: Db,
  message: NewMessage,
  due: DueTime,
): Promise<{ row: SerializableMessage; waitMs: number }> {
  const { botId, conversationId, userId, direction, type, payload } = message
  const { tags = {}, origin = null, cause = null, run = null, fence } = message
  const before =
    run !== null && cause ? await findScheduledBefore(database, db, message) : undefined
  if (before) return before
  const { rows } = await sql<SerializableMessage & { wait: number }>`
    insert into scheduled_message (bot_id, id, conversation_id, user_id, direction, type, payload,
      tags, origin, cause, said_again, due_at)
    select c.bot_id, ${newId('message')}, c.id, u.id, ${direction}, ${type},
      ${JSON.stringify(payload)}::jsonb, ${JSON.stringify(tags)}::jsonb, ${origin}, ${cause}, ${run},
        ${dueAt(due)}
    from conversation c join "user" u on u.bot_id = c.bot_id
    where c.bot_id = ${botId} and c.id = ${conversationId} and u.id = ${userId} and ${fencing.unfenced(fence)}
    returning *, created_at as updated_at, ${waitInSql('due_at')} as wait`.execute(db)
  const [stored] = rows
  if (!stored) throw await rejectionReason(database, message)
  return { row: stored, waitMs: stored.wait }
}

/**
 * Finds the same message of an earlier run of the handler, as in repeated-messages.ts; it may be
 * written already. The time of the earlier run applies.
 */
async function findScheduledBefore(
  database: Database,
  db: Db,
  message: NewMessage,
): Promise<{ row: SerializableMessage; waitMs: number } | undefined> {
  const { botId, conversationId, userId, direction, type, payload } = message
  const { tags = {}, origin = null, cause, run } = message
  const { rows } = await sql<SerializableMessage & { wait: number }>`
    with repeated as (
      select bot_id, id from scheduled_message
      where bot_id = ${botId} and conversation_id = ${conversationId} and cause = ${cause}
        and user_id = ${userId} and direction = ${direction} and type = ${type}
        and payload = ${JSON.stringify(payload)}::jsonb and tags = ${JSON.stringify(tags)}::jsonb
          and origin is not distinct from ${origin}
        and said_again is distinct from ${run}
      order by id limit 1 for update skip locked
    )
    update scheduled_message s set said_again = ${run} from repeated where s.bot_id = repeated.bot_id
      and s.id = repeated.id
    returning s.*, s.created_at as updated_at, ${waitInSql('s.due_at')} as wait`.execute(
    db,
  )
  if (rows[0]) return { row: rows[0], waitMs: rows[0].wait }
  const repeatedId = await takeRepeatedMessage(database, message)
  const written = repeatedId && (await findWrittenMessage(db, botId, repeatedId))
  return written ? { row: written, waitMs: 0 } : undefined
}

/** As getOrCreateMessage, for a scheduled message: searches written and scheduled messages. */
export async function getOrScheduleMessage(
  db: Db,
  botId: string,
  viewer: Viewer,
  { conversationId, match, tags, payload }: WantedMessage,
  schedule: () => Promise<SerializableMessage>,
): Promise<FoundOrCreated<SerializableMessage>> {
  if (!match) return { row: await schedule(), created: true }
  return getOrCreate<SerializableMessage>(db, toLockKey(botId, match), {
    find: async (db) =>
      (await findByTags(db, botId, conversationId, match)) ??
      (await findScheduled(db, botId, conversationId, match)),
    update: async (row) =>
      (await changeScheduled(db, botId, row, viewer, { tags, payload })) ??
      updateMessage(db, botId, row.id, viewer, { tags, payload }),
    create: schedule,
  })
}

/** A scheduled message does not track later changes. */
const shown = sql<Date>`created_at`.as('updated_at')

/**
 * By the index of migration 0046. Prefers this conversation; throws AlreadyExists for another
 * conversation's.
 */
async function findScheduled(
  db: Db,
  botId: string,
  conversationId: string,
  tags: Tags,
): Promise<SerializableMessage | undefined> {
  const { rows } = await sql<SerializableMessage>`
    select *, created_at as updated_at from scheduled_message
    where bot_id = ${botId} and tags <> '{}'
      and jsonb_set('{}', array[bot_id], tags) @> ${JSON.stringify({ [botId]: tags })}::jsonb
    order by conversation_id <> ${conversationId}, due_at, id limit 1`.execute(db)
  const [row] = rows
  if (row && row.conversation_id !== conversationId) throw existsElsewhere(row)
  return row
}

/** Returns undefined when the message is not, or no longer, scheduled. */
async function changeScheduled(
  db: Db,
  botId: string,
  row: SerializableMessage,
  viewer: Viewer,
  { tags, payload }: MessageChange,
) {
  const changed = await db
    .updateTable('scheduled_message')
    .set({
      ...(payload && { payload: json(payload) }),
      tags: mergedTags('tags', changeOfTags(tags, viewer, row.tags)),
    })
    .where('bot_id', '=', botId)
    .where('id', '=', row.id)
    .returningAll()
    .returning(shown)
    .executeTakeFirst()
  return changed as SerializableMessage | undefined
}

/** Returns false when the message is not, or no longer, scheduled. */
export async function cancelScheduledMessage(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<boolean> {
  const own = sql`exists (select from conversation c where c.bot_id = s.bot_id and c.id = s.conversation_id
    and c.integration = ${viewer})`
  const { rows } = await sql`
    delete from scheduled_message s where s.bot_id = ${botId} and s.id = ${id}
      and ${viewer === null ? sql`true` : own} returning 1`.execute(db)
  return rows.length > 0
}

interface DueRow extends WrittenRow {
  bot_id: string
  conversation_id: string
  user_id: string
  id: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: Record<string, unknown>
  tags: Record<string, string>
  origin: 'synthetic' | null
  cause: string | null
  event_id: string
  delivery_id: string
  [column: string]: unknown
}

interface Deps extends LogDeps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  signals: Signals
}

/** Writes due messages and returns their count. Reports dropped messages in the bot's log. */
export function sendDueMessages(deps: Deps): Promise<number> {
  const { database, deliveries, signals } = deps
  return claimInTurns(writeDueMessages, async (write, max) => {
    const ids = (kind: 'event' | 'delivery') =>
      Array.from({ length: max }, () => newId(kind))
    const rows = await database.run<DueRow>(
      ...write({
        eventIds: ids('event'),
        deliveryIds: ids('delivery'),
        owner: deliveries.owner,
      }),
    )
    const enqueued: Enqueued[] = []
    for (const row of rows.sort((a, b) => Number(a.ord) - Number(b.ord))) {
      if (row.number === null) continue
      const message = toPrepared(row)
      const written = toWrittenMessage(message, row)
      publish(signals, written)
      if (row.d_lane !== null) enqueued.push(toDelivery(message, row, written))
    }
    deliveries.dispatch(inOrder(enqueued))
    for (const row of rows) if (row.number === null) await logDropped(deps, row)
    return rows.length
  })
}

const toPrepared = (row: DueRow): Prepared => ({
  botId: row.bot_id,
  conversationId: row.conversation_id,
  userId: row.user_id,
  id: row.id,
  direction: row.direction,
  type: row.type,
  payload: row.payload,
  tags: row.tags,
  ...(row.origin && { origin: row.origin }),
  cause: row.cause,
  eventId: row.event_id,
  deliveryId: row.delivery_id,
  json: JSON.stringify(row.payload),
})

const logDropped = (
  deps: LogDeps,
  { bot_id, id, conversation_id: conversationId, user_id: userId }: DueRow,
) =>
  appendBotLogs(deps, bot_id, [
    {
      at: new Date(),
      level: 'warn',
      message: `The scheduled message ${id} was dropped: its conversation or its user was deleted`,
      conversationId,
      userId,
    },
  ])
