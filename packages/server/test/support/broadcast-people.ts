// Many people of the chat of a bot, each with one conversation, written by two statements.
import { sql } from 'kysely'
import type { Db } from '../../src/core/db/index.ts'

/** Adds users `user_person-1…` with conversations `conv_person-1…` and the tag `n`. */
export async function addPeople(db: Db, botId: string, count: number): Promise<void> {
  await sql`
    with person as (select n, 'user_person-' || n as user_id, 'conv_person-' || n as conversation_id
      from generate_series(1, ${count}::int) n),
    users as (insert into "user" (bot_id, id, integration, name, tags)
      select ${botId}, user_id, 'chat', 'Person ' || n, jsonb_build_object('n', n::text) from person),
    conversations as (insert into conversation (bot_id, id, integration, channel, owner_id)
      select ${botId}, conversation_id, 'chat', 'channel', user_id from person)
    select count(*) from person`.execute(db)
  await sql`insert into participant (bot_id, conversation_id, user_id)
    select bot_id, id, owner_id from conversation where bot_id = ${botId} and id like 'conv_person-%'
    on conflict do nothing`.execute(db)
}

interface SentMessage {
  conversation_id: string
  text: string
}

/** Returns the messages of a broadcast that are stored. */
export async function broadcastMessages(
  db: Db,
  botId: string,
  id: string,
): Promise<SentMessage[]> {
  const { rows } = await sql<SentMessage>`
    select conversation_id, payload ->> 'text' as text from message
    where bot_id = ${botId} and tags ->> 'broadcast' = ${id} order by conversation_id`.execute(
    db,
  )
  return rows
}
