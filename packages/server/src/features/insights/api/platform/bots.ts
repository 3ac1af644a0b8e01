import { type Handlers, may, type platform } from '@botstead/contract'
import { findPreference } from '../../../../core/accounts/index.ts'
import { botStore } from '../../../../core/bots/index.ts'
import {
  type Contexts,
  creationPosition,
  parsePage,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import { listBotOverviews, toBotOverview } from '../../bot-overviews.ts'
import { listFirstSteps } from '../../first-steps.ts'

export const bots: Handlers<typeof platform.bots, Contexts<QueueServices>> = {
  async listBotOverviews({ services, caller }, { query }) {
    const seenBy = may(caller.role, 'bots.readAny') ? null : caller.accountId
    const { dev, search } = query
    const filters = JSON.stringify([dev, search])
    const listing = ['platform.listBotOverviews', caller.workspaceId, filters]
    const page = parsePage(services, listing, query)
    const [rows, depth] = await Promise.all([
      listBotOverviews(services.db, caller.workspaceId, {
        dev,
        search,
        seenBy,
        limit: page.limit + 1,
        position: timePosition(page.position),
      }),
      services.queueDepth(),
    ])
    const { items, meta } = toListPage(page, rows, creationPosition)
    const overviews = items.map((row) => {
      const waiting = depth?.bots.get(row.id)
      return toBotOverview(row, {
        pending: waiting?.waiting ?? 0,
        oldestSeconds: waiting?.oldestSeconds ?? 0,
        dead: depth?.botsDead.get(row.id) ?? 0,
      })
    })
    return { bots: overviews, meta }
  },

  async getFirstSteps({ services: { db, secrets }, caller }, { params }) {
    const { workspaceId, accountId } = caller
    const { id: botId } = await botStore.find(db, workspaceId, params.botId)
    const [steps, dismissal] = await Promise.all([
      listFirstSteps({ db, secrets }, { workspaceId, botId }),
      findPreference(db, { accountId }, `firstSteps.${botId}`),
    ])
    return { steps, isDismissed: dismissal !== undefined }
  },
}
