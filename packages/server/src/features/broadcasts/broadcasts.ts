// Owns the table broadcast. The row of a running broadcast is its lease: each step locks it for one
// transaction (steps.ts), so steps never overlap, a kill leaves a whole number of them, and any server makes
// the next one. To stop is to change the row: this waits for the step that is being made, and none follows.
import { ApiError, type Broadcast } from '@botstead/contract'
import { maxReasonLength, storableText } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import { isAwake } from '../../core/queue/index.ts'
import type { CheckedBroadcast } from './broadcast-input.ts'

export type BroadcastRow = Selectable<Schema['broadcast']>

/** Of one bot. */
const maxRunning = 100

interface NewBroadcast extends CheckedBroadcast {
  name: string
  perMinute: number
  startAt: Date | undefined
  createdBy: string | null
}

/** The audience is resolved when it starts. Throws LimitExceeded. */
export async function createBroadcast(
  db: Db,
  botId: string,
  { input, ...created }: NewBroadcast,
): Promise<BroadcastRow> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from broadcast where bot_id = ${botId} and state = 'running'`.execute(db)
  if (rows[0]!.count >= maxRunning)
    throw new ApiError(
      'LimitExceeded',
      `A bot has at most ${maxRunning} running broadcasts: stop one`,
    )
  return insertBroadcast(db, botId, { input, ...created })
}

export function insertBroadcast(
  db: Db,
  botId: string,
  { input, name, perMinute, startAt, createdBy }: NewBroadcast,
): Promise<BroadcastRow> {
  const { audience, message, quietHours } = input
  const at = startAt ?? sql<Date>`now()`
  return db
    .insertInto('broadcast')
    .values({
      bot_id: botId,
      id: newId('broadcast'),
      name,
      integration: audience.integration,
      channel: audience.channel,
      audience: toJson(audience),
      message: toJson(message),
      quiet_hours: quietHours ? toJson(quietHours) : null,
      per_minute: perMinute,
      start_at: at,
      next_at: at,
      created_by: createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface Listing {
  /** Id of the last row of the page before. */
  position: string | null
  limit: number
}

export function listBroadcasts(db: Db, botId: string, { position, limit }: Listing) {
  let query = db.selectFrom('broadcast').selectAll().where('bot_id', '=', botId)
  if (position !== null) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Throws ResourceNotFound. */
export async function findBroadcast(
  db: Db,
  botId: string,
  id: string,
): Promise<BroadcastRow> {
  const found = await db
    .selectFrom('broadcast')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw noBroadcast(id)
  return found
}

/**
 * Resolves when no step is being made, and none follows. Changes nothing if it is stopped already. Throws
 * ResourceNotFound, RelationConflict if it has ended.
 */
export const stopBroadcast = (db: Db, botId: string, id: string): Promise<BroadcastRow> =>
  changeState(db, { botId, id, from: ['running'], to: 'stopped' })

/** Changes nothing if it is running. Throws ResourceNotFound, RelationConflict if all people are done. */
export const resumeBroadcast = (
  db: Db,
  botId: string,
  id: string,
): Promise<BroadcastRow> =>
  changeState(db, { botId, id, from: ['stopped', 'failed'], to: 'running' })

async function changeState(
  db: Db,
  change: {
    botId: string
    id: string
    from: BroadcastRow['state'][]
    to: 'running' | 'stopped'
  },
): Promise<BroadcastRow> {
  const { botId, id, from, to } = change
  const changed = await db
    .updateTable('broadcast')
    .set({
      state: to,
      reason: null,
      ended_at: null,
      ...(to === 'running' && { next_at: sql<Date>`greatest(now(), start_at)` }),
    })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (changed) return changed
  const found = await findBroadcast(db, botId, id)
  if (found.state === to) return found
  throw new ApiError(
    'RelationConflict',
    `Broadcast "${id}" has ended: it is ${found.state}`,
  )
}

/** Stops it first. Throws ResourceNotFound. */
export async function deleteBroadcast(db: Db, botId: string, id: string): Promise<void> {
  const deleted = await db
    .deleteFrom('broadcast')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw noBroadcast(id)
}

const noBroadcast = (id: string) =>
  new ApiError('ResourceNotFound', `Broadcast "${id}" was not found`)

/** Locks the running broadcast that has waited longest for its next step. */
export async function lockDue(db: Db): Promise<BroadcastRow | null> {
  const { rows } = await sql<BroadcastRow>`
    select * from broadcast where state = 'running' and next_at <= now()
      and ${sql.raw(isAwake('broadcast.bot_id'))}
    order by next_at limit 1 for update skip locked`.execute(db)
  return rows[0] ?? null
}

/** Returns the milliseconds until the next step of any broadcast; null without one. */
export async function findWait(db: Db): Promise<number | null> {
  const { rows } = await sql<{ wait: number }>`
    select (extract(epoch from next_at - now()) * 1000)::float8 as wait from broadcast
    where state = 'running' and ${sql.raw(isAwake('broadcast.bot_id'))}
    order by next_at limit 1`.execute(db)
  return rows[0]?.wait ?? null
}

type Key = Pick<BroadcastRow, 'bot_id' | 'id'>

/** The transaction of the step holds the lock of the row. */
export async function storeStep(
  db: Db,
  { bot_id, id }: Key,
  step: {
    position?: string
    unknownRows?: number
    isResolved?: boolean
    /** Milliseconds, or a time. */
    next?: number | Date
    isDone?: boolean
  },
): Promise<void> {
  const { position, unknownRows = 0, isResolved, next = 0, isDone } = step
  await db
    .updateTable('broadcast')
    .set({
      ...(position !== undefined && { position }),
      ...(unknownRows > 0 && {
        unknown_rows: sql<string>`unknown_rows + ${unknownRows}`,
      }),
      ...(isResolved && { resolved_at: sql<Date>`now()` }),
      ...(isDone && { state: 'done' as const, ended_at: sql<Date>`now()` }),
      next_at:
        next instanceof Date
          ? next
          : sql<Date>`now() + ${next} * interval '1 millisecond'`,
    })
    .where('bot_id', '=', bot_id)
    .where('id', '=', id)
    .execute()
}

/** Ends a broadcast after a step that is not possible. */
export const failBroadcast = (db: Db, { bot_id, id }: Key, reason: string) =>
  db
    .updateTable('broadcast')
    .set({
      state: 'failed',
      reason: storableText(reason, maxReasonLength),
      ended_at: sql<Date>`now()`,
    })
    .where('bot_id', '=', bot_id)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()

/** After an unexpected error, so that others get their turn. */
export const postponeBroadcast = (db: Db, { bot_id, id }: Key, ms: number) =>
  sql`update broadcast set next_at = now() + ${ms} * interval '1 millisecond'
    where bot_id = ${bot_id} and id = ${id}`.execute(db)

export const toBroadcast = (row: BroadcastRow): Broadcast => ({
  id: row.id,
  name: row.name,
  audience: row.audience,
  message: row.message,
  ...(row.quiet_hours && { quietHours: row.quiet_hours }),
  perMinute: row.per_minute,
  state: toState(row),
  ...(row.reason !== null && { reason: row.reason }),
  startAt: row.start_at.toISOString(),
  ...(row.created_by !== null && { createdBy: row.created_by }),
  createdAt: row.created_at.toISOString(),
  ...(row.ended_at && { endedAt: row.ended_at.toISOString() }),
})

function toState({ state, start_at: startAt, resolved_at: resolvedAt }: BroadcastRow) {
  if (state !== 'running') return state
  if (resolvedAt !== null) return 'sending'
  return startAt.getTime() > Date.now() ? 'scheduled' : 'resolving'
}
