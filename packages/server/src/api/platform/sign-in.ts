import { ApiError, type Handlers, type platform } from '@botstead/contract'
import { lookUpGuarded } from '../../http/rate-limits.ts'
import type { Contexts } from '../../http/services.ts'
import { startSession } from '../../http/session.ts'
import { takeSignInLink } from '../../modules/accounts/sign-in-links.ts'

export const signIn: Handlers<typeof platform.signIn, Contexts> = {
  async getSignIn({ services }) {
    return { password: false, openId: null, talk: services.firstChat() }
  },

  async signInWithLink({ services, request, reply }, { body }) {
    const signIn = () =>
      services.inTransaction(async (inside) => {
        const accountId = await takeSignInLink(inside.db, body.code)
        if (accountId) await startSession(inside, { request, reply }, { accountId, method: 'link' })
        return accountId
      })
    if (await lookUpGuarded(services, request, signIn)) return {}
    throw new ApiError(
      'Unauthorized',
      'The link is invalid: it works once, and expires. Create another one with `botstead login-link`',
    )
  },
}
