import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  timePosition,
  toDate,
} from '../../../http/index.ts'
import { listBotLogs } from '../../logs/bot-log-listing.ts'
import { toBotLog } from '../bot-logs.ts'

/** Default page size: log lines are short. */
const usualSize = 100

export const logs: Handlers<typeof platform.logs, Contexts> = {
  async listLogs(context, { query }) {
    const {
      afterDate,
      beforeDate,
      nextToken: _token,
      pageSize: _size,
      ...filters
    } = query
    const page = operatorPage(context, 'listLogs', { pageSize: usualSize, ...query })
    const { rows, next } = await listBotLogs(
      context.services.db,
      operated(context.caller),
      {
        ...filters,
        from: toDate(afterDate) ?? new Date(0),
        until: toDate(beforeDate),
        position: timePosition(page.position),
        limit: page.limit,
      },
    )
    return {
      logs: rows.map((row) => ({
        id: row.id,
        ...toBotLog(row),
        ...(row.event_id !== null && { eventId: row.event_id }),
      })),
      meta: next ? { nextToken: page.token([next.at.toISOString(), next.id]) } : {},
    }
  },
}
