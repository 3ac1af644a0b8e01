// Owns the table broadcast_recipient: one row for each person of a broadcast. Invariant: a row becomes
// `queued` or `sent` in the transaction that writes its message, so a kill neither loses nor repeats one.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { findTable, matchesRows, wholeBot } from '../../core/tables/index.ts'
import type { BroadcastRow } from './broadcasts.ts'

/** Per page. */
const maxUsers = 2_000
const maxRows = 1_000
/** A filter may find its rows only after many others. */
export const pageTimeoutMs = 10_000

interface ResolvedPage {
  /** Of the next page; null at the end. */
  position: string | null
  unknownRows: number
}

/**
 * Stores the recipients of the next page of users, or of rows of the table, inside of the database.
 * Requires a transaction. Throws ResourceNotFound or InvalidQuery if the table has changed.
 */
export async function storeNextRecipients(
  db: Db,
  broadcast: BroadcastRow,
  variables: string[],
): Promise<ResolvedPage> {
  await sql`select set_config('statement_timeout', ${String(pageTimeoutMs)}, true)`.execute(
    db,
  )
  return broadcast.audience.table
    ? storeFromTable(db, broadcast, variables)
    : storeFromUsers(db, broadcast)
}

type Condition = RawBuilder<boolean>

const hasTags = (
  alias: 'u' | 'c' | 'given',
  tags: Record<string, string> | undefined,
): Condition =>
  tags === undefined || Object.keys(tags).length === 0
    ? sql`true`
    : sql`${sql.ref(`${alias}.tags`)} @> ${JSON.stringify(tags)}::jsonb`

/** A member who answers in place of the bot is a user, too. */
const isPerson = (user: RawBuilder<unknown>, botId: string): Condition =>
  sql`${user} <> ${botId} and not exists (select from handoff_agent a
    where a.bot_id = ${botId} and a.user_id = ${user})`

/** The conversation of the user in the channel that has the last message. */
const lastConversation = (
  { bot_id: botId, integration, channel, audience }: BroadcastRow,
  user: RawBuilder<unknown>,
) => sql`
  select c.id from participant p join conversation c on c.bot_id = p.bot_id and c.id = p.conversation_id
  where p.bot_id = ${botId} and p.user_id = ${user} and c.integration = ${integration}
    and c.channel = ${channel} and ${hasTags('c', audience.conversationTags)}
  order by coalesce(c.last_message_at, c.created_at) desc, c.id desc limit 1`

/** Expects the rows `found (user_id, conversation_id, variables)`. */
const insertFound = ({ bot_id: botId, id, integration, channel }: BroadcastRow) => sql`
  insert into broadcast_recipient (bot_id, broadcast_id, user_id, conversation_id, variables, state, reason)
  select ${botId}, ${id}, f.user_id, case when skip is null then f.conversation_id end, f.variables,
    case when skip is null then 'waiting' else 'skipped' end, skip
  from found f cross join lateral (select case
    when exists (select from broadcast_opt_out o where o.bot_id = ${botId}
      and o.integration = ${integration} and o.channel = ${channel} and o.user_id = f.user_id)
      then 'opted_out'
    when f.conversation_id is null then 'no_conversation' end as skip) s
  on conflict do nothing`

async function storeFromUsers(db: Db, broadcast: BroadcastRow): Promise<ResolvedPage> {
  const { bot_id: botId, position, audience } = broadcast
  const { rows } = await sql<{ position: string | null }>`
    with page as materialized (
      select id, tags from "user" where bot_id = ${botId} and id > ${position} order by id limit ${maxUsers}
    ),
    found as (
      select u.id as user_id, last.id as conversation_id, null::jsonb as variables
      from page u cross join lateral (${lastConversation(broadcast, sql`u.id`)}) last
      where ${isPerson(sql`u.id`, botId)} and ${hasTags('u', audience.userTags)}
      order by u.id
    ),
    added as (${insertFound(broadcast)})
    select case when count(*) = ${maxUsers} then max(id) end as position from page`.execute(
    db,
  )
  return { position: rows[0]!.position, unknownRows: 0 }
}

/** The id is the server's, or one that a chat client chose. */
const idNamed = (table: 'user' | 'conversation', botId: string, more: Condition) => sql`
  select id from (
    (select * from ${sql.table(table)} where bot_id = ${botId} and id = n.name)
    union all
    (select * from ${sql.table(table)} where bot_id = ${botId} and fid = n.name)
  ) named where ${more} limit 1`

/** Of several rows of a person, the first counts. */
async function storeFromTable(
  db: Db,
  broadcast: BroadcastRow,
  variables: string[],
): Promise<ResolvedPage> {
  const { bot_id: botId, integration, channel, audience } = broadcast
  const { table: name, column: columnName, filter = {} } = audience.table!
  const table = await findTable(db, wholeBot(botId), name)
  const column = table.columns.find((one) => one.name === columnName)
  const used = table.columns.filter((one) => variables.includes(one.name))
  const inChannel = sql<boolean>`integration = ${integration} and channel = ${channel}`
  const { rows } = await sql<{ position: string | null; unknown: number }>`
    with page as materialized (
      select row_id, data from table_row where ${matchesRows(table, filter)}
        and row_id > ${broadcast.position || '0'}::bigint order by row_id limit ${maxRows}
    ),
    person as materialized (
      select n.row_id, n.data, coalesce(u.id, member.id) as user_id, c.id as given_id
      from (select *, data ->> ${column?.id ?? ''}::text as name from page) n
      left join lateral (${idNamed('user', botId, sql`true`)}) u on true
      left join lateral (${idNamed('conversation', botId, sql`u.id is null and ${inChannel}`)}) c on true
      left join lateral (
        select p.user_id as id from participant p where p.bot_id = ${botId} and p.conversation_id = c.id
          and ${isPerson(sql`p.user_id`, botId)} order by p.joined_at, p.user_id limit 1
      ) member on true
    ),
    found as (
      select distinct on (person.user_id) person.user_id,
        coalesce(given.id, last.id) as conversation_id,
        coalesce((select jsonb_object_agg(v.name, person.data -> v.id)
          from unnest(${used.map((one) => one.name)}::text[], ${used.map(({ id }) => id)}::text[])
            v (name, id)
          where person.data -> v.id is not null), '{}') as variables
      from person join "user" u on u.bot_id = ${botId} and u.id = person.user_id
      left join conversation given on given.bot_id = ${botId} and given.id = person.given_id
        and ${hasTags('given', audience.conversationTags)}
      left join lateral (${lastConversation(broadcast, sql`u.id`)}) last on person.given_id is null
      where ${isPerson(sql`u.id`, botId)} and ${hasTags('u', audience.userTags)}
      order by person.user_id, person.row_id
    ),
    added as (${insertFound(broadcast)})
    select case when count(*) = ${maxRows} then max(row_id)::text end as position,
      (count(*) filter (where user_id is null))::int as unknown from person`.execute(db)
  return { position: rows[0]!.position, unknownRows: rows[0]!.unknown }
}

export interface WaitingRow {
  user_id: string
  conversation_id: string
  variables: Record<string, unknown> | null
  opted_out: boolean
  user: { name: string | null; picture_url: string | null; tags: Record<string, string> }
  /** Null if it was deleted. */
  conversation: { tags: Record<string, string> } | null
}

type Key = Pick<BroadcastRow, 'bot_id' | 'id' | 'integration' | 'channel'>

const readWaiting = (
  db: Db,
  { bot_id: botId, integration, channel }: Key,
  waiting: RawBuilder<unknown>,
) =>
  sql<WaitingRow>`
  select r.user_id, r.conversation_id, r.variables,
    exists (select from broadcast_opt_out o where o.bot_id = ${botId} and o.integration = ${integration}
      and o.channel = ${channel} and o.user_id = r.user_id) as opted_out,
    jsonb_build_object('name', u.name, 'picture_url', u.picture_url, 'tags', u.tags) as "user",
    case when c.id is not null then jsonb_build_object('tags', c.tags) end as conversation
  from (${waiting}) r
  join "user" u on u.bot_id = ${botId} and u.id = r.user_id
  left join conversation c on c.bot_id = ${botId} and c.id = r.conversation_id
  order by r.due_at, r.user_id`.execute(db)

/** Locks the next people, except for those who are opting out at the moment. */
export async function lockWaiting(
  db: Db,
  key: Key,
  limit: number,
): Promise<WaitingRow[]> {
  const waiting = sql`select * from broadcast_recipient where bot_id = ${key.bot_id}
    and broadcast_id = ${key.id} and state = 'waiting' and due_at <= now()
    order by due_at, user_id limit ${limit} for update skip locked`
  return (await readWaiting(db, key, waiting)).rows
}

/** Returns the people after a user, by id. */
export async function listWaiting(
  db: Db,
  key: Key,
  after: string,
  limit: number,
): Promise<WaitingRow[]> {
  const waiting = sql`select * from broadcast_recipient where bot_id = ${key.bot_id}
    and broadcast_id = ${key.id} and state = 'waiting' and user_id > ${after}
    order by user_id limit ${limit}`
  return (await readWaiting(db, key, waiting)).rows
}

/** Returns when the next people are due; null without any. */
export async function findNextDue(db: Db, { bot_id, id }: Key): Promise<Date | null> {
  const { rows } = await sql<{ due_at: Date }>`
    select greatest(due_at, now()) as due_at from broadcast_recipient
    where bot_id = ${bot_id} and broadcast_id = ${id} and state = 'waiting'
    order by due_at limit 1`.execute(db)
  return rows[0]?.due_at ?? null
}

const hasDelivery = (messageId: RawBuilder<unknown>): Condition =>
  sql`exists (select from delivery d where d.bot_id = r.bot_id
    and d.lane = 'out:' || r.conversation_id and d.subject_id = ${messageId})`

export interface Outcome {
  userId: string
  state: 'waiting' | 'queued' | 'skipped'
  reason?: string
  detail?: string | null
  messageId?: string
  sentAt?: Date
  dueAt?: Date
}

/** A message without a delivery, as in the built-in chat, is sent when it is stored. */
export async function storeOutcomes(db: Db, { bot_id, id }: Key, outcomes: Outcome[]) {
  const column = <Name extends keyof Outcome>(name: Name) =>
    outcomes.map((one) => one[name] ?? null)
  await sql`
    update broadcast_recipient r set reason = o.reason, detail = left(o.detail, 500),
      message_id = o.message_id, sent_at = o.sent_at, due_at = coalesce(o.due_at, r.due_at),
      state = case when o.state = 'queued' and not ${hasDelivery(sql`o.message_id`)} then 'sent'
        else o.state end
    from unnest(${column('userId')}::text[], ${column('state')}::text[], ${column('reason')}::text[],
      ${column('detail')}::text[], ${column('messageId')}::text[], ${column('sentAt')}::timestamptz[],
      ${column('dueAt')}::timestamptz[]) o (user_id, state, reason, detail, message_id, sent_at, due_at)
    where r.bot_id = ${bot_id} and r.broadcast_id = ${id} and r.user_id = o.user_id`.execute(
    db,
  )
}

/** Returns the number of messages that the channel has not accepted, up to the limit. */
export async function countQueued(
  db: Db,
  { bot_id, id }: Key,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from broadcast_recipient where bot_id = ${bot_id} and broadcast_id = ${id}
      and state = 'queued' limit ${limit}) counted`.execute(db)
  return rows[0]!.count
}

/** Messages without a pending delivery for this long were delivered, or their conversation is deleted. */
const lostAfter = '30 seconds'

/** Corrects rows of messages that ended without a report of it. */
export const settleLost = (db: Db, { bot_id, id }: Key) =>
  sql`update broadcast_recipient r set state = 'sent' where bot_id = ${bot_id} and broadcast_id = ${id}
    and state = 'queued' and sent_at < now() - ${lostAfter}::interval
    and not ${hasDelivery(sql`r.message_id`)}`.execute(db)

/** The delivery of a message has ended: `reason` is its error, or null. Does nothing for other messages. */
export const noteDelivery = (
  db: Db,
  {
    botId,
    messageId,
    reason,
  }: { botId: string; messageId: string; reason: string | null },
) =>
  sql<{ broadcast_id: string }>`update broadcast_recipient
    set state = ${reason === null ? 'sent' : 'failed'}, reason = ${reason && 'not_delivered'},
      detail = left(${reason}, 500)
    where bot_id = ${botId} and message_id = ${messageId} and state in ('queued', 'failed', 'sent')`.execute(
    db,
  )

/** Skips the person in all running broadcasts of the channel. */
export const skipOptedOut = (
  db: Db,
  {
    botId,
    integration,
    channel,
    userId,
  }: Record<'botId' | 'integration' | 'channel' | 'userId', string>,
) =>
  sql`update broadcast_recipient r set state = 'skipped', reason = 'opted_out'
    where r.bot_id = ${botId} and r.user_id = ${userId} and r.state = 'waiting'
      and exists (select from broadcast b where b.bot_id = ${botId} and b.id = r.broadcast_id
        and b.integration = ${integration} and b.channel = ${channel})`.execute(db)
