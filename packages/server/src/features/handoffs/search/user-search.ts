// Searches the users of a bot without the bot itself, newest first. Each page needs a fixed number
// of statements: candidates, page, and its counts.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type Tags, type UserRow, userStore } from '../../../core/messaging/index.ts'
import { hasManyMessages, hasMessage } from './message-checks.ts'
import {
  idsWithTag,
  intersection,
  limited,
  maxRare,
  rareIds,
  readPerResult,
} from './rare-filters.ts'

interface Position {
  at: Date
  id: string
}

interface UserSearch {
  /** Beginnings of words of the name. */
  name?: string | undefined
  tags?: Tags | undefined
  /** Alias. */
  integration?: string | undefined
  /** Whether the user has written. */
  hasMessages?: boolean | undefined
  /** Whether it is a member who answers in place of the bot. */
  isMember?: boolean | undefined
  /** Position of the previous page's last user. */
  position: Position | null
  limit: number
}

/** Users that a page checks at most, and conversations up to which they are counted. */
const maxChecked = 2_000
const maxCounted = 1_000

export interface FoundUser {
  user: UserRow
  is_member: boolean
  conversations: number
  last_active_at: Date | null
}

/**
 * Returns a page and the position after it, or null at the end. A page may be shorter or empty
 * although more follow.
 */
export async function searchUsers(
  db: Db,
  botId: string,
  search: UserSearch,
): Promise<{ found: FoundUser[]; next: Position | null }> {
  const conditions = toConditions(botId, search)
  const sets = await countRare(db, conditions)
  const ids = intersection(sets.filter((set) => set !== null))
  if (ids?.length === 0) return { found: [], next: null }
  const checks = conditions.flatMap(({ check }, at) => (sets[at] ? [] : [check]))
  if (search.hasMessages === false) checks.push(sql`not ${hasWritten}`)
  const { rows, end } = await selectPage(db, botId, search, { ids, checks })
  const page = rows.slice(0, search.limit)
  const last = page.at(-1)
  const next =
    rows.length > search.limit && last ? { at: last.created_at, id: last.id } : end
  return { found: await withCounts(db, botId, page), next }
}

/** Throws ResourceNotFound. */
export async function findUserActivity(
  db: Db,
  botId: string,
  id: string,
): Promise<FoundUser> {
  const [found] = await withCounts(db, botId, [await userStore.find(db, botId, id)])
  return found!
}

interface Condition {
  ids: RawBuilder<unknown>
  /** The same condition on `"user" u`. */
  check: RawBuilder<boolean>
}

function toConditions(
  botId: string,
  { name, tags = {}, isMember }: UserSearch,
): Condition[] {
  const named = name === undefined ? [] : [hasName(botId, name)]
  const members = isMember === true ? [memberCondition(botId)] : []
  return [
    ...named,
    ...members,
    ...Object.entries(tags).map(([tag, value]) => hasTag(botId, tag, value)),
  ]
}

const hasName = (botId: string, name: string): Condition => ({
  ids: usersNamed(botId, name),
  check: sql`to_tsvector('simple', coalesce(u.name, '')) @@ ${nameQuery(name)}`,
})

/** PostgreSQL separates the words, as it does for the index. */
function nameQuery(name: string) {
  const words = sql`(select string_agg(quote_literal(lexeme) || ':*', ' & ')
    from unnest(tsvector_to_array(to_tsvector('simple', ${name.replaceAll('\\', ' ')}))) lexeme)`
  return sql`${words}::tsquery`
}

/** Selects up to 5,001 ids of users. */
export const usersNamed = (
  botId: string,
  name: string,
) => sql`(select id from find_user_names(
  ${botId}, ${nameQuery(name)} && quote_literal(${botId})::tsquery, ${maxRare + 1}))`

const hasTag = (botId: string, name: string, value: string): Condition => ({
  ids: idsWithTag(botId, 'user', name, value),
  check: sql`u.tags @> ${JSON.stringify({ [name]: value })}::jsonb`,
})

/** Returns the ids for each condition, or null for one that is not rare. */
async function countRare(db: Db, conditions: Condition[]): Promise<(string[] | null)[]> {
  if (conditions.length === 0) return []
  const { rows } = await sql<{ found: (string[] | null)[] }>`
    select jsonb_build_array(${sql.join(conditions.map(({ ids }) => rareIds(ids)))}) as found`.execute(
    db,
  )
  return rows[0]!.found
}

/** `end` is the position of the last user read, if more follow. */
async function selectPage(
  db: Db,
  botId: string,
  { integration, hasMessages, isMember, position, limit }: UserSearch,
  { ids, checks }: { ids: string[] | null; checks: RawBuilder<boolean>[] },
): Promise<{ rows: UserRow[]; end: Position | null }> {
  const common = [
    ...(hasMessages === true ? [hasWritten] : []),
    ...(isMember === false ? [sql`not ${isAgent}`] : []),
  ]
  const few = (limit + 1) * (common.length > 0 ? readPerResult : 1)
  const maxRead = checks.length > 0 ? maxChecked : few
  const isChecked = checks.length + common.length > 0
  // The bot is a user in its conversations.
  const bounds = [sql`u.bot_id = ${botId} and u.id <> ${botId}`]
  if (integration !== undefined) bounds.push(sql`u.integration = ${integration}`)
  if (position) bounds.push(sql`(u.created_at, u.id) < (${position.at}, ${position.id})`)
  const { rows } = await sql<UserRow & { is_found: boolean }>`
    select u.*, ${sql.join([sql`true`, ...checks, ...common], sql` and `)} as is_found
    from (
      select u.* from ${ids ? byIds(botId, ids) : sql`"user"`} u where ${sql.join(bounds, sql` and `)}
      order by u.created_at desc, u.id desc limit ${maxRead}
    ) u order by u.created_at desc, u.id desc`.execute(db)
  const last = rows.at(-1)
  const isCut = isChecked && rows.length === maxRead && last !== undefined
  return {
    rows: rows.filter(({ is_found }) => is_found).slice(0, limit + 1),
    end: isCut ? { at: last.created_at, id: last.id } : null,
  }
}

const memberCondition = (botId: string): Condition => ({
  ids: limited(
    sql`select user_id as id from handoff_agent where bot_id = ${botId} order by user_id`,
  ),
  check: isAgent,
})

const isAgent = sql<boolean>`exists (select from handoff_agent a
  where a.bot_id = u.bot_id and a.user_id = u.id)`

/** Whether the user wrote in one of the conversations; those with many messages count. */
const hasWritten = sql<boolean>`((select true from (
    select * from participant p where p.bot_id = u.bot_id and p.user_id = u.id
    order by p.user_id limit ${maxCounted}) p
  cross join lateral (select * from conversation c
    where c.bot_id = p.bot_id and c.id = p.conversation_id offset 0) c
  where ${hasManyMessages} or ${hasMessage(sql`m.user_id = u.id`)} limit 1) is true)`

/** By the primary key: the planner might prefer to read all users in their order. */
const byIds = (botId: string, ids: string[]) => sql`(
  select u.* from unnest(${ids}::text[]) as given (id) cross join lateral (
    select * from "user" where bot_id = ${botId} and id = given.id offset 0
  ) u)`

async function withCounts(db: Db, botId: string, page: UserRow[]): Promise<FoundUser[]> {
  if (page.length === 0) return []
  const { rows } = await sql<Omit<FoundUser, 'user'>>`
    select joined.conversations, joined.last_active_at, exists (select from handoff_agent
      where bot_id = ${botId} and user_id = given.id) as is_member
    from unnest(${page.map(({ id }) => id)}::text[]) with ordinality as given (id, position)
    cross join lateral (
      select count(*)::int as conversations, max(c.last_message_at) as last_active_at
      from (select * from participant where bot_id = ${botId} and user_id = given.id
        order by user_id limit ${maxCounted}) p
      cross join lateral (select last_message_at from conversation
        where bot_id = ${botId} and id = p.conversation_id offset 0) c
    ) joined order by given.position`.execute(db)
  return page.map((user, at) => ({ user, ...rows[at]! }))
}
