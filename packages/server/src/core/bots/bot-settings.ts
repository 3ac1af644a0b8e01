// Settings of a bot that features check and apply.
import { sql, type Updateable } from 'kysely'
import type { Db, Schema } from '../db/index.ts'

type BotSettings = Pick<
  Updateable<Schema['bot']>,
  'burst_rules' | 'handoff_rules' | 'redaction' | 'retention'
>

/** Stores the rules; null for none. */
export const storeRules = (db: Db, botId: string, rules: BotSettings) =>
  db.updateTable('bot').set(rules).where('id', '=', botId).execute()

/** Stores the actions of the bot's integrations that MCP clients may call. */
export async function storeMcpActions(
  db: Db,
  botId: string,
  actions: string[],
): Promise<void> {
  await sql`update bot set mcp_actions = ${[...new Set(actions)]}::text[], updated_at = now()
    where id = ${botId}`.execute(db)
}
