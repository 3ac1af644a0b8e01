import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { requireCredential } from '../../browser-sessions.ts'
import { createToken, deleteToken, listTokens, toApiKey } from '../../tokens.ts'

export const tokens: Handlers<(typeof admin)['tokens'], Contexts> = {
  async listPersonalAccessTokens({ services, caller }) {
    const rows = await listTokens(services.db, { kind: 'pat', accountId: caller.accountId })
    return { pats: rows.map(toApiKey) }
  },

  async createPersonalAccessToken({ services, caller, request }, { body }) {
    await requireCredential(services, request, caller.accountId)
    const made = await createToken(
      services.db,
      { kind: 'pat', accountId: caller.accountId },
      body.note,
    )
    return { pat: { ...toApiKey(made), value: made.value } }
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
