// Decides whether the code of a workspace may run on this server. Isolation tier 2 separates
// workspaces from each other. With a lower tier, code could reach the data of other workspaces, so
// only mutually trusting workspaces may run code: the first one, and those that one of its owners
// also owns.

import { InvocationFailed, type Sandbox } from '@botstead/sandbox'
import { workspaceStore } from '../../accounts/index.ts'
import type { Section } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'

/**
 * Throws InvocationFailed if the workspace's code may not run here. Null stands for the server's
 * own code.
 */
export type HostingTrust = (workspaceId: string | null) => Promise<void>

/** Text for the operator, for when `rejectsOtherWorkspaces` is true. */
export const otherWorkspacesRejected =
  'runs only code of workspaces that an owner of the first workspace owns'

export const rejectsOtherWorkspaces = (
  config: Pick<Section<'hosting'>, 'sandboxTrust'>,
  { tier }: { tier: number | null },
) => tier === 1 && config.sandboxTrust === 'owners'

// Retry slowly: only an action of the operator or of a member can change the result.
const retryAfterMs = 60_000

export function openHostingTrust(
  db: Db,
  config: Pick<Section<'hosting'>, 'sandboxTrust'>,
  sandbox: Pick<Sandbox, 'stats'>,
): HostingTrust {
  return async (workspaceId) => {
    if (
      workspaceId === null ||
      !rejectsOtherWorkspaces(config, sandbox.stats()) ||
      (await workspaceStore.isOwnedWithFirst(db, workspaceId))
    )
      return
    throw new InvocationFailed(
      'crash',
      'This server does not isolate workspaces from each other (tier 2), so it does not run the code ' +
        'of this workspace: see BOTSTEAD_SANDBOX_TRUST',
      retryAfterMs,
    )
  }
}
