import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/**
 * Inserts the bot as a user with its own id, so that it can write messages and take part in
 * conversations.
 */
async function insertBotUser(db: Db, bot: { id: string; name: string }): Promise<void> {
  await db
    .insertInto('user')
    .values({ bot_id: bot.id, id: bot.id, name: bot.name })
    .execute()
}

/** A user outside of integrations: a person who answers in place of the bot. */
interface OwnUser {
  botId: string
  id: string
  name: string | null
  pictureUrl: string | null
}

async function insertOwnUser(
  db: Db,
  { botId, id, name, pictureUrl }: OwnUser,
): Promise<void> {
  await db
    .insertInto('user')
    .values({ bot_id: botId, id, name, picture_url: pictureUrl })
    .execute()
}

/** Changes nothing if the user has this name and picture. */
async function renameUser(
  db: Db,
  { botId, id, name, pictureUrl }: OwnUser,
): Promise<void> {
  await db
    .updateTable('user')
    .set({ name, picture_url: pictureUrl })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(sql<boolean>`(name, picture_url) is distinct from (${name}, ${pictureUrl})`)
    .execute()
}

/** Users as which bots and operators write. */
export const botUsers = {
  insert: insertBotUser,
  insertOwn: insertOwnUser,
  rename: renameUser,
}
