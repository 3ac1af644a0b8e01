// Deletes a workspace: stops its bots, then calls their integrations, then deletes its rows.
import { ApiError } from '@botstead/contract'
import { type AccountServices, workspaceStore } from '../../accounts/index.ts'
import { eraseChain } from '../../audit/index.ts'
import { type BotServices, botStore } from '../../bots/index.ts'
import { listKeyHashes } from '../../catalog/index.ts'
import type { DeliveryServices } from '../../delivery/index.ts'
import type { BlobServices } from '../../files/index.ts'
import type { Services } from '../../http/index.ts'
import type { OutgoingServices } from '../../outgoing/index.ts'
import type { QueueServices } from '../../queue/index.ts'
import type { RealtimeServices } from '../../realtime/index.ts'
import { removeBot } from './bot-changes.ts'

type Own = AccountServices &
  BlobServices &
  BotServices &
  DeliveryServices &
  QueueServices &
  RealtimeServices &
  OutgoingServices

/** Bots that are deleted at a time: integrations may be slow to respond. */
const atOnce = 8

/**
 * Deletes the workspace; can be repeated after a crash. Bots created meanwhile fail, or are deleted
 * by the next round. Integrations that other workspaces have installed stay, without an owner and
 * under a neutral name.
 */
export async function removeWorkspace(
  services: Services & Own,
  workspaceId: string,
): Promise<void> {
  await stopBots(services, workspaceId)
  for (
    let remaining = await botStore.listIds(services.db, workspaceId);
    remaining.length > 0;
    remaining = await botStore.listIds(services.db, workspaceId)
  )
    await Promise.all(
      remaining
        .slice(0, atOnce)
        .map((id) =>
          removeBot(services, { id, workspace_id: workspaceId }).catch(unlessGone),
        ),
    )
  const keys = await services.inTransaction(async (inside) => {
    const { db } = inside
    await eraseChain(db, workspaceId)
    const hashes = await listKeyHashes(db, workspaceId)
    await workspaceStore.removeRow(inside, workspaceId)
    return hashes
  })
  for (const tokenHash of keys) await services.invalidate({ tokenHash })
  await services.invalidate({ workspaceId })
}

/** Ignores bots that another request has deleted meanwhile. */
function unlessGone(error: unknown) {
  if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error
}

/** Stops all bots at once, before the slower calls of integrations. */
async function stopBots(services: Services & Own, workspaceId: string): Promise<void> {
  const ids = await botStore.block(services.db, workspaceId)
  await Promise.all(
    ids.map(async (botId) => {
      await services.invalidate({ botId })
      await services.invoker.recycle(botId)
    }),
  )
}
