// What features do with bots, see messaging/hooks.ts.
import type { Db } from '../db/index.ts'

export interface BotHooks {
  /** Inside of the transaction that deploys code to a bot, at its end. */
  botDeployed: ((
    trx: Db,
    bot: { id: string; workspace_id: string },
    /** Id of an account. */
    deployedBy: string,
  ) => Promise<void>)[]
  /** Returns the ids of bots that are deleted with this one. */
  findTrials: ((db: Db, botId: string) => Promise<string[]>)[]
  /** Returns the bot that people try in this one; null for other bots. */
  findTried: ((db: Db, botId: string) => Promise<string | null>)[]
}
