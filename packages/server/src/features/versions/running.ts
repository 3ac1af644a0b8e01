// Finds the version that a bot runs, and whether the bot has changed since.
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import { describeState, type VersionState } from './bot-document.ts'
import { compareVersion, type VersionRow } from './versions.ts'

/** Returns null for a bot without versions. */
export async function findRunning(
  db: Db,
  secrets: Secrets,
  bot: { id: string; workspace_id: string },
  versions: VersionRow[],
): Promise<{ versionId: string; isModified: boolean } | null> {
  const [latest] = [...versions].sort(
    (a, b) => b.deployedAt.getTime() - a.deployedAt.getTime(),
  )
  if (!latest) return null
  const [now, { state, hasCode }] = await Promise.all([
    describeState(db, secrets, bot.workspace_id, bot.id),
    compareVersion(db, secrets, bot.id, latest.id),
  ])
  const isModified = !hasCode || !isDeepStrictEqual(comparable(now), comparable(state))
  return { versionId: latest.id, isModified }
}

/**
 * Restoring a version leaves secrets alone, and addresses of installed integrations. Stored versions
 * lack fields without a value.
 */
const comparable = ({
  secrets: _names,
  webhookIds: _addresses,
  ...state
}: VersionState): unknown => JSON.parse(JSON.stringify(state))
