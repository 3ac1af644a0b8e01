import type { BurstRules, Handlers, platform, UpcomingTick } from '@botstead/contract'
import { botStore, storeRules } from '../../../bots/index.ts'
import { toJson } from '../../../db/index.ts'
import {
  type Contexts,
  operated,
  operatorPage,
  timePosition,
  toListPage,
} from '../../../http/index.ts'
import { listPending, type QueueServices } from '../../../queue/index.ts'
import { listRecurring, listScheduled, type RecurringRow } from '../../events/upcoming.ts'

const maxRecurring = 1_000
const noBursts: BurstRules = { seconds: 0, mode: 'wait' }

export const queue: Handlers<typeof platform.queue, Contexts<QueueServices>> = {
  async getQueue({ services, caller }) {
    const botId = operated(caller)
    const depth = await services.queueDepth()
    const found = depth?.bots.get(botId)
    return {
      queue: {
        pending: found?.waiting ?? 0,
        conversations: found?.lanes ?? 0,
        inProgress: found?.inProgress ?? 0,
        oldestSeconds: found?.oldestSeconds ?? 0,
        deadLetters: depth?.botsDead.get(botId) ?? 0,
      },
    }
  },

  async listPendingDeliveries(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listPendingDeliveries', query)
    const [lane, number] = page.position ?? ['', '0']
    const rows = await listPending(context.services.database, {
      botId,
      lane: lane!,
      number: number!,
      limit: page.limit + 1,
      conversationId: query.conversationId ?? null,
    })
    const { items, meta } = toListPage(page, rows, (row) => [row.lane, row.number])
    const { retrySeconds } = context.services.config
    const deliveries = items.map((row) => ({
      id: row.id,
      kind: row.kind,
      conversation: row.lane,
      ...(row.kind === 'event' && { eventId: row.subject_id }),
      ...(row.kind === 'message' && { messageId: row.subject_id }),
      createdAt: row.created_at.toISOString(),
      attempts: row.attempts,
      maxAttempts: row.attempts - row.failures + retrySeconds.length + 1,
      ...nextAttempt(row, retrySeconds),
      ...(row.error !== null && { lastError: row.error }),
    }))
    return { deliveries, meta }
  },

  async listScheduled(context, { query }) {
    const { kind } = query
    const page = operatorPage(context, 'listScheduled', query)
    const rows = await listScheduled(
      context.services.db,
      operated(context.caller),
      kind,
      {
        position: timePosition(page.position),
        limit: page.limit + 1,
      },
    )
    const { items, meta } = toListPage(page, rows, (row) => [
      row.due_at.toISOString(),
      row.id,
    ])
    const scheduled = items.map(({ id, type, ...row }) => ({
      id,
      kind,
      type,
      dueAt: row.due_at.toISOString(),
      createdAt: row.created_at.toISOString(),
      ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    }))
    return { scheduled, meta }
  },

  async getBurstRules({ services, caller }) {
    const bot = await botStore.findById(services.db, operated(caller))
    return { rules: bot?.burst_rules ?? noBursts }
  },

  async setBurstRules({ services, caller }, { body: rules }) {
    const botId = operated(caller)
    await storeRules(services.db, botId, {
      burst_rules: rules.seconds > 0 ? toJson(rules) : null,
    })
    await services.invalidate({ botId })
    return { rules }
  },

  async getUpcomingTicks({ services: { db }, caller }) {
    const rows = await listRecurring(db, operated(caller), maxRecurring)
    return { recurring: rows.map(toUpcomingTick) }
  },
}

/** Of a delivery that is retried; `failures` of its attempts count. `retrySeconds`: the pauses between attempts. */
export function nextAttempt(
  { failures, failed_at }: { failures: number; failed_at: Date | null },
  retrySeconds: number[],
) {
  const pause = retrySeconds[failures - 1]
  if (!failed_at || pause === undefined) return {}
  return { nextAttemptAt: new Date(failed_at.getTime() + pause * 1_000).toISOString() }
}

const toUpcomingTick = (row: RecurringRow): UpcomingTick => ({
  name: row.key,
  type: row.type,
  cron: row.cron,
  nextRunAt: row.next_at?.toISOString() ?? null,
  failedAttempts: row.failed_attempts,
  ...(row.last_failure_reason !== null && { lastFailureReason: row.last_failure_reason }),
})
