import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { createBotKey, deleteBotKey, listBotKeys } from '../../bot-keys.ts'

export const botKeys: Handlers<(typeof admin)['botKeys'], Contexts> = {
  async listBotApiKeys({ services, caller }, { query }) {
    return { baks: await listBotKeys(services.db, caller.workspaceId, query.botId) }
  },

  async createBotApiKey({ services, caller }, { body }) {
    return createBotKey(services.db, caller.workspaceId, body.botId, body.note ?? '')
  },

  async deleteBotApiKey({ services, caller }, { params }) {
    const tokenHash = await deleteBotKey(
      services.db,
      caller.workspaceId,
      params.id,
      (botId) => services.callers.isHidden(botId, caller),
    )
    await services.invalidate({ tokenHash })
    return {}
  },
}
