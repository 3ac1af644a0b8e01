import type { Db } from '../db/open.ts'

/** A bot is a user among the others: it writes messages and takes part in conversations under its own id. */
export async function insertBotUser(db: Db, bot: { id: string; name: string }): Promise<void> {
  await db.insertInto('user').values({ bot_id: bot.id, id: bot.id, name: bot.name }).execute()
}
