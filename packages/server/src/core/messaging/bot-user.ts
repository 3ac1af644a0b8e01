import type { Db } from '../db/database.ts'

/**
 * Inserts the bot as a user with its own id, so that it can write messages and take part in
 * conversations.
 */
export async function insertBotUser(db: Db, bot: { id: string; name: string }): Promise<void> {
  await db.insertInto('user').values({ bot_id: bot.id, id: bot.id, name: bot.name }).execute()
}
