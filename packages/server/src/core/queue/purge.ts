import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/**
 * Deletes the queue of a bot that is being deleted. The queue's tables have no foreign key to the
 * bot, so that enqueueing checks nothing.
 */
export async function purgeQueue(db: Db, botId: string): Promise<void> {
  await sql`
    with lanes as (delete from lane where bot_id = ${botId}), attempts as (delete from delivery_attempt
      where bot_id = ${botId})
    delete from delivery where bot_id = ${botId}
  `.execute(db)
}
