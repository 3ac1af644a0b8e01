import type { Handlers, platform } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import { type Contexts, operated } from '../../../http/index.ts'
import { importHistory } from '../../messages/history-imports.ts'

export const history: Handlers<typeof platform.history, Contexts<BotServices>> = {
  async importHistory({ services, caller }, { body }) {
    const botId = operated(caller)
    const { storage } = await services.getRedactors(botId)
    return importHistory(
      services.db,
      botId,
      { users: [], conversations: [], messages: [], ...body },
      async (payloads) => (storage ? storage.value(payloads) : payloads),
    )
  },
}
