import type { Handlers, Observation, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  timePosition,
  toDate,
  toListPage,
} from '../../../../core/http/index.ts'
import { listAnalytics } from '../../analytics.ts'
import { listFlowNodeCounts } from '../../flow-counts.ts'
import { listObservations, type ObservationRow } from '../../observations.ts'

export const insights: Handlers<typeof platform.insights, Contexts> = {
  async listAnalytics(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listAnalytics', query)
    const position = page.position && {
      hour: new Date(page.position[0]!),
      name: page.position[1]!,
    }
    const rows = await listAnalytics(context.services.db, botId, {
      ...query,
      ...toDates(query),
      position,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ hour, name }) => [
      hour.toISOString(),
      name,
    ])
    return {
      analytics: items.map(({ name, hour, count }) => ({
        name,
        hour: hour.toISOString(),
        count: Number(count),
      })),
      meta,
    }
  },

  async listFlowNodeCounts(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listFlowNodeCounts', query)
    const position = page.position && { flow: page.position[0]!, node: page.position[1]! }
    const { flow, days = 30 } = query
    const listing = { flow, days, position, limit: page.limit + 1 }
    const rows = await listFlowNodeCounts(context.services.db, botId, listing)
    const { items, meta } = toListPage(page, rows, ({ flow, node }) => [flow, node])
    const counts = items.map(({ passed, ended, ...node }) => ({
      ...node,
      passed: Number(passed),
      ended: Number(ended),
    }))
    return { counts, meta }
  },

  async listObservations(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listObservations', query)
    const position = timePosition(page.position)
    const rows = await listObservations(context.services.db, botId, {
      ...query,
      ...toDates(query),
      position,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.created_at.toISOString(),
      row.id,
    ])
    return { observations: items.map(shown), meta }
  },
}

const toDates = ({
  afterDate,
  beforeDate,
}: {
  afterDate?: string
  beforeDate?: string
}) => ({
  after: toDate(afterDate),
  before: toDate(beforeDate),
})

function shown(row: ObservationRow): Observation {
  const links = {
    id: row.given_id,
    integration: row.integration,
    messageId: row.message_id,
    eventId: row.event_id,
    conversationId: row.conversation_id,
    userId: row.user_id,
    errorId: row.error_id,
    traceId: row.trace_id,
  }
  const present = Object.fromEntries(
    Object.entries(links).filter(([, value]) => value !== null),
  )
  return {
    createdAt: row.created_at.toISOString(),
    name: row.name,
    data: row.data as Record<string, unknown>,
    ...present,
  }
}
