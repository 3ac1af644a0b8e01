// Owns the tables message_search, message_search_fill, message_search_refill and
// message_search_progress: the words of messages. A periodic task writes the words of new messages,
// some seconds after the messages, and of earlier ones in the order of their ids. Each step is one
// transaction with a lock, so one server works at a time, and a kill repeats at most one step.

import { nextSlice } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { isAwake } from '../../queue/index.ts'
import { wordsOfMessage } from './message-words.ts'

/** Messages per transaction. */
const batch = 500
/** Words of larger payloads, in bytes as stored, are not searched. */
const maxPayloadBytes = 100_000
/** Larger payloads, in bytes of JSON, are read one by one, because parsing takes the main thread. */
const maxReadTogether = 2_048
/** Bytes of JSON whose words are found in one slice. */
const maxInSlice = 8_192
/** How long a run may work; the next run begins after the same time. */
const maxRunMs = 500

interface Message {
  bot_id: string
  conversation_id: string
  number: string
  /** As JSON. Null for a large one. */
  payload: string | null
  /** Of the payload as JSON. Null if it is too large to be searched. */
  bytes: number | null
}

interface Step {
  /** There may be more messages without words. */
  hasMore: boolean
  /** The bots of the messages whose words were written. */
  bots: string[]
}

/**
 * Resolves with the delay of the next run if more messages have no words. Calls `changed` with each
 * bot in whose messages a search may find more.
 */
export async function fillMessageSearch(
  db: Db,
  changed: (botId: string) => unknown = () => undefined,
): Promise<number | undefined> {
  const begun = performance.now()
  const elapsed = () => performance.now() - begun
  for (const step of [
    fillNew,
    fillEarlier('message_search_fill'),
    fillEarlier('message_search_refill'),
  ])
    for (let hasMore = true; hasMore; ) {
      const done = await db.transaction().execute(step)
      for (const botId of done.bots) changed(botId)
      hasMore = done.hasMore
      if (hasMore && elapsed() > maxRunMs) return elapsed()
    }
  return undefined
}

/** Deletes all words, and notes that they are missing. */
export async function clearMessageSearch(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } =
      await sql`delete from message_search_progress returning true`.execute(trx)
    if (rows.length === 0) return
    await sql`truncate message_search`.execute(trx)
    await sql`insert into message_search_fill (bot_id) select id from bot
      on conflict (bot_id) do update set after_id = ''`.execute(trx)
  })
}

const nothing: Step = { hasMore: false, bots: [] }

/** Writes the words of new messages. */
async function fillNew(trx: Db): Promise<Step> {
  const lock = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('fill message search', 0)) as is_mine`.execute(
    trx,
  )
  if (!lock.rows[0]!.is_mine) return nothing
  const { from, until } = await findProgress(trx)
  const { rows } = await sql<Message & { at: string }>`
    ${readPayloads}, created_at::text as at from (
      select *, ${asText} from (
        select * from message where created_at > ${from}::timestamptz
        order by created_at fetch first ${sql.lit(batch)} rows with ties
      ) picked offset 0
    ) m`.execute(trx)
  const bots = await store(trx, rows)
  const isFull = rows.length >= batch
  const reached = isFull ? rows.at(-1)!.at : until
  // Without new messages, one write in half a minute.
  await sql`
    update message_search_progress set from_time = ${reached}::timestamptz
    where from_time < ${reached}::timestamptz
      and (${rows.length > 0} or from_time < ${reached}::timestamptz - interval '30 s')`.execute(
    trx,
  )
  return { hasMore: isFull, bots }
}

/** Returns the times from and until which messages may have no words, from the first run on. */
async function findProgress(trx: Db): Promise<{ from: string; until: string }> {
  await sql`insert into message_search_progress (from_time) select ${settledTime}
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ from: string; until: string }>`
    select from_time::text as from, (${settledTime})::text as until
    from message_search_progress`.execute(trx)
  return rows[0]!
}

/**
 * Messages created before this time are committed, or never will be. A transaction gets its id
 * when it writes, a moment after it has read the clock for the message. An import of an archive may
 * take longer than two minutes, but not get its messages from here.
 */
const settledTime = sql`greatest(now() - interval '2 minutes', least(now(), (
    select min(xact_start) from pg_stat_activity
    where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()
  ))) - interval '1 second'`

/**
 * Writes the words of a bot's next earlier messages. Those of the second table have words of a previous
 * version, which are replaced: the lock keeps their payloads as read until the words are written.
 */
const fillEarlier =
  (table: 'message_search_fill' | 'message_search_refill') =>
  async (trx: Db): Promise<Step> => {
    const replaces = table === 'message_search_refill'
    const { rows: bots } = await sql<{ bot_id: string; after_id: string }>`
      select f.bot_id, f.after_id from ${sql.table(table)} f where ${sql.raw(isAwake('f.bot_id'))}
      order by f.after_id limit 1 for update skip locked`.execute(trx)
    if (!bots[0]) return nothing
    const { bot_id, after_id } = bots[0]
    const { rows } = await sql<Message & { id: string }>`
      ${readPayloads}, id from (
        select *, ${asText} from (
          select * from message where bot_id = ${bot_id} and id > ${after_id}
          order by id limit ${batch} ${replaces ? sql`for share` : sql``}
        ) picked offset 0
      ) m`.execute(trx)
    const changed = await store(trx, rows, replaces)
    await (rows.length < batch
      ? sql`delete from ${sql.table(table)} where bot_id = ${bot_id}`
      : sql`update ${sql.table(table)} set after_id = ${rows.at(-1)!.id} where bot_id = ${bot_id}`
    ).execute(trx)
    return { hasMore: true, bots: changed }
  }

/** Only of the messages of a batch: the conversion costs more than everything else about a row. */
const asText = sql`
  case when pg_column_size(payload) <= ${sql.lit(maxPayloadBytes)} then payload::text end as json`
const readPayloads = sql`select bot_id, conversation_id, number, octet_length(json) as bytes,
  case when octet_length(json) <= ${sql.lit(maxReadTogether)} then json end as payload`

async function readPayload(trx: Db, { bot_id, conversation_id, number }: Message) {
  const { rows } = await sql<{ json: string }>`
    select payload::text as json from message
    where (bot_id, conversation_id, number) = (${bot_id}, ${conversation_id}, ${number})`.execute(
    trx,
  )
  return rows[0]?.json ?? 'null'
}

/** Other requests run in between: the longest text takes some milliseconds. */
async function withWords(trx: Db, messages: Message[]) {
  const found: {
    bot_id: string
    conversation_id: string
    number: string
    words: string[]
  }[] = []
  let size = 0
  for (const message of messages) {
    const { bot_id, conversation_id, number, payload, bytes } = message
    if (bytes === null) continue
    const json = payload ?? (await readPayload(trx, message))
    size += bytes
    if (size > maxInSlice) {
      await nextSlice(bot_id)
      size = bytes
    }
    const words = wordsOfMessage(bot_id, JSON.parse(json))
    if (words.length > 0) found.push({ bot_id, conversation_id, number, words })
  }
  return found
}

/**
 * Stores the words of messages that have none yet, or replaces them. Skips messages that a
 * transaction is deleting, instead of waiting for it. The order prevents deadlocks of the steps for
 * new and for earlier messages on two servers. Returns the bots of the messages.
 */
async function store(trx: Db, messages: Message[], replaces = false): Promise<string[]> {
  const conflict = replaces
    ? sql`on conflict (bot_id, conversation_id, number) do update set words = excluded.words`
    : sql`on conflict do nothing`
  const given = await withWords(trx, messages)
  if (given.length === 0) return []
  // Words have no spaces, and a text of words is read much faster than JSON.
  const { rows } = await sql<{ bot_id: string }>`
    with present as (
      select m.bot_id, m.conversation_id, m.number, string_to_array(given.words, ' ') as words
      from unnest(${given.map((one) => one.bot_id)}::text[],
        ${given.map((one) => one.conversation_id)}::text[],
        ${given.map((one) => one.number)}::bigint[],
        ${given.map((one) => one.words.join(' '))}::text[])
        as given (bot_id, conversation_id, number, words)
      join message m on m.bot_id = given.bot_id and m.conversation_id = given.conversation_id
        and m.number = given.number
      for key share of m skip locked
    ),
    written as (
      insert into message_search (bot_id, conversation_id, number, words)
      select bot_id, conversation_id, number, array_to_tsvector(words) from present
      order by bot_id, conversation_id, number
      ${conflict} returning bot_id
    )
    select distinct bot_id from written`.execute(trx)
  return rows.map(({ bot_id }) => bot_id)
}

/**
 * Returns SQL that writes the words of imported and changed messages, if searches are on. `messages`
 * names a query with the columns bot_id, conversation_id, number and words (text[]).
 */
export const writeWords = (messages: string): string => `
  insert into message_search (bot_id, conversation_id, number, words)
  select bot_id, conversation_id, number, array_to_tsvector(words) from ${messages}
  where exists (select from message_search_progress)
  on conflict (bot_id, conversation_id, number) do update set words = excluded.words`
