// Invalidates the caches of this process.

import type { CallerCache } from '../core/catalog/index.ts'
import type { ChatEmitter, Invoker, Targets } from '../core/delivery/index.ts'
import type { Invalidation } from '../core/http/index.ts'
import type { ChangeFeed } from '../core/realtime/index.ts'

interface Caches {
  callers: CallerCache
  targets: Targets
  hosting: { invoker: Invoker; invalidateTrust(): void }
  emitter: Pick<ChatEmitter, 'invalidate'>
  changeFeed: Pick<ChangeFeed, 'recheck'>
  redactions: { invalidate(botId: string | null): void }
}

export function invalidate(
  { callers, targets, hosting, emitter, changeFeed, redactions }: Caches,
  what: Invalidation | 'all',
): void {
  if (what === 'all') {
    callers.clear()
    targets.clear()
    redactions.invalidate(null)
    hosting.invalidateTrust()
  } else if ('tokenHash' in what) callers.invalidateToken(what.tokenHash)
  else if ('accountId' in what) {
    hosting.invalidateTrust()
    callers.invalidateAccount(what.accountId)
  } else if ('workspaceId' in what) {
    hosting.invalidateTrust()
    callers.invalidateWorkspace(what.workspaceId)
  } else if ('integrationId' in what) {
    callers.invalidateIntegration(what.integrationId)
    targets.invalidateIntegration(what.integrationId)
    void hosting.invoker.recycleIntegration(what.integrationId)
  } else if ('botId' in what) {
    callers.invalidateBot(what.botId)
    targets.invalidate(what.botId)
    emitter.invalidate(what.botId)
    redactions.invalidate(what.botId)
  }
  // After the caches, from which the followers are checked.
  const isOfCallers = what === 'all' || 'accountId' in what || 'workspaceId' in what
  if (isOfCallers || 'tokenHash' in what) changeFeed.recheck()
}
