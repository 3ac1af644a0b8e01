// Owns the table told_change: what the bot has changed in a message or conversation, for integrations that ask to be told of it (`extraOperations`). Such a
// change and its delivery are written in one transaction with it; the row goes when the integration was told.
import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '../db/open.ts'
import { removeExcess } from '../db/retention.ts'
import { newId, ulid } from '../lib/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { enqueueDue, enqueuedOf } from '../queue/store.ts'
import { currentTrace } from '../telemetry/tracing.ts'
import {
  type ConversationChange,
  type ConversationRow,
  findConversation,
  updateConversation,
} from './conversations.ts'
import type { MessageRow } from './message-writer.ts'
import { findMessage, type MessageChange, updateMessage } from './messages.ts'
import { conversationShown, messageShown, userShown } from './shown.ts'
import { findUser } from './users.ts'

interface Deps {
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}
type Operation = 'message_updated' | 'conversation_updated'

/** By the bot. As updateMessage; the payload of what it said is all that its integration can see change. */
export async function updateMessageAsBot(
  deps: Deps,
  botId: string,
  id: string,
  change: MessageChange,
): Promise<MessageRow> {
  const place = sql`message m join conversation c on c.bot_id = m.bot_id and c.id = m.conversation_id and m.direction = 'outgoing' and m.id = ${id}`
  const alias = change.payload && (await findWho(deps.db, botId, 'message_updated', place))
  if (!alias) return updateMessage(deps.db, botId, id, null, change)
  return updateAndTell(deps, botId, { alias, operation: 'message_updated' }, async (db) => {
    const before = await findMessage(db, botId, id)
    const row = await updateMessage(db, botId, id, null, change)
    if (isDeepStrictEqual(row.payload, before.payload))
      return { row, conversationId: row.conversation_id, body: null }
    const [conversation, user] = await Promise.all([
      findConversation(db, botId, row.conversation_id),
      findUser(db, botId, row.user_id),
    ])
    const [currentMessage, previousMessage] = [messageShown(row, alias), messageShown(before, alias)]
    const known = {
      type: row.type,
      payload: row.payload,
      conversation: conversationShown(conversation, alias),
      user: userShown(user, alias),
    }
    return { row, conversationId: row.conversation_id, body: { ...known, currentMessage, previousMessage } }
  })
}

/** The same of a conversation: its properties are everybody's, its tags the bot's own. */
export async function updateConversationAsBot(
  deps: Deps,
  botId: string,
  id: string,
  change: ConversationChange,
): Promise<ConversationRow> {
  const alias =
    change.properties &&
    (await findWho(deps.db, botId, 'conversation_updated', sql`conversation c where c.id = ${id}`))
  if (!alias) return updateConversation(deps.db, botId, id, null, change)
  return updateAndTell(deps, botId, { alias, operation: 'conversation_updated' }, async (db) => {
    const before = await findConversation(db, botId, id)
    const row = await updateConversation(db, botId, id, null, change)
    if (isDeepStrictEqual(row.properties, before.properties)) return { row, conversationId: id, body: null }
    return {
      row,
      conversationId: id,
      body: {
        currentConversation: conversationShown(row, alias),
        previousConversation: conversationShown(before, alias),
      },
    }
  })
}

/** The alias of the integration that is to be told; null for those that did not ask. `place` makes the conversation `c`. */
async function findWho(
  db: Db,
  botId: string,
  operation: Operation,
  place: RawBuilder<unknown>,
): Promise<string | null> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from (select c.bot_id, c.integration, c.channel from ${place}) c
    join installation t on t.bot_id = c.bot_id and t.alias = c.integration and t.enabled and not c.channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where c.bot_id = ${botId} and g.definition #>> ${['extraOperations', operation, 'enabled']}::text[] = 'true'`.execute(
    db,
  )
  return rows[0]?.alias ?? null
}

interface Told {
  alias: string
  operation: Operation
}

async function updateAndTell<Row>(
  { database, deliveries }: Deps,
  botId: string,
  told: Told,
  update: (db: Db) => Promise<{ row: Row; conversationId: string; body: object | null }>,
): Promise<Row> {
  const { row, enqueued } = await database.inOneTransaction(async (inside) => {
    const { row, conversationId, body } = await update(inside.db)
    return {
      row,
      enqueued: body ? await note(inside, deliveries.owner, { botId, conversationId, ...told, body }) : [],
    }
  })
  deliveries.dispatch(enqueued)
  return row
}

/** After what was said in the conversation before. */
const noteChange = `
  with noted as (
    insert into told_change (bot_id, id, alias, operation, body) values ($1, $2, $3, $4, $5::jsonb) returning bot_id, id
  ),
  due as (select bot_id, 'out:' || $6::text as lane, $7::text as delivery_id, 'change' as kind, id as subject_id, $9::text as trace, 1 as ord from noted),
  ${enqueueDue('$8', 'trace')}
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, ahead, trace from placed`

async function note(
  database: Database,
  owner: string | null,
  change: Told & { botId: string; conversationId: string; body: object },
) {
  const { botId, conversationId, alias, operation, body } = change
  const values = [
    botId,
    ulid(),
    alias,
    operation,
    JSON.stringify(body),
    conversationId,
    newId('delivery'),
    owner,
    currentTrace() ?? null,
  ]
  const rows = await database.run<Parameters<typeof enqueuedOf>[0] & { [column: string]: unknown }>(
    'note-change',
    noteChange,
    values,
  )
  return rows.map((row) => enqueuedOf(row))
}

export interface ToldChange extends Told {
  body: Record<string, unknown>
}

/** Null for one that was told, or given up. */
export async function findToldChange(db: Db, botId: string, id: string): Promise<ToldChange | null> {
  const found = await db
    .selectFrom('told_change')
    .select(['alias', 'operation', 'body'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (found as ToldChange | undefined) ?? null
}

export async function removeToldChange(db: Db, botId: string, id: string): Promise<void> {
  await db.deleteFrom('told_change').where('bot_id', '=', botId).where('id', '=', id).execute()
}

/** For the clock: of dead letters that were discarded their changes are left. */
export const removeOldChanges = (db: Db) =>
  removeExcess(db, { table: 'told_change', owner: 'bot_id', most: 10_000 })
