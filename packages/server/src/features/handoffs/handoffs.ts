// Owns the table handoff. A handoff is the lock that says that a person, not the
// bot, holds a conversation. Its effect is decided where messages get their order: under the lock
// of the conversation's row. A message that is written while the bot is paused has a withheld
// delivery, whatever happens until the delivery is made.
import { ApiError, type Handoff } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Database, Db, Schema } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import { conversationStore, createEvent, receipts } from '../../core/messaging/index.ts'
import { type Enqueued, type Queue, withholdPending } from '../../core/queue/index.ts'
import type { ChangeFeed, Signals, Stops } from '../../core/realtime/index.ts'

export type HandoffRow = Selectable<Schema['handoff']>

export interface HandoffDeps {
  database: Database
  stops: Pick<Stops, 'stop'>
  signals: Pick<Signals, 'publish'>
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}

export interface Requested {
  botId: string
  conversationId: string
  reason?: string | undefined
  summary?: string | undefined
  botReceives: 'nothing' | 'everything'
  /** The account that hands over; null for the bot. */
  requestedBy: string | null
  assignedTo: string | null
  /** The event whose handler requests the handoff; its answer is not stopped. */
  cause: string | null
  source?: Handoff['source']
}

/** Event that the bot receives first when it has the conversation again. */
const closedType = 'handoff_closed'

/**
 * Returns the open handoff of the conversation, or opens one. Ends the running answer, and
 * withholds pending deliveries to the bot. Throws ResourceNotFound.
 */
export const requestHandoff = async (deps: HandoffDeps, requested: Requested) =>
  (await openHandoff(deps, requested)).row

/** Notifies pages after a change by code; the server does so after each request of a person. */
export function announceHandoffs(
  { changeFeed }: { changeFeed: Pick<ChangeFeed, 'publish'> },
  botId: string,
): void {
  for (const topic of ['handoffs', 'conversations'] as const)
    changeFeed.publish({ topic, botId })
}

export async function openHandoff(
  deps: HandoffDeps,
  requested: Requested,
): Promise<{ row: HandoffRow; isNew: boolean }> {
  const { botId, conversationId } = requested
  const { row, isNew, name, withheld } = await deps.database.inTransaction(
    async ({ db }) => {
      // Serialises with messages. What they have enqueued is visible to the next statements.
      const name = await lockConversation(db, botId, conversationId)
      const open = await findOpen(db, botId, conversationId)
      if (open) return { row: open, isNew: false, name, withheld: [] }
      const row = await insertHandoff(db, requested)
      if (row.bot_receives === 'everything')
        return { row, isNew: true, name, withheld: [] }
      await conversationStore.pauseBot(db, botId, conversationId, true)
      return {
        row,
        isNew: true,
        name,
        withheld: await withholdPending(db, {
          botId,
          lane: conversationId,
          cause: requested.cause,
        }),
      }
    },
  )
  if (isNew) publishChange(deps, row, name)
  for (const { id, subject_id: eventId } of withheld)
    deps.stops.stop({ botId, conversationId, eventId, deliveryId: id })
  return { row, isNew }
}

/** Listeners of the conversation show who answers. `name` is the conversation's id for them. */
function publishChange(
  { signals }: Pick<HandoffDeps, 'signals'>,
  row: HandoffRow,
  name: string,
) {
  const {
    bot_id: botId,
    conversation_id: id,
    requested_at: openedAt,
    closed_at: closedAt,
  } = row
  const place = { conversationId: name }
  signals.publish(botId, id, null, () =>
    closedAt === null
      ? { type: 'handoff_opened', data: { ...place, openedAt: openedAt.toISOString() } }
      : { type: 'handoff_closed', data: { ...place, closedAt: closedAt.toISOString() } },
  )
}

/** Listeners of the conversation show the name of the member who answers. */
export async function publishAssignment(
  { db, signals }: { db: Db; signals: Pick<Signals, 'publish'> },
  { bot_id: botId, conversation_id: id, assigned_to: accountId }: HandoffRow,
): Promise<void> {
  const found = await db
    .selectFrom('conversation')
    .leftJoin('account', (join) => join.on('account.id', '=', accountId))
    .select(['conversation.fid', 'account.name'])
    .where('conversation.bot_id', '=', botId)
    .where('conversation.id', '=', id)
    .executeTakeFirst()
  const data = {
    conversationId: found?.fid ?? id,
    ...(accountId !== null && {
      assignee: receipts.toAssignee({ name: found?.name ?? null }),
    }),
  }
  signals.publish(botId, id, null, () => ({ type: 'handoff_assigned', data }))
}

/** Returns the id that users of the chat know. Throws ResourceNotFound. */
async function lockConversation(db: Db, botId: string, id: string): Promise<string> {
  const locked = await db
    .selectFrom('conversation')
    .select('fid')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!locked)
    throw new ApiError('ResourceNotFound', `Conversation "${id}" was not found`)
  return locked.fid ?? id
}

export const findOpen = (db: Db, botId: string, conversationId: string) =>
  db
    .selectFrom('handoff')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()

const insertHandoff = (db: Db, { cause: _, ...requested }: Requested) =>
  db
    .insertInto('handoff')
    .values({
      bot_id: requested.botId,
      id: newId('handoff'),
      conversation_id: requested.conversationId,
      reason: requested.reason ?? null,
      summary: requested.summary ?? null,
      bot_receives: requested.botReceives,
      source: requested.source ?? 'request',
      requested_by: requested.requestedBy,
      assigned_to: requested.assignedTo,
      assigned_at: requested.assignedTo === null ? null : sql<Date>`now()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Whether a member answers the conversation, or should. */
export const isHandedOver = async (db: Db, botId: string, conversationId: string) =>
  (await findOpen(db, botId, conversationId)) !== undefined

/** Throws ResourceNotFound. */
export async function findHandoff(
  db: Db,
  botId: string,
  id: string,
): Promise<HandoffRow> {
  const found = await db
    .selectFrom('handoff')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new ApiError('ResourceNotFound', `Handoff "${id}" was not found`)
  return found
}

/**
 * Changes who answers. Throws ResourceNotFound, RelationConflict if the handoff is closed or belongs
 * to a plugin, and ResourceLockedConflict if it is no longer assigned to `from`.
 */
export async function assignHandoff(
  db: Db,
  botId: string,
  id: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<HandoffRow> {
  const changed = await db
    .updateTable('handoff')
    .set({ assigned_to: to, assigned_at: to === null ? null : sql<Date>`now()` })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .where('source', '!=', 'hitl')
    .where('assigned_to', 'is not distinct from', from)
    .returningAll()
    .executeTakeFirst()
  return changed ?? reject(await findHandoff(db, botId, id), from)
}

/** Throws as `assignHandoff` does, unless the handoff is open and assigned to `from`. */
export async function findAssigned(
  db: Db,
  botId: string,
  id: string,
  from: string | null,
): Promise<HandoffRow> {
  return checkAssigned(await findHandoff(db, botId, id), from)
}

const checkAssigned = (row: HandoffRow, from: string | null): HandoffRow =>
  row.closed_at === null && row.assigned_to === from ? row : reject(row, from)

/**
 * Like `findAssigned`, and keeps other requests from assigning or closing the handoff until the end of
 * the transaction. Locks the conversation first, as closing does: the message will lock it, too.
 */
export async function lockAssigned(
  db: Db,
  botId: string,
  id: string,
  from: string | null,
): Promise<HandoffRow> {
  const row = await db
    .selectFrom('conversation')
    .innerJoin('handoff', (join) =>
      join
        .onRef('handoff.bot_id', '=', 'conversation.bot_id')
        .onRef('handoff.conversation_id', '=', 'conversation.id'),
    )
    .selectAll('handoff')
    .where('handoff.bot_id', '=', botId)
    .where('handoff.id', '=', id)
    .forNoKeyUpdate(['conversation', 'handoff'])
    .executeTakeFirst()
  return checkAssigned(row ?? (await findHandoff(db, botId, id)), from)
}

function reject(row: HandoffRow, from: string | null): never {
  if (row.closed_at !== null)
    throw new ApiError('RelationConflict', `Handoff "${row.id}" is closed`)
  if (row.source === 'hitl')
    throw new ApiError(
      'RelationConflict',
      `Handoff "${row.id}" is a session of the plugin "hitl": answer it at the help desk, or close it`,
    )
  throw new ApiError(
    'ResourceLockedConflict',
    `Handoff "${row.id}" is ${row.assigned_to === null ? 'not assigned' : 'assigned to another person'}`,
    { metadata: { assignedTo: row.assigned_to, expected: from } },
  )
}

/** Notes the time of the first answer. Requires `lockAssigned`. */
export async function noteAnswer(
  db: Db,
  { bot_id: botId, id, answered_at: answeredAt }: HandoffRow,
): Promise<void> {
  if (answeredAt !== null) return
  await db
    .updateTable('handoff')
    .set({ answered_at: sql<Date>`now()` })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .execute()
}

/**
 * Gives the conversation back to the bot, together with the event that says so: neither can be lost
 * without the other. Sessions of the plugin `hitl` have no event. `by` is the account to which it must
 * be assigned, if it is; undefined for the bot. Throws as `assignHandoff` does.
 */
export async function closeHandoff(
  { database, deliveries, signals }: HandoffDeps,
  botId: string,
  id: string,
  { outcome, by }: { outcome: 'returned' | 'solved'; by: string | undefined },
): Promise<HandoffRow> {
  const enqueued: Enqueued[] = []
  const gathering = {
    owner: deliveries.owner,
    dispatch: (placed: Enqueued[]) => void enqueued.push(...placed),
  }
  const { row, name } = await database.inTransaction(async (inside) => {
    const { conversation_id: conversationId } = await findHandoff(inside.db, botId, id)
    const name = await lockConversation(inside.db, botId, conversationId)
    const row = await markClosed(inside.db, botId, id, outcome, by)
    await conversationStore.pauseBot(inside.db, botId, conversationId, false)
    // The plugin runs in bots of Botpress Cloud, which know no event `handoff_closed`.
    if (row.source !== 'hitl')
      await notifyBot({ database: inside, deliveries: gathering }, row)
    return { row, name }
  })
  deliveries.dispatch(enqueued)
  publishChange({ signals }, row, name)
  return row
}

const notifyBot = (
  deps: Parameters<typeof createEvent>[0],
  { bot_id: botId, conversation_id: conversationId, id: handoffId, outcome }: HandoffRow,
) =>
  createEvent(deps, {
    botId,
    conversationId,
    type: closedType,
    payload: { conversationId, handoffId, outcome },
  })

async function markClosed(
  db: Db,
  botId: string,
  id: string,
  outcome: 'returned' | 'solved',
  by: string | undefined,
): Promise<HandoffRow> {
  let update = db
    .updateTable('handoff')
    .set({ closed_at: sql<Date>`now()`, outcome })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
  if (by !== undefined)
    update = update.where((is) =>
      is.or([is('assigned_to', 'is', null), is('assigned_to', '=', by)]),
    )
  const closed = await update.returningAll().executeTakeFirst()
  return closed ?? reject(await findHandoff(db, botId, id), by ?? null)
}
