// Invalidates the caches of this process.

import type { Invoker, Targets } from '../core/delivery/index.ts'
import type { Invalidation } from '../core/http/index.ts'
import type { ChangeFeed } from '../core/realtime/index.ts'

interface Caches {
  callers: { invalidate(what: Invalidation | 'all'): void }
  targets: Targets
  hosting: { invoker: Invoker; invalidateTrust(): void }
  emitter: { invalidate(botId: string): void }
  changeFeed: Pick<ChangeFeed, 'recheck'>
  redactions: { invalidate(botId: string | null): void }
}

export function invalidate(
  { callers, targets, hosting, emitter, changeFeed, redactions }: Caches,
  what: Invalidation | 'all',
): void {
  callers.invalidate(what)
  if (what === 'all') {
    targets.clear()
    redactions.invalidate(null)
    hosting.invalidateTrust()
  } else if ('accountId' in what || 'workspaceId' in what) hosting.invalidateTrust()
  else if ('integrationId' in what) {
    targets.invalidateIntegration(what.integrationId)
    void hosting.invoker.recycleIntegration(what.integrationId)
  } else if ('botId' in what) {
    targets.invalidate(what.botId)
    emitter.invalidate(what.botId)
    redactions.invalidate(what.botId)
  }
  // After the caches, from which the followers are checked.
  const isOfCallers = what === 'all' || 'accountId' in what || 'workspaceId' in what
  if (isOfCallers || 'tokenHash' in what) changeFeed.recheck()
}
