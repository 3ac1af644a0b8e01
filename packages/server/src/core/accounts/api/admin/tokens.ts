import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { requireCredential } from '../../browser-sessions.ts'
import { createToken, deleteToken, listTokens } from '../../tokens.ts'

export const tokens: Handlers<(typeof admin)['tokens'], Contexts> = {
  async listPersonalAccessTokens({ services, caller }) {
    return {
      pats: await listTokens(services.db, { kind: 'pat', accountId: caller.accountId }),
    }
  },

  async createPersonalAccessToken({ services, caller, request }, { body }) {
    await requireCredential(services, request, caller.accountId)
    const owner = { kind: 'pat', accountId: caller.accountId } as const
    return { pat: await createToken(services.db, owner, body.note) }
  },

  async deletePersonalAccessToken({ services, caller }, { params }) {
    const tokenHash = await deleteToken(
      services.db,
      { kind: 'pat', accountId: caller.accountId },
      params.id,
    )
    await services.invalidate({ tokenHash })
    return {}
  },
}
