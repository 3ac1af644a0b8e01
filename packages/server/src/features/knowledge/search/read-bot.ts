// Whose knowledge a caller reads.
import type { BotHooks } from '../../../core/bots/index.ts'
import type { Db } from '../../../core/db/index.ts'
import type { Caller } from '../../../core/http/index.ts'

/**
 * Returns the bot whose documents and curated answers the caller searches: its own, except for a bot in which
 * people try the draft of another. People see what the bot itself has.
 */
export async function findReadBot(
  { db, hooks }: { db: Db; hooks: BotHooks },
  { botId, account }: Caller<'bot'>,
): Promise<string> {
  if (account) return botId
  const tried = await Promise.all(hooks.findTried.map((find) => find(db, botId)))
  return tried.find((id) => id !== null) ?? botId
}
