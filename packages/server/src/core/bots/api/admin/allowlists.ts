import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { findAllowlist, updateAllowlist } from '../../allowlists.ts'

export const allowlists: Handlers<(typeof admin)['allowlists'], Contexts> = {
  async getBotAllowlist({ services, caller }, { params }) {
    return findAllowlist(services.db, caller.workspaceId, params.botId)
  },

  async updateBotAllowlist({ services, caller }, { params, body }) {
    await services.db
      .transaction()
      .execute((trx) => updateAllowlist(trx, caller.workspaceId, params.botId, body))
    await services.invalidate({ botId: params.botId })
    return {}
  },
}
