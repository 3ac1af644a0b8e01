// Packages of a bot that moves to another workspace.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../db/index.ts'
import { listNotInstallable } from '../installations/installations.ts'
import { listNotInstallablePlugins } from '../plugins/installed-plugins.ts'

/** Throws ReferenceConstraint if the workspace may not install integrations or plugins of the bot. */
export async function rejectPrivatePackages(
  db: Db,
  bot: { id: string; dev: boolean },
  workspaceId: string,
): Promise<void> {
  const missing = [
    ...(await listNotInstallable(db, bot, workspaceId)),
    ...(await listNotInstallablePlugins(db, bot.id, workspaceId)),
  ]
  if (missing.length > 0)
    throw new ApiError(
      'ReferenceConstraint',
      `The target workspace cannot install ${missing.join(', ')}: make it public or unlisted, or ` +
        'remove it from the bot',
    )
}
