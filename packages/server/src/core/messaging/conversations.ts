// Owns the table conversation. Every function takes the bot id; a viewer that is an integration
// sees only its own conversations. The writers of messages and signals maintain last_number and
// message_count (message-writer.ts, participants.ts, messages.ts).
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@botstead/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Database, type Db, isConflict, type Schema, statement } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { byId } from './by-id.ts'
import { checkDeclared } from './chat/declared-tags.ts'
import { type FoundOrCreated, getOrCreate } from './get-or-create.ts'
import type { SerializableConversation } from './serializers.ts'
import { hasTags, json, mergedTags } from './tag-columns.ts'
import {
  applyTags,
  changeOfProperties,
  changeOfTags,
  discriminating,
  ownTags,
  storedTags,
  type TagChange,
  type TagInput,
  type Tags,
  type Viewer,
} from './tags.ts'

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
export async function findConversationAlias(
  db: Db,
  botId: string,
  id: string,
): Promise<string | null> {
  const query = db.selectFrom('conversation').select('integration').where('bot_id', '=', botId)
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
  const [found] = await run<SerializableConversation>(...readStatement({ botId, id, viewer }))
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

/** Skips the write when nothing changes, as is usual for a get-or-create that finds a row. */
async function applyChange(
  db: Db,
  row: ConversationRow,
  viewer: Viewer,
  change: ConversationChange,
): Promise<ConversationRow> {
  const tags = changeOfTags(change.tags, viewer, row.tags)
  const properties = changeOfProperties(change.properties, row.properties)
  const after = {
    ...row,
    tags: applyTags(row.tags, tags),
    properties: applyTags(row.properties, properties),
  }
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

interface ConversationListing {
  tags?: Tags | undefined
  /** Users that must all take part. */
  participantIds?: string[] | undefined
  /** Aliases. */
  integrations?: string[] | undefined
  channel?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  minMessageCount?: number | undefined
  maxMessageCount?: number | undefined
  sortField: 'created_at' | 'updated_at'
  direction: 'asc' | 'desc'
  /** Position of the previous page's last row. */
  position: ConversationPosition | null
  limit: number
}

interface ConversationPosition {
  at: Date
  id: string
}

/** Conversations per page that a filter without an index reads. */
const maxScanned = 10_000

/**
 * Lists a page and the position after it, or null at the end. With a filter by message count, for
 * which there is no index, a page may be shorter or empty although more follow.
 */
export async function listConversations(
  db: Db,
  botId: string,
  viewer: Viewer,
  listing: ConversationListing,
): Promise<{ rows: ConversationRow[]; next: ConversationPosition | null }> {
  const { minMessageCount, maxMessageCount, sortField, limit } = listing
  const selected = selectConversations(db, botId, viewer, listing)
  const counts = minMessageCount !== undefined || maxMessageCount !== undefined
  const end = counts ? await scanEnd(selected, sortField) : undefined
  let page = end ? selected.where(isBeyond(listing, end, 'up to')) : selected
  if (minMessageCount !== undefined) page = page.where('message_count', '>=', minMessageCount)
  if (maxMessageCount !== undefined) page = page.where('message_count', '<=', maxMessageCount)
  const rows = await page.limit(limit + 1).execute()
  const last = rows[limit - 1]
  const next = rows.length > limit ? { at: last![sortField], id: last!.id } : (end ?? null)
  return { rows: rows.slice(0, limit), next }
}

/** Returns the position of the last conversation to read for this page, if more follow. */
async function scanEnd(
  selected: ReturnType<typeof selectConversations>,
  sortField: ConversationListing['sortField'],
): Promise<ConversationPosition | undefined> {
  return selected
    .clearSelect()
    .select([`${sortField} as at`, 'id'])
    .offset(maxScanned - 1)
    .limit(1)
    .executeTakeFirst()
}

function selectConversations(db: Db, botId: string, viewer: Viewer, listing: ConversationListing) {
  const { tags, participantIds = [], integrations, channel, after, before, position } = listing
  let query = db
    .selectFrom('conversation')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(conversationVisibleTo(viewer))
  if (tags) query = query.where(hasTags(storedTags(tags, viewer)))
  for (const userId of new Set(participantIds)) query = query.where(hasParticipant(userId))
  if (integrations) query = query.where('integration', 'in', integrations)
  if (channel !== undefined) query = query.where('channel', '=', channel)
  if (after) query = query.where('created_at', '>=', after)
  if (before) query = query.where('created_at', '<=', before)
  if (position) query = query.where(isBeyond(listing, position, 'after'))
  const { sortField, direction } = listing
  // Redundant, but the index has this column (migration 0056).
  if (sortField === 'updated_at') query = query.orderBy('updated_slot', direction)
  return query.orderBy(sortField, direction).orderBy('id', direction)
}

/** The first column of the index by change: ten minutes that contain the time. */
const slotOf = (at: Date) =>
  sql`date_bin('10 minutes', ${at}, timestamptz '2000-01-01 00:00:00+00')`

/** Limits a listing to rows on one side of a position, in the order of the listing. */
function isBeyond(
  { sortField, direction }: Pick<ConversationListing, 'sortField' | 'direction'>,
  { at, id }: ConversationPosition,
  side: 'after' | 'up to',
): RawBuilder<boolean> {
  const sign = (direction === 'asc') === (side === 'after') ? '>' : '<'
  const included = sql.raw(side === 'after' ? sign : `${sign}=`)
  const place = sql<boolean>`(${sql.ref(sortField)}, id) ${included} (${at}, ${id})`
  return sortField === 'created_at'
    ? place
    : sql`(updated_slot ${sql.raw(sign)}= ${slotOf(at)} and ${place})`
}

/** One condition for each user lets the planner begin with the rarest. */
const hasParticipant = (userId: string) => sql<boolean>`exists (select from participant p
  where p.bot_id = conversation.bot_id and p.conversation_id = conversation.id
    and p.user_id = ${userId})`

/** Whether the bot receives nothing, because a person holds the conversation. */
export async function isBotPaused(db: Db, botId: string, conversationId: string): Promise<boolean> {
  const found = await db
    .selectFrom('conversation')
    .select('bot_paused')
    .where('bot_id', '=', botId)
    .where('id', '=', conversationId)
    .executeTakeFirst()
  return found?.bot_paused ?? false
}

/** A paused bot does not get the messages of the conversation. */
export const pauseBot = (db: Db, botId: string, conversationId: string, isPaused: boolean) =>
  db
    .updateTable('conversation')
    .set({ bot_paused: isPaused })
    .where('bot_id', '=', botId)
    .where('id', '=', conversationId)
    .execute()
