import type { admin, Handlers } from '@botstead/contract'
import { toApiKey } from '../../../accounts/index.ts'
import type { Contexts } from '../../../http/index.ts'
import { createBotKey, deleteBotKey, listBotKeys } from '../../bot-keys.ts'

export const botKeys: Handlers<(typeof admin)['botKeys'], Contexts> = {
  async listBotApiKeys({ services, caller }, { query }) {
    const rows = await listBotKeys(services.db, caller.workspaceId, query.botId)
    return { baks: rows.map(toApiKey) }
  },

  async createBotApiKey({ services, caller }, { body }) {
    const made = await createBotKey(services.db, caller.workspaceId, body.botId, body.note ?? '')
    return { ...toApiKey(made), value: made.value }
  },

  async deleteBotApiKey({ services, caller }, { params }) {
    const tokenHash = await deleteBotKey(services.db, caller.workspaceId, params.id, (botId) =>
      services.callers.isHidden(botId, caller),
    )
    await services.invalidate({ tokenHash })
    return {}
  },
}
