import type { Handlers, platform } from '@botstead/contract'
import { listBotLogs } from '../../bots/index.ts'
import type { Contexts } from '../../http/index.ts'
import { toBotLog } from '../bot-logs.ts'
import { momentOf } from '../moments.ts'
import { timePosition } from '../paging.ts'
import { operated } from './operator.ts'
import { operatorPage } from './paging.ts'

/** Default page size: log lines are short. */
const usualSize = 100

export const logs: Handlers<typeof platform.logs, Contexts> = {
  async listLogs(context, { query }) {
    const { afterDate, beforeDate, nextToken: _token, pageSize: _size, ...filters } = query
    const page = operatorPage(context, 'listLogs', { pageSize: usualSize, ...query })
    const { rows, next } = await listBotLogs(context.services.db, operated(context.caller), {
      ...filters,
      from: momentOf(afterDate) ?? new Date(0),
      until: momentOf(beforeDate),
      position: timePosition(page.position),
      limit: page.limit,
    })
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
