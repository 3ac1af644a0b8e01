import type { AccountHooks } from '../../core/accounts/index.ts'
import type { OpenIdSettings } from '../../core/config/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { deleteInvitationsIn } from './invitation-links.ts'
import { openOpenId } from './open-id.ts'
import { bindings, type SignInServices } from './services.ts'
import { tables } from './table-rules.ts'

export const signIn = {
  name: 'sign-in',
  tables,
  bindings,
  handlers,
  open: ({ config, secrets, firstChat }: Deps): { services: SignInServices } => ({
    services: {
      firstChat,
      openId: config.openId && openOpenId(config.openId),
      openIdKey: secrets.derive('started sign-ins'),
    },
  }),
  hooks: (hooks: AccountHooks) => {
    hooks.workspaceEmptied.push(deleteInvitationsIn)
  },
} satisfies Feature

interface Deps extends Pick<SignInServices, 'firstChat'> {
  config: { openId: OpenIdSettings | null }
  secrets: Pick<Secrets, 'derive'>
}

export { proveAddress } from './proofs.ts'
export { createSignInUrl } from './sign-in-links.ts'
