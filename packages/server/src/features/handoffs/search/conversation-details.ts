// Facts about the conversations of a page: messages, participants and counts, by three statements for
// any number of conversations.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import type { MessageRow } from '../../../core/messaging/index.ts'

/** Participants that are named, and rows up to which anything is counted. */
const maxNamed = 5
const maxCounted = 1_000
/** Messages of a conversation among which the last one of a user is searched. */
const maxMessages = 100

export interface ConversationDetails {
  lastMessage: MessageRow | null
  /** Among the last hundred. */
  lastUserMessage: MessageRow | null
  /** The last message with the words of the search. */
  match: MessageRow | null
  /** The first five, without the bot and members who answer. */
  participants: Participant[]
  counts: Counts
}

interface Participant {
  id: string
  name: string | null
  fid: string | null
  picture_url: string | null
  integration: string | null
}

interface Counts {
  participant_count: number
  dead_letters: number
  positive: number
  negative: number
}

interface PageRow {
  id: string
  match: string | null
}

/** Returns the details of the conversations, in their order. */
export async function findDetails(
  db: Db,
  botId: string,
  page: PageRow[],
): Promise<ConversationDetails[]> {
  if (page.length === 0) return []
  const ids = page.map(({ id }) => id)
  const [messages, ofUsers, facts] = await Promise.all([
    findMessages(db, botId, page),
    findLastOfUsers(db, botId, ids),
    findFacts(db, botId, ids),
  ])
  return page.map(({ id, match }) => {
    const { participants, ...counts } = facts.get(id)!
    const ofThis = messages.filter((row) => row.conversation_id === id)
    return {
      lastUserMessage: ofUsers.find((row) => row.conversation_id === id) ?? null,
      lastMessage: ofThis.find(({ is_last }) => is_last) ?? null,
      match: ofThis.find(({ number }) => number === match) ?? null,
      participants,
      counts,
    }
  })
}

/** Reads the last message of each conversation, and the one that matches. */
export async function findMessages(db: Db, botId: string, page: PageRow[]) {
  const ids = page.map(({ id }) => id)
  const matches = page.map(({ match }) => match)
  const within = sql`from message where bot_id = ${botId} and conversation_id = given.id`
  const { rows } = await sql<MessageRow & { is_last: boolean }>`
    select last.*, true as is_last from unnest(${ids}::text[]) as given (id) cross join lateral (
      (select * ${within} and number > 0 order by number desc limit 1)
      union all
      (select * ${within} and number < 0 order by created_at desc, number desc limit 1)
      limit 1
    ) last
    union all
    select message.*, false
    from unnest(${ids}::text[], ${matches}::bigint[]) as given (id, number)
    cross join lateral (select * ${within} and number = given.number) message`.execute(db)
  return rows
}

/** Reads the last message of the users of each conversation, among its last hundred. */
export async function findLastOfUsers(
  db: Db,
  botId: string,
  conversationIds: string[],
): Promise<MessageRow[]> {
  const within = sql`from message where bot_id = ${botId} and conversation_id = given.id`
  const { rows } = await sql<MessageRow>`
    select last.* from unnest(${conversationIds}::text[]) as given (id) cross join lateral (
      select * from (
        (select * ${within} and number > 0 order by number desc limit ${maxMessages})
        union all
        (select * ${within} and number < 0
          order by created_at desc, number desc limit ${maxMessages})
      ) recent where direction = 'incoming' limit 1
    ) last`.execute(db)
  return rows
}

async function findFacts(db: Db, botId: string, ids: string[]) {
  // Members answer in place of the bot.
  const others = sql`from participant p where p.bot_id = ${botId}
    and p.conversation_id = given.id and p.user_id <> ${botId}
    and not exists (select from handoff_agent a
      where a.bot_id = p.bot_id and a.user_id = p.user_id)`
  const capped = (rows: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (${rows} limit ${maxCounted}) counted)`
  const rated = (ratings: string[]) =>
    capped(sql`select from message_feedback where bot_id = ${botId}
      and conversation_id = given.id and rating = any(${ratings}::text[])`)
  const { rows } = await sql<{ id: string; participants: Participant[] } & Counts>`
    select given.id,
      (select coalesce(jsonb_agg(named), '[]') from (
        select u.id, u.name, u.fid, u.picture_url, u.integration
        from (select p.* ${others} limit ${maxCounted}) p
        join "user" u on u.bot_id = p.bot_id and u.id = p.user_id
        order by p.joined_at, p.user_id limit ${maxNamed}
      ) named) as participants,
      ${capped(sql`select ${others}`)} as participant_count,
      ${capped(sql`select from delivery where bot_id = ${botId}
        and conversation_id = given.id and dead_at is not null`)} as dead_letters,
      ${rated(['positive', '4', '5'])} as positive, ${rated(['negative', '1', '2'])} as negative
    from unnest(${ids}::text[]) as given (id)`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}
