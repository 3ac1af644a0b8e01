import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/index.ts'
import { importHistory } from '../../messaging/index.ts'
import { operated } from './operator.ts'

export const history: Handlers<typeof platform.history, Contexts> = {
  async importHistory({ services, caller }, { body }) {
    const botId = operated(caller)
    const { storage } = await services.redactorsOf(botId)
    return importHistory(
      services.db,
      botId,
      { users: [], conversations: [], messages: [], ...body },
      async (payloads) => (storage ? storage.value(payloads) : payloads),
    )
  },
}
