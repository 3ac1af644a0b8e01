// Imports the history of a bot from another server, with its ids and times: no delivery, no signal.
// Objects that exist stay unchanged, so that an interrupted import can be repeated. importMessages
// (message-imports.ts) adds messages to conversations of this server instead.

import { ApiError, type Input, type platform } from '@botstead/contract'
import { timeOfId } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { withKeysLocked } from '../get-or-create.ts'
import { storePast, toPastTime } from './message-imports.ts'

type History = Required<Input<typeof platform.history.importHistory>['body']>
type Past = { id: string; createdAt: string; updatedAt: string }
type Json = Record<string, unknown>

/** `redact`: applied to the payloads of incoming messages. Returns the numbers of new objects. */
export async function importHistory(
  db: Db,
  botId: string,
  { users, conversations, messages }: History,
  redact: <Value>(value: Value) => Promise<Value>,
): Promise<{ users: number; conversations: number; messages: number }> {
  const newUsers = users.map((one, i) => ({ ...one, ...toTimes(`users[${i}]`, one) }))
  const newConversations = conversations.map((one, i) => ({
    ...one,
    ...toTimes(`conversations[${i}]`, one),
  }))
  const incoming = await redactIncoming(messages, redact)
  const newMessages = messages.map((one, i) => ({
    id: one.id,
    conversation_id: one.conversationId,
    user_id: one.userId,
    type: one.type,
    payload: incoming.get(one) ?? one.payload,
    direction: one.direction,
    tags: one.tags,
    ...toTimes(`messages[${i}]`, one),
  }))
  // The first of several with one id.
  const once = [
    ...new Map(newMessages.toReversed().map((one) => [one.id, one])).values(),
  ].reverse()
  // Concurrent imports of one conversation would both miss the messages of the other.
  const ids = new Set(messages.map((one) => one.conversationId))
  const locks = [...ids].map((id) => [botId, 'history', id])
  return withKeysLocked(db, locks, async (locked) => ({
    users: await insertUsers(locked, botId, newUsers),
    conversations: await insertConversations(locked, botId, newConversations),
    messages: await insertMessages(locked, botId, once),
  }))
}

async function redactIncoming(
  messages: History['messages'],
  redact: <Value>(value: Value) => Promise<Value>,
): Promise<Map<object, Json>> {
  const incoming = messages.filter(({ direction }) => direction === 'incoming')
  const payloads: Json[] = await redact(incoming.map(({ payload }) => payload))
  return new Map(incoming.map((one, i) => [one, payloads[i]!]))
}

/** Lists and retention rely on the times in ids. */
function toTimes(path: string, { id, createdAt, updatedAt }: Past) {
  toPastTime(`${path}.id`, new Date(timeOfId(id)).toISOString())
  return {
    created_at: toPastTime(`${path}.createdAt`, createdAt),
    updated_at: toPastTime(`${path}.updatedAt`, updatedAt),
  }
}

async function insertUsers(db: Db, botId: string, users: object[]): Promise<number> {
  const { rows } = await sql`
    insert into "user" (bot_id, id, integration, name, picture_url, tags, properties, created_at, updated_at)
    select ${botId}, id, integration, name, "pictureUrl", tags, coalesce(properties, '{}'), created_at,
      updated_at
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as input (id text, integration text, name text,
      "pictureUrl" text, tags jsonb, properties jsonb, created_at timestamptz, updated_at timestamptz)
    order by id
    on conflict do nothing returning id`.execute(db)
  return rows.length
}

/** Also adds participants to existing conversations. */
async function insertConversations(
  db: Db,
  botId: string,
  conversations: object[],
): Promise<number> {
  const input = sql`jsonb_to_recordset(${JSON.stringify(conversations)}::jsonb) as input (id text,
    integration text, channel text, tags jsonb, properties jsonb, "participantIds" text[],
    created_at timestamptz, updated_at timestamptz)`
  const { rows } = await sql`
    insert into conversation (bot_id, id, integration, channel, tags, properties, created_at, updated_at)
    select ${botId}, id, integration, channel, tags, coalesce(properties, '{}'), created_at, updated_at
    from ${input} order by id
    on conflict do nothing returning id`.execute(db)
  await sql`
    insert into participant (bot_id, conversation_id, user_id, joined_at)
    select distinct on (u.id, input.id) u.bot_id, input.id, u.id, input.created_at
    from ${input} join "user" u on u.bot_id = ${botId} and u.id = any(input."participantIds")
    on conflict do nothing`.execute(db)
  return rows.length
}

/** Throws ResourceNotFound for a message without conversation. */
async function insertMessages(
  db: Db,
  botId: string,
  messages: Parameters<typeof storePast>[2],
): Promise<number> {
  const ids = [...new Set(messages.map((one) => one.conversation_id))]
  const { rows } = await sql<{ id: string }>`
    select id from conversation where bot_id = ${botId} and id = any(${ids}::text[]) for update`.execute(
    db,
  )
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined)
    throw new ApiError('ResourceNotFound', `Conversation "${missing}" was not found`)
  return (await storePast(db, botId, messages, 'copy')).length
}
