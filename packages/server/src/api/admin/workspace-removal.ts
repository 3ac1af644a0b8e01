// What happens when a workspace ends: its bots stop first, then integrations are told, then what belongs to it goes.
import { ApiError } from '@botstead/contract'
import { removeWorkspaceRow } from '../../accounts/workspaces.ts'
import { eraseChain } from '../../audit/trail.ts'
import { blockBots, listBotIds } from '../../bots/bots.ts'
import { listKeyHashes } from '../../integrations/integration-keys.ts'
import { removePrivatePackages } from '../../packages/removal.ts'
import type { Services } from '../../services.ts'
import { removeBot } from './bot-changes.ts'

/** Integrations of others may be slow to answer: that many bots wait for theirs at a time. */
const atOnce = 8

/**
 * Repeating it does what a server that died left undone. Who makes a bot meanwhile finds no workspace, or is begun with again. What other
 * workspaces have installed stays, under a name that says nothing, and nobody's.
 */
export async function removeWorkspace(services: Services, workspaceId: string): Promise<void> {
  await stopBots(services, workspaceId)
  for (
    let left = await listBotIds(services.db, workspaceId);
    left.length > 0;
    left = await listBotIds(services.db, workspaceId)
  )
    await Promise.all(
      left
        .slice(0, atOnce)
        .map((id) => removeBot(services, { id, workspace_id: workspaceId }).catch(unlessGone)),
    )
  const keys = await services.whole(async ({ db }) => {
    await eraseChain(db, workspaceId)
    const hashes = await listKeyHashes(db, workspaceId)
    const isGone = await removeWorkspaceRow(db, workspaceId)
    if (!isGone) await removePrivatePackages(db, workspaceId)
    return hashes
  })
  for (const tokenHash of keys) await services.forget({ tokenHash })
  await services.forget({ workspaceId })
}

/** Somebody else was quicker. */
function unlessGone(error: unknown) {
  if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error
}

/** Within moments, whatever the integrations take. */
async function stopBots(services: Services, workspaceId: string): Promise<void> {
  const ids = await blockBots(services.db, workspaceId)
  await Promise.all(
    ids.map(async (botId) => {
      await services.forget({ botId })
      await services.invoker.recycle(botId)
    }),
  )
}
