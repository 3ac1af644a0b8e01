import type { admin, Handlers } from '@botstead/contract'
import { findBot } from '../../bots/bots.ts'
import type { Contexts } from '../../services.ts'
import { startOf } from '../paging.ts'

export const activities: Handlers<(typeof admin)['activities'], Contexts> = {
  /** The API that made tasks is gone from the contract: no bot here has any, and no task any steps. */
  async listActivities({ services, caller }, { query }) {
    const { id } = await findBot(services.db, caller.workspaceId, query.botId)
    startOf(services, ['admin.listActivities', id, query.taskId], query)
    return { activities: [], meta: {} }
  },
}
