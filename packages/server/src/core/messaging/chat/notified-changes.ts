// Owns the table told_change: the bot's changes to messages and conversations, for integrations
// that subscribe to them (`extraOperations`). One transaction writes the change, its row and its
// delivery; the row is deleted after the delivery.

import { isDeepStrictEqual } from 'node:util'
import { ulid } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import { type Database, type Db, removeExcess, statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { type Queue, queueStatements } from '../../queue/index.ts'
import { tracing } from '../../telemetry/index.ts'
import {
  type ConversationChange,
  type ConversationRow,
  findConversation,
  updateConversation,
} from '../conversations.ts'
import type { MessageRow } from '../messages/message-types.ts'
import { findMessage, type MessageChange, updateMessage } from '../messages/messages.ts'
import { toConversation, toMessage, toUser } from '../serializers.ts'
import { findUser } from '../users.ts'

interface Deps {
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}
type Operation = 'message_updated' | 'conversation_updated'

/**
 * As updateMessage, by the bot. Integrations are notified only of changes to an outgoing message's
 * payload.
 */
export async function updateMessageAsBot(
  deps: Deps,
  botId: string,
  id: string,
  change: MessageChange,
): Promise<MessageRow> {
  const source = sql`message m join conversation c on c.bot_id = m.bot_id and c.id = m.conversation_id
    and m.direction = 'outgoing' and m.id = ${id}`
  const alias =
    change.payload && (await findSubscriber(deps.db, botId, 'message_updated', source))
  if (!alias) return updateMessage(deps.db, botId, id, null, change)
  return updateAndNotify(
    deps,
    botId,
    { alias, operation: 'message_updated' },
    async (db) => {
      const before = await findMessage(db, botId, id)
      const row = await updateMessage(db, botId, id, null, change)
      if (isDeepStrictEqual(row.payload, before.payload))
        return { row, conversationId: row.conversation_id, body: null }
      const [conversation, user] = await Promise.all([
        findConversation(db, botId, row.conversation_id),
        findUser(db, botId, row.user_id),
      ])
      const [currentMessage, previousMessage] = [
        toMessage(row, alias),
        toMessage(before, alias),
      ]
      const known = {
        type: row.type,
        payload: row.payload,
        conversation: toConversation(conversation, alias),
        user: toUser(user, alias),
      }
      return {
        row,
        conversationId: row.conversation_id,
        body: { ...known, currentMessage, previousMessage },
      }
    },
  )
}

/**
 * As updateConversation, by the bot. Integrations are notified only of properties: the bot's tags
 * are its own.
 */
export async function updateConversationAsBot(
  deps: Deps,
  botId: string,
  id: string,
  change: ConversationChange,
): Promise<ConversationRow> {
  const alias =
    change.properties &&
    (await findSubscriber(
      deps.db,
      botId,
      'conversation_updated',
      sql`conversation c where c.id = ${id}`,
    ))
  if (!alias) return updateConversation(deps.db, botId, id, null, change)
  return updateAndNotify(
    deps,
    botId,
    { alias, operation: 'conversation_updated' },
    async (db) => {
      const before = await findConversation(db, botId, id)
      const row = await updateConversation(db, botId, id, null, change)
      if (isDeepStrictEqual(row.properties, before.properties))
        return { row, conversationId: id, body: null }
      return {
        row,
        conversationId: id,
        body: {
          currentConversation: toConversation(row, alias),
          previousConversation: toConversation(before, alias),
        },
      }
    },
  )
}

/**
 * Returns the alias of the subscribed integration, or null. `source` supplies the conversation as
 * `c`.
 */
async function findSubscriber(
  db: Db,
  botId: string,
  operation: Operation,
  source: RawBuilder<unknown>,
): Promise<string | null> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from (select c.bot_id, c.integration, c.channel from ${source}) c
    join installation t on t.bot_id = c.bot_id and t.alias = c.integration and t.enabled
      and not c.channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where c.bot_id = ${botId}
      and g.definition #>> ${['extraOperations', operation, 'enabled']}::text[] = 'true'`.execute(
    db,
  )
  return rows[0]?.alias ?? null
}

interface Notice {
  alias: string
  operation: Operation
}

async function updateAndNotify<Row>(
  { database, deliveries }: Deps,
  botId: string,
  notice: Notice,
  update: (db: Db) => Promise<{ row: Row; conversationId: string; body: object | null }>,
): Promise<Row> {
  const { row, enqueued } = await database.inTransaction(async (inside) => {
    const { row, conversationId, body } = await update(inside.db)
    return {
      row,
      enqueued: body
        ? await note(inside, deliveries.owner, { botId, conversationId, ...notice, body })
        : [],
    }
  })
  deliveries.dispatch(enqueued)
  return row
}

/** Enqueues the change after earlier messages of the conversation. */
const noteChange = statement<{
  botId: string
  id: string
  alias: string
  operation: Operation
  body: string
  conversationId: string
  deliveryId: string
  owner: string | null
  trace: string | null
}>(
  'note-change',
  `
  with noted as (
    insert into told_change (bot_id, id, alias, operation, body)
      values (:botId, :id, :alias, :operation, :body::jsonb)
      returning bot_id, id
  ),
  due as (select bot_id, 'out:' || :conversationId::text as lane, :deliveryId::text as delivery_id,
    'change' as kind, id as subject_id, :trace::text as trace, 1 as ord from noted),
  ${queueStatements.enqueueDue(':owner', 'trace')}
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, ahead, trace from placed`,
)

async function note(
  database: Database,
  owner: string | null,
  change: Notice & { botId: string; conversationId: string; body: object },
) {
  const { botId, conversationId, alias, operation, body } = change
  const rows = await database.run<
    Parameters<typeof queueStatements.toEnqueued>[0] & { [column: string]: unknown }
  >(
    ...noteChange({
      botId,
      id: ulid(),
      alias,
      operation,
      body: JSON.stringify(body),
      conversationId,
      deliveryId: newId('delivery'),
      owner,
      trace: tracing.getCurrentTrace() ?? null,
    }),
  )
  return rows.map((row) => queueStatements.toEnqueued(row))
}

interface NotifiedChange extends Notice {
  body: Record<string, unknown>
}

/** Returns null after the change was delivered or given up. */
async function findNotifiedChange(
  db: Db,
  botId: string,
  id: string,
): Promise<NotifiedChange | null> {
  const found = await db
    .selectFrom('told_change')
    .select(['alias', 'operation', 'body'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (found as NotifiedChange | undefined) ?? null
}

async function removeNotifiedChange(db: Db, botId: string, id: string): Promise<void> {
  await db
    .deleteFrom('told_change')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .execute()
}

/** Scheduled cleanup: discarded dead letters leave their changes behind. */
export const removeOldChanges = (db: Db) =>
  removeExcess(db, { table: 'told_change', owner: 'bot_id', max: 10_000 })

/** Changes of messages of which integrations are notified. */
export const notifiedChanges = {
  find: findNotifiedChange,
  remove: removeNotifiedChange,
}
