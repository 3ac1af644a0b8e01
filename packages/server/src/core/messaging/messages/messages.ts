// Finds, lists, changes and deletes messages. See message-writer.ts for writing, message-imports.ts
// for importing, scheduled-messages.ts for messages that are due later. Order within a conversation
// is by time (message-pages.ts); across conversations of a bot it is by id, which begins with the
// time.
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@botstead/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../db/index.ts'
import { tagKey } from '../../lib/index.ts'
import { checkDeclared } from '../chat/declared-tags.ts'
import { type FoundOrCreated, getOrCreate } from '../get-or-create.ts'
import { writeWords } from '../search/filling.ts'
import { wordsOfMessage } from '../search/message-words.ts'
import { hasTags, json, mergedTags } from '../tags/tag-columns.ts'
import {
  applyTags,
  changeOfTags,
  type TagInput,
  type Tags,
  type Viewer,
} from '../tags/tags.ts'
import type { MessageRow } from './message-types.ts'

const noMessage = (id: string) =>
  new ApiError('ResourceNotFound', `Message "${id}" was not found`)

/** A message refers to its integration only through its conversation. */
export const seenBy = (viewer: Viewer): RawBuilder<boolean> =>
  viewer === null
    ? sql`true`
    : sql`exists (select from conversation c where c.bot_id = message.bot_id
      and c.id = message.conversation_id and c.integration = ${viewer})`

/** Throws ResourceNotFound. */
export async function findMessage(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer = null,
): Promise<MessageRow> {
  const found = await db
    .selectFrom('message')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(seenBy(viewer))
    .executeTakeFirst()
  if (!found) throw noMessage(id)
  return toRow(found)
}

export const toRow = (row: Selectable<Schema['message']>) => row as MessageRow

export interface WantedMessage {
  conversationId: string
  /** Tags that identify the message; null when it has none. */
  match: Tags | null
  tags: TagInput
  payload: Record<string, unknown> | undefined
}

/**
 * Finds a message by its tags, or posts it. A message found in this conversation gets the tags and
 * payload given. Throws AlreadyExists when a message of another conversation has the tags:
 * integrations rely on that error to recognise a webhook that they have already handled.
 */
export async function getOrCreateMessage(
  db: Db,
  botId: string,
  viewer: Viewer,
  wanted: WantedMessage,
  post: () => Promise<MessageRow>,
): Promise<FoundOrCreated<MessageRow>> {
  const { conversationId, match, tags, payload } = wanted
  if (!match) return { row: await post(), created: true }
  return getOrCreate(db, toLockKey(botId, match), {
    find: (db) => findByTags(db, botId, conversationId, match),
    update: (row) => applyMessageChange(db, row, viewer, { tags, payload }),
    create: post,
  })
}

/**
 * Returns the key of the advisory lock for messages with these tags: per bot, because tags are
 * unique per bot.
 */
export const toLockKey = (botId: string, match: Tags) => [
  botId,
  'message',
  Object.entries(match).sort(),
]

/**
 * Finds the first message of the conversation with all tags, by the index of tags within
 * conversations (migration 0007). Only if there is none does the statement search other
 * conversations. Throws AlreadyExists when it finds one there.
 */
export async function findByTags(
  db: Db,
  botId: string,
  conversationId: string,
  tags: Tags,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    with candidate as materialized (
      select * from message
      where bot_id = ${botId} and conversation_id = ${conversationId} and ${hasWithin(conversationId, tags)}
    ),
    here as materialized (select * from candidate order by created_at, number limit 1)
    select * from here
    union all
    select * from (${anywhere(botId, tags)}) elsewhere where not exists (select from here)`.execute(
    db,
  )
  const [row] = rows
  if (row && row.conversation_id !== conversationId) throw existsElsewhere(row)
  return row
}

/** Gmail's integration matches this text. */
export const existsElsewhere = ({
  id,
  conversation_id,
}: {
  id: string
  conversation_id: string
}) =>
  new ApiError(
    'AlreadyExists',
    `A message with these tags already exists for a different conversation: "${id}" of "${conversation_id}"`,
  )

/** Upper bound for counting rows per tag to find the rarest tag. */
const maxCounted = 50

/**
 * Finds one message of the bot with all tags, by its rarest tag, since the planner knows no
 * frequencies of tags.
 */
function anywhere(botId: string, tags: Tags): RawBuilder<MessageRow> {
  const [keys, values] = [Object.keys(tags).map(tagKey), Object.values(tags)]
  return sql`
    select message.*
    from (
      select key, value from unnest(${keys}::bytea[], ${values}::text[]) as input (key, value)
      order by (
        select count(*) from (
          select from tag_value t
          where t.bot_id = ${botId} and t.kind = 'message' and t.key = input.key and t.value = input.value
          limit ${maxCounted}
        ) counted
      ) limit 1
    ) rarest
    cross join lateral (
      select subject_id from tag_value t
      where t.bot_id = ${botId} and t.kind = 'message' and t.key = rarest.key and t.value = rarest.value
      offset 0
    ) tagged
    join message on message.bot_id = ${botId} and message.id = tagged.subject_id and ${hasTags(tags)}
    limit 1`
}

export const hasWithin = (conversationId: string, tags: Tags): RawBuilder<boolean> =>
  sql`tags <> '{}' and jsonb_set('{}', array[conversation_id], tags) @>
    ${JSON.stringify({ [conversationId]: tags })}::jsonb`

export interface MessageChange {
  tags?: TagInput | undefined
  payload?: Record<string, unknown> | undefined
}

/** Merges tags and replaces the payload. Throws ResourceNotFound. */
export async function updateMessage(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
  change: MessageChange,
): Promise<MessageRow> {
  const row = await findMessage(db, botId, id, viewer)
  await checkMessageTags(
    db,
    botId,
    viewer,
    { conversationId: row.conversation_id },
    change.tags,
    row.tags,
  )
  return applyMessageChange(db, row, viewer, change)
}

/**
 * Throws InvalidPayload for tags that may not be set. Queries the channel only if the check needs
 * it.
 */
export async function checkMessageTags(
  db: Db,
  botId: string,
  viewer: Viewer,
  place: { conversationId: string } | { channel: string },
  input: TagInput | undefined,
  stored: Tags = {},
) {
  const change = changeOfTags(input, viewer, stored)
  if (Object.keys(change.set).length === 0) return change
  let channel = ''
  if ('channel' in place) channel = place.channel
  else if (viewer !== null) channel = await findChannel(db, botId, place.conversationId)
  await checkDeclared(db, botId, viewer, change, 'message', channel)
  return change
}

const findChannel = async (db: Db, botId: string, conversationId: string) =>
  (
    await db
      .selectFrom('conversation')
      .select('channel')
      .where('bot_id', '=', botId)
      .where('id', '=', conversationId)
      .executeTakeFirst()
  )?.channel ?? ''

/** Skips the write when nothing changes. */
export async function applyMessageChange(
  db: Db,
  row: MessageRow,
  viewer: Viewer,
  change: MessageChange,
): Promise<MessageRow> {
  const tags = changeOfTags(change.tags, viewer, row.tags)
  const { payload = row.payload } = change
  if (
    isDeepStrictEqual(
      { payload, tags: applyTags(row.tags, tags) },
      { payload: row.payload, tags: row.tags },
    )
  )
    return row
  const searchable = () => sql`,
    worded as (select *, ${wordsOfMessage(row.bot_id, payload)}::text[] as words from changed),
    searchable as (${sql.raw(writeWords('worded'))})`
  const { rows } = await sql<MessageRow>`
    with changed as (
      update message set ${change.payload ? sql`payload = ${json(payload)},` : sql``}
        tags = ${mergedTags('tags', tags)}, updated_at = greatest(now(), updated_at)
      where bot_id = ${row.bot_id} and id = ${row.id} returning *
    )${isDeepStrictEqual(payload, row.payload) ? sql`` : searchable()}
    select * from changed`.execute(db)
  if (!rows[0]) throw noMessage(row.id)
  return rows[0]
}

/** Signal to publish after the commit. Ids are those that chat clients see. */
interface DeletionSignal {
  number: string
  conversation: string
  type: 'message_deleted'
  data: { id: string; conversationId: string; userId: string }
}

/**
 * Deletes the message, adjusts the count and stores the signal in one statement. Throws
 * ResourceNotFound.
 */
export async function deleteMessage(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<DeletionSignal> {
  const { rows } = await sql<DeletionSignal>`
    with removed as (delete from message where bot_id = ${botId} and id = ${id} and ${seenBy(viewer)}
      returning bot_id, id, conversation_id, user_id),
    numbered as (
      update conversation c set last_number = c.last_number + 1, message_count = c.message_count - 1
      from removed
      where c.bot_id = removed.bot_id and c.id = removed.conversation_id
      returning c.bot_id, c.id, c.last_number, coalesce(c.fid, c.id) as shown_id, removed.id as message_id,
        removed.user_id
    )
    insert into signal (bot_id, conversation_id, number, type, data)
    select n.bot_id, n.id, n.last_number, 'message_deleted',
      jsonb_build_object('id', n.message_id, 'conversationId', n.shown_id, 'userId',
        coalesce(u.fid, n.user_id))
    from numbered n left join "user" u on u.bot_id = n.bot_id and u.id = n.user_id
    returning number, conversation_id as conversation, type, data`.execute(db)
  if (!rows[0]) throw noMessage(id)
  return rows[0]
}

/** Messages of conversations. */
export const messageStore = {
  applyChange: applyMessageChange,
  find: findMessage,
  notFound: noMessage,
}
