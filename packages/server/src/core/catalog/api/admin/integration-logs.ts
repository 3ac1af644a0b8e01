import type { admin, BotLog, Handlers } from '@botstead/contract'
import {
  type Contexts,
  parsePage,
  timePosition,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import {
  type IntegrationLogRow,
  listIntegrationLogs,
} from '../../integrations/integration-logs.ts'
import { requireIntegration } from '../../integrations/integrations.ts'

export const integrationLogs: Handlers<(typeof admin)['integrationLogs'], Contexts> = {
  async getIntegrationLogs({ services, caller }, { params, query }) {
    const { timeStart, timeEnd, level, userId, conversationId, messageContains } = query
    const { id } = params
    await requireIntegration(services.db, caller.workspaceId, id)
    const filter = { level, userId, conversationId, contains: messageContains }
    const page = parsePage(
      services,
      ['admin.getIntegrationLogs', id, JSON.stringify([timeStart, timeEnd, filter])],
      query,
    )
    const rows = await listIntegrationLogs(services.db, id, {
      ...filter,
      from: toDate(timeStart),
      until: toDate(timeEnd),
      position: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.at.toISOString(),
      row.id,
    ])
    return { logs: items.map(shown), ...meta }
  },
}

const shown = (row: IntegrationLogRow): BotLog => ({
  timestamp: row.at.toISOString(),
  level: row.level,
  message: row.message,
  ...(row.user_id !== null && { userId: row.user_id }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
})
