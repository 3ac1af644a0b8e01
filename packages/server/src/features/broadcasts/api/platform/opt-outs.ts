import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  toListPage,
} from '../../../../core/http/index.ts'
import { findOptOutWords, setOptOutWords } from '../../opt-out-words.ts'
import {
  addOptOut,
  listOptOuts,
  optOutPosition,
  removeOptOut,
  toOptOut,
} from '../../opt-outs.ts'

export const optOuts: Handlers<typeof platform.optOuts, Contexts> = {
  async listOptOuts(context, { query }) {
    const page = operatorPage(context, 'listOptOuts', query)
    const rows = await listOptOuts(context.services.db, operated(context.caller), {
      userId: query.userId,
      position: page.position,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, optOutPosition)
    return { optOuts: items.map(toOptOut), meta }
  },

  async addOptOut({ services, caller }, { body }) {
    const person = { botId: operated(caller), ...body }
    const notedBy = caller.account?.accountId ?? null
    const row = await services.inTransaction(({ db }) => addOptOut(db, person, notedBy))
    return { optOut: toOptOut(row) }
  },

  async removeOptOut({ services: { db }, caller }, { body }) {
    await removeOptOut(db, { botId: operated(caller), ...body })
    return {}
  },

  async getOptOutWords({ services: { db }, caller }) {
    return findOptOutWords(db, operated(caller))
  },

  async setOptOutWords({ services, caller }, { body: { words } }) {
    const botId = operated(caller)
    const stored = await setOptOutWords(services.db, botId, words)
    await services.invalidate({ botId })
    return stored
  },
}
