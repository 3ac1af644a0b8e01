// Owns the table broadcast_opt_out: people who want no broadcasts in a channel.
import { ApiError, type OptOut } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../core/db/index.ts'
import {
  type ConversationDeps,
  inConversationTransaction,
  type NewMessage,
  type WrittenMessage,
} from '../../core/messaging/index.ts'
import { findWish, type OptOutWordCache } from './opt-out-words.ts'
import { skipOptedOut } from './recipients.ts'

type OptOutRow = Selectable<Schema['broadcast_opt_out']> & { user_name: string | null }

interface Person {
  botId: string
  integration: string
  channel: string
  userId: string
}

/** Returns how to store a message by which a person opts out or in; null for any other. */
export async function takeWish(
  words: Pick<OptOutWordCache, 'get'>,
  message: NewMessage,
): Promise<((deps: ConversationDeps) => Promise<WrittenMessage>) | null> {
  if (message.direction !== 'incoming' || message.origin !== undefined) return null
  const wish = await findWish(words, message.botId, message.payload)
  return wish && ((deps) => storeWish(deps, message, wish))
}

/** Takes the locks in the order in which a broadcast does: recipients, then the conversation. */
const storeWish = (deps: ConversationDeps, message: NewMessage, wish: 'stop' | 'start') =>
  inConversationTransaction(deps, async ({ database: { db }, messages }) => {
    const { botId, conversationId, userId } = message
    const found = await db
      .selectFrom('conversation')
      .select(['integration', 'channel'])
      .where('bot_id', '=', botId)
      .where('id', '=', conversationId)
      .executeTakeFirst()
    const person = found && { botId, userId, ...found }
    if (person && wish === 'stop') await skipOptedOut(db, person)
    const written = await messages.post(message)
    if (person && wish === 'stop')
      await insertOptOut(db, person, { messageId: written.id })
    if (person && wish === 'start') await deleteOptOut(db, person)
    return written
  })

/** An earlier entry stays. */
async function insertOptOut(
  db: Db,
  { botId, integration, channel, userId }: Person,
  {
    messageId = null,
    notedBy = null,
  }: { messageId?: string | null; notedBy?: string | null },
): Promise<void> {
  await db
    .insertInto('broadcast_opt_out')
    .values({
      bot_id: botId,
      integration,
      channel,
      user_id: userId,
      message_id: messageId,
      noted_by: notedBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function deleteOptOut(
  db: Db,
  { botId, integration, channel, userId }: Person,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('broadcast_opt_out')
    .where('bot_id', '=', botId)
    .where('integration', '=', integration)
    .where('channel', '=', channel)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Requires a transaction. Throws ReferenceNotFound. */
export async function addOptOut(
  db: Db,
  person: Person,
  notedBy: string | null,
): Promise<OptOutRow> {
  const { botId, userId } = person
  const { rows } = await sql`select from "user" where bot_id = ${botId} and id = ${userId}
    and id <> bot_id for key share`.execute(db)
  if (rows.length === 0)
    throw new ApiError('ReferenceNotFound', `User "${userId}" was not found`)
  await skipOptedOut(db, person)
  await insertOptOut(db, person, { notedBy })
  const stored = await selectOptOuts(db, botId)
    .where('o.user_id', '=', userId)
    .where('o.integration', '=', person.integration)
    .where('o.channel', '=', person.channel)
    .executeTakeFirst()
  return stored!
}

/** Throws ResourceNotFound. */
export async function removeOptOut(db: Db, person: Person): Promise<void> {
  if (!(await deleteOptOut(db, person)))
    throw new ApiError(
      'ResourceNotFound',
      `User "${person.userId}" has not opted out of "${person.channel}" of "${person.integration}"`,
    )
}

interface Listing {
  userId: string | undefined
  /** Integration, channel and user of the last row of the page before. */
  position: string[] | null
  limit: number
}

export function listOptOuts(db: Db, botId: string, { userId, position, limit }: Listing) {
  let query = selectOptOuts(db, botId)
  if (userId !== undefined) query = query.where('o.user_id', '=', userId)
  if (position)
    query = query.where(
      sql<boolean>`(o.integration, o.channel, o.user_id) > (${sql.join(position)})`,
    )
  return query
    .orderBy('o.integration')
    .orderBy('o.channel')
    .orderBy('o.user_id')
    .limit(limit)
    .execute()
}

export const optOutPosition = (row: OptOutRow) => [
  row.integration,
  row.channel,
  row.user_id,
]

const selectOptOuts = (db: Db, botId: string) =>
  db
    .selectFrom('broadcast_opt_out as o')
    .innerJoin('user as u', (join) =>
      join.onRef('u.bot_id', '=', 'o.bot_id').onRef('u.id', '=', 'o.user_id'),
    )
    .selectAll('o')
    .select('u.name as user_name')
    .where('o.bot_id', '=', botId)

export const toOptOut = (row: OptOutRow): OptOut => ({
  integration: row.integration,
  channel: row.channel,
  userId: row.user_id,
  ...(row.user_name !== null && { userName: row.user_name }),
  ...(row.message_id !== null && { messageId: row.message_id }),
  ...(row.noted_by !== null && { notedBy: row.noted_by }),
  createdAt: row.created_at.toISOString(),
})
