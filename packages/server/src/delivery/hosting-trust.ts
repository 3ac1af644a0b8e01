// Whose code runs here. Walls of the second tier stand between workspaces; behind lower ones code could reach what others have here, so that only the
// code of workspaces runs that trust each other: the first one, and those that one of its owners owns, too.
import { isOwnedWithFirst } from '../accounts/workspaces.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** Throws InvocationFailed for a workspace whose code is not run here; null is the server's own. */
export type HostingTrust = (workspaceId: string | null) => Promise<void>

/** For the operator, where it holds. */
export const othersRefused = 'no code of workspaces that an owner of the first one does not own'

export const refusesOthers = (config: Pick<Config, 'sandboxTrust'>, { tier }: { tier: number | null }) =>
  tier === 1 && config.sandboxTrust === 'owners'

// Nothing changes before the operator does something, or a member.
const refusalMs = 60_000

export function openHostingTrust(
  db: Db,
  config: Pick<Config, 'sandboxTrust'>,
  sandbox: Pick<Sandbox, 'stats'>,
): HostingTrust {
  return async (workspaceId) => {
    if (
      workspaceId === null ||
      !refusesOthers(config, sandbox.stats()) ||
      (await isOwnedWithFirst(db, workspaceId))
    )
      return
    throw new InvocationFailed(
      'crash',
      'This server has no walls between the code of workspaces (tier 2): the code of this one is not run here (BOTSTEAD_SANDBOX_TRUST)',
      refusalMs,
    )
  }
}
