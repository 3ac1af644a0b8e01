// Owns the table user: the users of a bot, each in one integration. Every function takes the bot
// id; a viewer that is an integration sees only its own users and the bot itself.
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@botstead/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import {
  type Database,
  type Db,
  hasHash,
  isConflict,
  type Schema,
  statement,
} from '../db/index.ts'
import { fileStore } from '../files/index.ts'
import { newId } from '../lib/index.ts'
import { byId } from './by-id.ts'
import { checkDeclared } from './chat/declared-tags.ts'
import { type FoundOrCreated, getOrCreate } from './get-or-create.ts'
import type { SerializableUser } from './serializers.ts'
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

export type UserRow = Selectable<Schema['user']>

interface UserChange {
  name?: string | null | undefined
  pictureUrl?: string | null | undefined
  profile?: string | null | undefined
  tags?: TagInput | undefined
  properties?: TagInput | undefined
  /** From a webchat. */
  data?: Record<string, unknown> | null | undefined
  /** From a webchat; null removes an attribute. */
  attributes?: TagInput | undefined
}
export interface NewUser extends UserChange {
  /** Alias of the user's integration; null for the bot's own users. */
  integration: string | null
  /** Id that a chat client chose. */
  fid?: string
}

export const noUser = (id: string) =>
  new ApiError('ResourceNotFound', `User "${id}" was not found`)

export const userVisibleTo = (viewer: Viewer): RawBuilder<boolean> =>
  viewer === null ? sql`true` : sql`(integration = ${viewer} or id = bot_id)`

/** Throws ResourceNotFound. */
export async function findUser(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer = null,
): Promise<UserRow> {
  const found = await db
    .selectFrom('user')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(userVisibleTo(viewer))
    .executeTakeFirst()
  if (!found) throw noUser(id)
  return found
}

const readStatement = statement<{ botId: string; id: string; viewer: Viewer }>(
  'read-user',
  `select id, name, picture_url, tags, properties, created_at, updated_at
  from "user"
  where bot_id = :botId::text and id = :id::text
    and (:viewer::text is null or integration = :viewer or id = bot_id)`,
)

/** Like `findUser`, by a prepared statement. */
export async function readUser(
  { run }: Pick<Database, 'run'>,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<SerializableUser> {
  const [found] = await run<SerializableUser>(...readStatement({ botId, id, viewer }))
  if (!found) throw noUser(id)
  return found
}

/** Returns the users that exist, by id. */
export const usersById = async (
  db: Db,
  botId: string,
  ids: string[],
): Promise<Map<string, UserRow>> =>
  byId(
    ids.length === 0
      ? []
      : await db
          .selectFrom('user')
          .selectAll()
          .where('bot_id', '=', botId)
          .where('id', 'in', ids)
          .execute(),
  )

/** Throws AlreadyExists when another user has the same `fid`. */
export async function createUser(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewUser,
): Promise<UserRow> {
  const tags = changeOfTags(input.tags, viewer)
  await checkDeclared(db, botId, viewer, tags, 'user')
  return insertUser(db, botId, input, tags)
}

async function insertUser(
  db: Db,
  botId: string,
  input: NewUser,
  { set }: TagChange,
): Promise<UserRow> {
  const row = {
    bot_id: botId,
    id: newId('user'),
    fid: input.fid ?? null,
    integration: input.integration,
    name: input.name ?? null,
    picture_url: input.pictureUrl ?? null,
    profile: input.profile ?? null,
    tags: json(set),
    properties: json(changeOfProperties(input.properties).set),
    data: input.data ? json(input.data) : null,
    attributes: input.attributes ? json(changeOfProperties(input.attributes).set) : null,
  }
  try {
    return await db
      .insertInto('user')
      .values(row)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isConflict(error))
      throw new ApiError('AlreadyExists', `User "${input.fid}" already exists`)
    throw error
  }
}

/** Finds a user by its tags and applies the other values to it, or creates one. */
export async function getOrCreateUser(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewUser,
  names?: string[],
): Promise<FoundOrCreated<UserRow>> {
  return (await userByTags(db, botId, viewer, input, names))()
}

/** Validates the input and returns a function that finds or creates the user. */
export async function userByTags(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewUser,
  names?: string[],
): Promise<() => Promise<FoundOrCreated<UserRow>>> {
  const match = discriminating(input.tags ?? {}, names, viewer)
  await checkDeclared(
    db,
    botId,
    viewer,
    changeOfTags(ownTags(input.tags, viewer), viewer),
    'user',
  )
  const create = async (db: Db) =>
    insertUser(db, botId, input, changeOfTags(input.tags, viewer))
  if (!match) return async () => ({ row: await create(db), created: true })
  const { integration: _owner, fid: _fid, ...update } = input
  const steps = {
    find: (db: Db) => findByTags(db, botId, viewer, match),
    update: (row: UserRow) => applyChange(db, row, viewer, update),
    create,
  }
  return () => getOrCreate(db, [botId, 'user', Object.entries(match).sort()], steps)
}

/** Returns whether a get-or-create with these tags would find a user. */
export async function hasUser(
  db: Db,
  botId: string,
  viewer: Viewer,
  input: NewUser,
  names?: string[],
): Promise<boolean> {
  const match = discriminating(input.tags ?? {}, names, viewer)
  return match !== null && (await findByTags(db, botId, viewer, match)) !== undefined
}

/** For each of the given tags, finds the oldest user of the integration with all of them. */
export async function findUsersByTags(
  db: Db,
  botId: string,
  integration: string,
  wanted: Tags[],
): Promise<(UserRow | undefined)[]> {
  const { rows } = await sql<UserRow & { ord: string }>`
    select wanted.ord, found.* from ${listWanted(wanted)}
    cross join lateral (
      select * from (select * from "user" where bot_id = ${botId} and integration = ${integration}
        and tags @> wanted.tags offset 0) candidate
      order by created_at, id limit 1
    ) found`.execute(db)
  return toWantedOrder(wanted, rows)
}

/** Finds the oldest user with all tags. The CTE makes the planner use the index of tags. */
async function findByTags(
  db: Db,
  botId: string,
  viewer: Viewer,
  tags: Tags,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    with candidate as materialized (
      select * from "user" where bot_id = ${botId} and ${hasTags(tags)}
        and ${viewer === null ? sql`true` : sql`integration = ${viewer}`}
    )
    select * from candidate order by created_at, id limit 1`.execute(db)
  return rows[0]
}

/**
 * Null clears a name or picture; null or an empty string removes a tag or property. Throws
 * ResourceNotFound.
 */
export async function updateUser(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
  change: UserChange,
): Promise<UserRow> {
  const row = await findUser(db, botId, id, viewer)
  await checkDeclared(
    db,
    botId,
    viewer,
    changeOfTags(change.tags, viewer, row.tags),
    'user',
  )
  return applyChange(db, row, viewer, change)
}

/** Whether the change would leave the row as it is. */
export const isUnchangedUser = (
  row: UserRow,
  viewer: Viewer,
  change: UserChange,
): boolean => isDeepStrictEqual(toChanged(row, viewer, change).after, row)

function toChanged(row: UserRow, viewer: Viewer, change: UserChange) {
  const tags = changeOfTags(change.tags, viewer, row.tags)
  const properties = changeOfProperties(change.properties, row.properties)
  const attributes = changeOfProperties(change.attributes, row.attributes ?? {})
  const {
    name = row.name,
    pictureUrl: picture_url = row.picture_url,
    profile = row.profile,
    data = row.data,
  } = change
  const after = {
    ...row,
    name,
    picture_url,
    profile,
    tags: applyTags(row.tags, tags),
    properties: applyTags(row.properties, properties),
    data,
    attributes: change.attributes
      ? applyTags(row.attributes ?? {}, attributes)
      : row.attributes,
  }
  return { tags, properties, attributes, after }
}

/** Skips the write when nothing changes, as is usual for a get-or-create that finds a row. */
async function applyChange(
  db: Db,
  row: UserRow,
  viewer: Viewer,
  change: UserChange,
): Promise<UserRow> {
  const { tags, properties, attributes, after } = toChanged(row, viewer, change)
  if (isDeepStrictEqual(after, row)) return row
  const { name, picture_url, profile } = after
  const updated = await db
    .updateTable('user')
    .set({
      name,
      picture_url,
      profile,
      tags: mergedTags('tags', tags),
      properties: mergedTags('properties', properties),
      ...(change.data !== undefined && { data: change.data && json(change.data) }),
      ...(change.attributes && { attributes: mergedTags('attributes', attributes) }),
      updated_at: sql`greatest(now(), updated_at)`,
    })
    .where('bot_id', '=', row.bot_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw noUser(row.id)
  return updated
}

/**
 * Deletes in one statement the user, its messages, its conversations without other participants,
 * and the files that the bot created for it. Reads all messages of the bot: an index by author
 * would slow down every message and serve only this. Throws ResourceNotFound.
 */
export async function deleteUser(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<void> {
  if (id === botId)
    throw new ApiError('Forbidden', 'The user of the bot itself cannot be deleted')
  const { rows } = await sql`
    with doomed as (select bot_id, id, coalesce(fid, id) as shown_id from "user"
      where bot_id = ${botId} and id = ${id} and ${userVisibleTo(viewer)}),
    emptied as (
      delete from conversation c using doomed d
      where c.bot_id = d.bot_id and c.owner_id = d.id
        and not exists (select from participant p where p.bot_id = c.bot_id and p.conversation_id = c.id
          and p.user_id not in (d.id, d.bot_id))
      returning c.bot_id, c.id
    ),
    removed_messages as (
      delete from message m using doomed d
      where m.bot_id = d.bot_id and m.user_id = d.id and not exists (select from emptied
        where emptied.id = m.conversation_id)
      returning m.bot_id, m.conversation_id
    ),
    counted as (
      update conversation c set message_count = c.message_count - u.n
      from (select bot_id, conversation_id, count(*) as n from removed_messages
        group by bot_id, conversation_id) u
      where c.bot_id = u.bot_id and c.id = u.conversation_id
    ),
    removed_signals as (
      delete from signal s using doomed d
      where s.bot_id = d.bot_id and d.shown_id in (s.data ->> 'userId', s.data ->> 'participantId')
        and not exists (select from emptied where emptied.id = s.conversation_id)
    ),
    removed_events as (
      delete from event e using doomed d where e.bot_id = d.bot_id and e.user_id = d.id
        and ${hasHash(sql`e.user_id`, sql`d.id`)}
        and not exists (select from emptied where emptied.id = e.conversation_id)
    ), removed_files as (
      ${fileStore.deleteBy(
        'doomed d',
        sql`file.bot_id = d.bot_id and file.owner ->> 'type' = 'user'
        and file.owner ->> 'id' = d.id`,
      )}
    )
    delete from "user" u using doomed d where u.bot_id = d.bot_id and u.id = d.id returning u.id`.execute(
    db,
  )
  if (rows.length === 0) throw noUser(id)
}

/** Users of bots. */
export const userStore = {
  find: findUser,
  getOrCreate: getOrCreateUser,
  listById: usersById,
}
