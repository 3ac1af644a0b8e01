import type { ActionRun, admin, Handlers } from '@botstead/contract'
import { botStore } from '../../../../core/bots/index.ts'
import {
  type Contexts,
  parsePage,
  timePosition,
  toDate,
  toListPage,
} from '../../../../core/http/index.ts'
import { type ActionRunRow, listActionRuns } from '../../action-runs.ts'

export const actionRuns: Handlers<(typeof admin)['actionRuns'], Contexts> = {
  async listActionRuns({ services, caller }, { params, query }) {
    const { integrationName: integration, timestampFrom, timestampUntil } = query
    const bot = await botStore.find(services.db, caller.workspaceId, params.id)
    const page = parsePage(
      services,
      [
        'admin.listActionRuns',
        bot.id,
        JSON.stringify([integration, timestampFrom, timestampUntil]),
      ],
      query,
    )
    const rows = await listActionRuns(services.db, bot.id, {
      integration,
      from: toDate(timestampFrom),
      until: toDate(timestampUntil),
      position: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.started_at.toISOString(),
      row.id,
    ])
    return { data: items.map(toActionRun), meta }
  },
}

export const toActionRun = (row: ActionRunRow): ActionRun => ({
  timestamp: row.started_at.toISOString(),
  ...(row.integration !== null && { integrationName: row.integration }),
  actionType: row.action,
  input: row.input,
  inputTruncated: row.input_truncated,
  output: row.output,
  outputTruncated: row.output_truncated,
  status: row.succeeded ? 'SUCCESS' : 'FAILURE',
  durationMs: row.ms,
  cached: row.cached,
  errorMessage: row.error,
})
