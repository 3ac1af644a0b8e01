import type { HttpServices } from '../http/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { verifySession } from './browser-sessions.ts'
import type { AccountHooks } from './hooks.ts'
import { bindings } from './services.ts'
import { hasSession } from './sessions.ts'
import { tables } from './table-rules.ts'
import { findFirstWorkspaceId } from './workspaces.ts'

export const accountsModule = {
  name: 'accounts',
  tables,
  bindings,
  handlers,
  createHooks: (): AccountHooks => ({ workspaceEmptied: [] }),
  open: ({ secrets }: Deps): { services: Pick<HttpServices, 'accounts'> } => {
    const key = secrets.derive('sessions')
    return {
      services: {
        accounts: {
          verifySession: (services, request) => verifySession(services, request, key),
          hasSession,
          findFirstWorkspaceId,
        },
      },
    }
  },
}

interface Deps {
  secrets: Pick<Secrets, 'derive'>
}

export { accountStore } from './accounts.ts'
export { describeRequestSession } from './api/platform/sessions.ts'
export { arrivingAccounts } from './arriving-accounts.ts'
export { firstWorkspaceId, openFirstStart } from './bootstrap.ts'
export { browserSessions } from './browser-sessions.ts'
export { openCredentialCache } from './credential-cache.ts'
export type { AccountHooks } from './hooks.ts'
export { claimAccount } from './invitations.ts'
export { memberStore } from './members.ts'
export { operators } from './operators.ts'
export { findPreference } from './preferences.ts'
export { addressProofs } from './proofs.ts'
export type { AccountServices } from './services.ts'
export { sessionStore } from './sessions.ts'
export { createTokenValue } from './token-format.ts'
export { tokenStore } from './tokens.ts'
export { workspaceStore } from './workspaces.ts'
