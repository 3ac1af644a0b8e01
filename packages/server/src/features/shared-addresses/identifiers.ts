// Settings of installations that decide which requests and conversations of a shared address they get.
import { configureInstallation } from '../../core/catalog/index.ts'
import type { Limits } from '../../core/config/index.ts'
import type { Database } from '../../core/db/index.ts'
import { type InstallationRef, unlinkConversations } from './sandbox-conversations.ts'

interface Deps {
  database: Database
  limits: Pick<Limits, 'identifiersPerIntegration'>
}

/**
 * Changes them within the workspace. Null as `sandboxIdentifiers` unlinks the conversations of the shared
 * number from the bot. Throws as `configureInstallation`.
 */
export const changeIdentifiers = (
  { database, limits }: Deps,
  place: InstallationRef,
  settings: Parameters<typeof configureInstallation>[3],
): Promise<void> =>
  database.inTransaction(async ({ db }) => {
    const claim = { from: 'workspace', max: limits.identifiersPerIntegration } as const
    await configureInstallation(db, place.botId, place.alias, settings, claim)
    if (settings.sandboxIdentifiers === null) await unlinkConversations(db, place)
  })
