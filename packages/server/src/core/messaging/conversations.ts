// Owns the table conversation. Every function takes the bot id; a viewer that is an integration
// sees only its own conversations. The writers of messages and signals maintain last_number and
// message_count (message-writer.ts, participants.ts, messages.ts).
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@botstead/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import {
  type Database,
  type Db,
  isConflict,
  type Schema,
  statement,
} from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { byId } from './by-id.ts'
import { checkDeclared } from './chat/declared-tags.ts'
import { type FoundOrCreated, getOrCreate } from './get-or-create.ts'
import type { SerializableConversation } from './serializers.ts'
import {
  hasTags,
  json,
  listWanted,
  mergedTags,
  toWantedOrder,
} from './tags/tag-columns.ts'
import {
  applyTags,
  changeOfProperties,
  changeOfTags,
  discriminating,
  ownTags,
  type TagChange,
  type TagInput,
  type Tags,
  type Viewer,
} from './tags/tags.ts'

export type ConversationRow = Selectable<Schema['conversation']>

export interface ConversationChange {
  tags?: TagInput | undefined
  properties?: TagInput | undefined
}
export interface NewConversation extends ConversationChange {
  /** Alias. */
  integration: string
  channel: string
  /** Id that a chat client chose. */
  fid?: string | undefined
  /** Chat user that creates the conversation and becomes a participant. */
  ownerId?: string
}

export const noConversation = (id: string) =>
  new ApiError('ResourceNotFound', `Conversation "${id}" was not found`)

/** Returns the SQL condition that limits conversations and workflows to the integration's own. */
export const conversationVisibleTo = (viewer: Viewer): RawBuilder<boolean> =>
  viewer === null ? sql`true` : sql`integration = ${viewer}`

/**
 * Returns the alias of the conversation's integration, or null when there is no such conversation.
 */
async function findConversationAlias(
  db: Db,
  botId: string,
  id: string,
): Promise<string | null> {
  const query = db
    .selectFrom('conversation')
    .select('integration')
    .where('bot_id', '=', botId)
  return (await query.where('id', '=', id).executeTakeFirst())?.integration ?? null
}

/** Throws ResourceNotFound. */
export async function findConversation(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer = null,
): Promise<ConversationRow> {
  const found = await db
    .selectFrom('conversation')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(conversationVisibleTo(viewer))
    .executeTakeFirst()
  if (!found) throw noConversation(id)
  return found
}

const readStatement = statement<{ botId: string; id: string; viewer: Viewer }>(
  'read-conversation',
  `select id, integration, channel, message_count, tags, properties, created_at, updated_at
  from conversation
  where bot_id = :botId::text and id = :id::text
    and (:viewer::text is null or integration = :viewer)`,
)

/** Like `findConversation`, by a prepared statement. */
export async function readConversation(
  { run }: Pick<Database, 'run'>,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<SerializableConversation> {
  const [found] = await run<SerializableConversation>(
    ...readStatement({ botId, id, viewer }),
  )
  if (!found) throw noConversation(id)
  return found
}

/** Returns the conversations that exist, by id. */
export const conversationsById = async (
  db: Db,
  botId: string,
  ids: string[],
): Promise<Map<string, ConversationRow>> =>
  byId(
    ids.length === 0
      ? []
      : await db
          .selectFrom('conversation')
          .selectAll()
          .where('bot_id', '=', botId)
          .where('id', 'in', ids)
          .execute(),
  )

/** Throws AlreadyExists when another conversation has the same `fid`. */
export async function createConversation(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewConversation,
): Promise<ConversationRow> {
  const tags = changeOfTags(input.tags, viewer)
  await checkDeclared(db, botId, viewer, tags, 'conversation', input.channel)
  return insertConversation(db, botId, input, tags)
}

async function insertConversation(
  db: Db,
  botId: string,
  input: NewConversation,
  { set }: TagChange,
): Promise<ConversationRow> {
  const { integration, channel, fid = null, ownerId = null } = input
  const properties = changeOfProperties(input.properties).set
  try {
    const { rows } = await sql<ConversationRow>`
      with made as (
        insert into conversation (bot_id, id, fid, owner_id, integration, channel, tags, properties)
        values (${botId}, ${newId('conversation')}, ${fid}, ${ownerId}, ${integration}, ${channel},
          ${json(set)}, ${json(properties)})
        returning *
      ), joined as (
        insert into participant (bot_id, conversation_id, user_id) select bot_id, id, owner_id from made
          where owner_id is not null
      )
      select * from made`.execute(db)
    return rows[0]!
  } catch (error) {
    if (isConflict(error))
      throw new ApiError('AlreadyExists', `Conversation "${fid}" already exists`)
    throw error
  }
}

/**
 * Finds a conversation by its tags within a channel and applies the other values to it, or creates
 * one.
 */
export async function getOrCreateConversation(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewConversation,
  names?: string[],
): Promise<FoundOrCreated<ConversationRow>> {
  return (await conversationByTags(db, botId, viewer, input, names))()
}

/** Validates the input and returns a function that finds or creates the conversation. */
export async function conversationByTags(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewConversation,
  names?: string[],
): Promise<() => Promise<FoundOrCreated<ConversationRow>>> {
  const match = discriminating(input.tags ?? {}, names, viewer)
  await checkDeclared(
    db,
    botId,
    viewer,
    changeOfTags(ownTags(input.tags, viewer), viewer),
    'conversation',
    input.channel,
  )
  const create = async (db: Db) =>
    insertConversation(db, botId, input, changeOfTags(input.tags, viewer))
  if (!match) return async () => ({ row: await create(db), created: true })
  const { tags, properties, integration, channel } = input
  const steps = {
    find: (db: Db) => findByTags(db, botId, integration, channel, match),
    update: (row: ConversationRow) => applyChange(db, row, viewer, { tags, properties }),
    create,
  }
  return () =>
    getOrCreate(
      db,
      [botId, 'conversation', integration, channel, Object.entries(match).sort()],
      steps,
    )
}

/** Returns whether a get-or-create with these tags would find a conversation. */
export async function hasConversation(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewConversation,
  names?: string[],
): Promise<boolean> {
  const match = discriminating(input.tags ?? {}, names, viewer)
  return (
    match !== null &&
    (await findByTags(db, botId, input.integration, input.channel, match)) !== undefined
  )
}

interface ConversationTags {
  channel: string
  tags: Tags
}

/** For each of the given tags, finds the oldest conversation of the channel with all of them. */
export async function findConversationsByTags(
  db: Db,
  botId: string,
  integration: string,
  wanted: ConversationTags[],
): Promise<(ConversationRow | undefined)[]> {
  const channels = wanted.map(({ channel }) => channel)
  const { rows } = await sql<ConversationRow & { ord: string }>`
    select wanted.ord, found.* from ${listWanted(wanted.map(({ tags }) => tags))}
    cross join lateral (
      select * from (select * from conversation where bot_id = ${botId} and integration = ${integration}
        and channel = (${channels}::text[])[wanted.ord] and tags @> wanted.tags offset 0) candidate
      order by created_at, id limit 1
    ) found`.execute(db)
  return toWantedOrder(wanted, rows)
}

/** Finds the oldest conversation with all tags. The CTE makes the planner use the index of tags. */
async function findByTags(
  db: Db,
  botId: string,
  integration: string,
  channel: string,
  tags: Tags,
): Promise<ConversationRow | undefined> {
  const { rows } = await sql<ConversationRow>`
    with candidate as materialized (
      select * from conversation where bot_id = ${botId} and ${hasTags(tags)} and integration = ${integration}
        and channel = ${channel}
    )
    select * from candidate order by created_at, id limit 1`.execute(db)
  return rows[0]
}

/** Null or an empty string removes a tag or property. Throws ResourceNotFound. */
export async function updateConversation(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
  change: ConversationChange,
): Promise<ConversationRow> {
  const row = await findConversation(db, botId, id, viewer)
  await checkDeclared(
    db,
    botId,
    viewer,
    changeOfTags(change.tags, viewer, row.tags),
    'conversation',
    row.channel,
  )
  return applyChange(db, row, viewer, change)
}

/** Whether the change would leave the row as it is. */
export const isUnchangedConversation = (
  row: ConversationRow,
  viewer: Viewer,
  change: ConversationChange,
): boolean => isDeepStrictEqual(toChanged(row, viewer, change).after, row)

function toChanged(row: ConversationRow, viewer: Viewer, change: ConversationChange) {
  const tags = changeOfTags(change.tags, viewer, row.tags)
  const properties = changeOfProperties(change.properties, row.properties)
  const after = {
    ...row,
    tags: applyTags(row.tags, tags),
    properties: applyTags(row.properties, properties),
  }
  return { tags, properties, after }
}

/** Skips the write when nothing changes, as is usual for a get-or-create that finds a row. */
async function applyChange(
  db: Db,
  row: ConversationRow,
  viewer: Viewer,
  change: ConversationChange,
): Promise<ConversationRow> {
  const { tags, properties, after } = toChanged(row, viewer, change)
  if (isDeepStrictEqual(after, row)) return row
  const updated = await db
    .updateTable('conversation')
    .set({
      tags: mergedTags('tags', tags),
      properties: mergedTags('properties', properties),
      updated_at: sql`greatest(now(), updated_at)`,
    })
    .where('bot_id', '=', row.bot_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw noConversation(row.id)
  return updated
}

/**
 * Deletes a conversation. Triggers and foreign keys delete its messages, events, signals and
 * participants. Throws ResourceNotFound.
 */
export async function deleteConversation(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<void> {
  const { rows } = await sql`
    delete from conversation where bot_id = ${botId} and id = ${id}
      and ${conversationVisibleTo(viewer)}
    returning id`.execute(db)
  if (rows.length === 0) throw noConversation(id)
}

/** Whether the bot receives nothing, because a person holds the conversation. */
async function isBotPaused(
  db: Db,
  botId: string,
  conversationId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('conversation')
    .select('bot_paused')
    .where('bot_id', '=', botId)
    .where('id', '=', conversationId)
    .executeTakeFirst()
  return found?.bot_paused ?? false
}

/** A paused bot does not get the messages of the conversation. */
const pauseBot = (db: Db, botId: string, conversationId: string, isPaused: boolean) =>
  db
    .updateTable('conversation')
    .set({ bot_paused: isPaused })
    .where('bot_id', '=', botId)
    .where('id', '=', conversationId)
    .execute()

/** Conversations of bots. */
export const conversationStore = {
  listById: conversationsById,
  visibleTo: conversationVisibleTo,
  find: findConversation,
  findAlias: findConversationAlias,
  getOrCreate: getOrCreateConversation,
  isBotPaused,
  pauseBot,
}
