import { ApiError, type Failure, type Handlers, type platform } from '@botstead/contract'
import type { Caller } from '../../../http/index.ts'
import {
  type Context,
  type Contexts,
  type HttpServices,
  operated,
  operatorPage,
} from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import { changeChosen, changeMatching } from '../../failures/failure-changes.ts'
import {
  type FailurePosition,
  type FailureRow,
  listFailures,
} from '../../failures/failures.ts'
import { type RequestedFilter, toFilter } from './dead-letters.ts'
import { nextAttempt } from './queue.ts'

const defaultCount = 200

export const failures: Handlers<
  typeof platform.failures,
  Contexts<HttpServices & QueueServices>
> = {
  async listFailures(context, { query }) {
    const { db, config } = context.services
    const page = operatorPage(context, 'listFailures', query)
    const { rows, next } = await listFailures(db, operated(context.caller), {
      filter: toFilter(query),
      position: toPosition(page.position),
      limit: page.limit,
    })
    return {
      failures: rows.map((row) => toFailure(row, config.retrySeconds)),
      meta: next ? { nextToken: page.token(toTokens(next)) } : {},
    }
  },

  redeliverFailures: (context, { body }) => change(context, 'redeliver', body),

  discardFailures: (context, { body }) => change(context, 'discard', body),
}

interface Chosen extends RequestedFilter {
  ids?: string[]
  maxCount?: number
  nextToken?: string
}

async function change(
  context: Context<Caller<'bot'>, HttpServices & QueueServices>,
  action: 'redeliver' | 'discard',
  { ids, maxCount = defaultCount, nextToken, ...given }: Chosen,
) {
  const { services } = context
  const botId = operated(context.caller)
  if (ids) {
    if (Object.keys(given).length > 0 || nextToken !== undefined)
      throw new ApiError(
        'InvalidPayload',
        'Specify either `ids`, or filters with `nextToken`.',
      )
    return { count: await changeChosen(services, botId, action, ids) }
  }
  const page = operatorPage(context, `${action}Failures`, { nextToken, ...given })
  const matching = {
    filter: toFilter(given),
    position: toPosition(page.position),
    maxCount,
  }
  const { count, next } = await changeMatching(services, botId, action, matching)
  return { count, ...(next && { nextToken: page.token(toTokens(next)) }) }
}

/** An empty text: the former pages had nothing of this list. */
const toPosition = (tokens: string[] | null): FailurePosition => ({
  event: tokens?.[0] || null,
  delivery: tokens?.[1] || null,
})

const toTokens = ({ event, delivery }: FailurePosition) => [event ?? '', delivery ?? '']

const toFailure = (row: FailureRow, retrySeconds: number[]): Failure => ({
  id: row.failure_id,
  kind: row.kind,
  isRetried: row.is_retried,
  ...nextAttempt(row, retrySeconds),
  ...(row.type !== null && { type: row.type }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.event_id !== null && { eventId: row.event_id }),
  ...(row.message_id !== null && { messageId: row.message_id }),
  ...(row.dead_letter_id !== null && { deadLetterId: row.dead_letter_id }),
  attempts: row.attempts,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  failedAt: row.failed_at.toISOString(),
})
