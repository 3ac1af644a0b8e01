// Invalidates the caches of this process.
import type { Forgotten } from '../http/services.ts'
import type { CallerMemory } from '../modules/catalog/integrations/callers.ts'
import type { ChatEmitter } from '../modules/delivery/chat-emitter.ts'
import type { Invoker } from '../modules/delivery/invoker.ts'
import type { Targets } from '../modules/delivery/targets.ts'

interface Caches {
  callers: CallerMemory
  targets: Targets
  hosting: { invoker: Invoker; invalidateTrust(): void }
  emitter: Pick<ChatEmitter, 'forget'>
}

export function invalidate({ callers, targets, hosting, emitter }: Caches, what: Forgotten | 'all'): void {
  if (what === 'all') {
    callers.clear()
    targets.clear()
    hosting.invalidateTrust()
  } else if ('tokenHash' in what) callers.forgetToken(what.tokenHash)
  else if ('accountId' in what) {
    hosting.invalidateTrust()
    callers.forgetAccount(what.accountId)
  } else if ('workspaceId' in what) {
    hosting.invalidateTrust()
    callers.forgetWorkspace(what.workspaceId)
  } else if ('integrationId' in what) {
    callers.forgetIntegration(what.integrationId)
    targets.forgetIntegration(what.integrationId)
    void hosting.invoker.recycleIntegration(what.integrationId)
  } else {
    callers.forgetBot(what.botId)
    targets.forget(what.botId)
    emitter.forget(what.botId)
  }
}
