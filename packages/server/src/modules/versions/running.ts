// Finds the version that a bot runs, and whether the bot has changed since.
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../infra/db/open.ts'
import type { Secrets } from '../../infra/lib/secrets.ts'
import { describeBot, type VersionContent } from './bot-document.ts'
import { openVersion, type VersionRow } from './versions.ts'

/** Returns null for a bot without versions. */
export async function findRunning(
  db: Db,
  secrets: Secrets,
  bot: { id: string; workspace_id: string },
  versions: VersionRow[],
): Promise<{ versionId: string; isModified: boolean } | null> {
  const [latest] = [...versions].sort((a, b) => b.deployedAt.getTime() - a.deployedAt.getTime())
  if (!latest) return null
  const [now, then] = await Promise.all([
    describeBot(db, secrets, bot.workspace_id, bot.id),
    openVersion(db, secrets, bot.id, latest.id),
  ])
  const isModified = now.code !== then.code || !isDeepStrictEqual(toState(now), toState(then))
  return { versionId: latest.id, isModified }
}

/**
 * Restoring a version leaves secrets alone, and addresses of installed integrations. Stored versions
 * lack fields without a value. The code is long, and compared without a copy.
 */
const toState = ({
  secrets: _names,
  webhookIds: _addresses,
  code: _code,
  ...state
}: VersionContent): unknown => JSON.parse(JSON.stringify(state))
