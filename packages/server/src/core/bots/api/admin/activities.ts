import type { admin, Handlers } from '@botstead/contract'
import { type Contexts, parsePage } from '../../../http/index.ts'
import { findBot } from '../../bots.ts'

export const activities: Handlers<(typeof admin)['activities'], Contexts> = {
  /** Always empty: activities belong to tasks, which the contract does not have any more. */
  async listActivities({ services, caller }, { query }) {
    const { id } = await findBot(services.db, caller.workspaceId, query.botId)
    parsePage(services, ['admin.listActivities', id, query.taskId], query)
    return { activities: [], meta: {} }
  },
}
