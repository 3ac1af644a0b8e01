// Owns the table bot_trial: the bot in which people try the draft of another one. It is a bot in development,
// so lists leave it out; it has its own data and a chat, and no other integrations. It reads the knowledge of
// the other one.
import { sql } from 'kysely'
import { makeBot } from '../../core/api/index.ts'
import { type Bot, botStore } from '../../core/bots/index.ts'
import { hub, installationStore } from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { DeployContext } from '../versions/index.ts'

/** Creates it with the first use. */
export async function openTrial({ services, caller }: DeployContext, bot: Bot) {
  const { db } = services
  const known = await findTrial(db, bot.id)
  const trial = known
    ? await botStore.find(db, bot.workspace_id, known)
    : await createTrial()
  const installed = await installationStore.list(db, trial.id)
  const chat = installed.find(({ integration_id }) => hub.isChat(integration_id))
  return { trial, webhookId: chat?.webhook_id ?? null }

  async function createTrial(): Promise<Bot> {
    return services.inTransaction(async (inside) => {
      // Of two people who begin at once, the second finds the bot of the first.
      await sql`select pg_advisory_xact_lock(hashtextextended('trial ' || ${bot.id}, 0))`.execute(
        inside.db,
      )
      const other = await findTrial(inside.db, bot.id)
      if (other) return botStore.find(inside.db, bot.workspace_id, other)
      const name = `${bot.name.slice(0, 150)} (draft)`
      const { id } = await makeBot(inside, caller, { name, dev: true })
      await sql`
        insert into bot_trial (bot_id, trial_bot_id) values (${bot.id}, ${id})`.execute(
        inside.db,
      )
      return botStore.find(inside.db, bot.workspace_id, id)
    })
  }
}

async function findTrial(db: Db, botId: string): Promise<string | null> {
  const [id] = await listTrials(db, botId)
  return id ?? null
}

/** Returns the ids of the bots that are deleted with this one. */
export async function listTrials(db: Db, botId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select trial_bot_id as id from bot_trial where bot_id = ${botId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the bot whose draft people try in this one; null for other bots. */
export async function findTried(db: Db, trialId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select bot_id as id from bot_trial where trial_bot_id = ${trialId}`.execute(db)
  return rows[0]?.id ?? null
}
