// Versions that deployments store, so that each code that ran can run again. A person who names one
// keeps it; the server deletes the oldest of the others.
import type { Db } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import { describeState } from './bot-document.ts'
import { findRunning } from './running.ts'
import {
  changeVersion,
  listVersions,
  markDeployed,
  type NewVersion,
  storeVersion,
  type VersionRow,
} from './versions.ts'

interface VersionedBot {
  id: string
  workspace_id: string
}

/**
 * Requires a transaction. Stores the bot's state after a deployment, or marks the running version as
 * deployed again if it has this state.
 */
export async function keepDeployed(
  db: Db,
  secrets: Secrets,
  bot: VersionedBot,
  createdBy: string,
): Promise<void> {
  const running = await findUnmodified(db, secrets, bot)
  if (running) return markDeployed(db, { botId: bot.id, id: running.id })
  const state = await describeState(db, secrets, bot.workspace_id, bot.id)
  await storeVersion(
    db,
    secrets,
    bot,
    { name: 'Deployed code', createdBy, isAutomatic: true },
    state,
  )
}

/**
 * Requires a transaction. Stores the bot's state under a name. If a deployment has just stored it, the
 * version gets the name. Throws LimitExceeded.
 */
export async function saveVersion(
  db: Db,
  secrets: Secrets,
  bot: VersionedBot,
  named: NewVersion,
): Promise<Pick<VersionRow, 'id' | 'name' | 'description'>> {
  const running = await findUnmodified(db, secrets, bot)
  if (running?.isAutomatic)
    return changeVersion(db, { botId: bot.id, id: running.id }, named)
  const state = await describeState(db, secrets, bot.workspace_id, bot.id)
  return storeVersion(db, secrets, bot, named, state)
}

/** Returns the running version; null if the bot has none, or has changed since. */
async function findUnmodified(
  db: Db,
  secrets: Secrets,
  bot: VersionedBot,
): Promise<VersionRow | null> {
  const versions = await listVersions(db, bot.id)
  const running = await findRunning(db, secrets, bot, versions)
  if (!running || running.isModified) return null
  return versions.find(({ id }) => id === running.versionId) ?? null
}
