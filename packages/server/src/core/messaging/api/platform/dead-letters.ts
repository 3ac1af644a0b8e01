import type { DeadLetter, Handlers, platform } from '@botstead/contract'
import { botStore } from '../../../bots/index.ts'
import {
  type Contexts,
  type HttpServices,
  isVisibleBot,
  operated,
  operatorPage,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import { listAttempts, type QueueServices } from '../../../queue/index.ts'
import { findEvent } from '../../event-serializers.ts'
import {
  countDeadLetters,
  type DeadLetterFilter,
  type DeadLetterRow,
  deadLetterPosition,
  discardDeadLetter,
  discardDeadLetters,
  findDeadLetter,
  listDeadLetters,
  redeliverDeadLetter,
  redeliverDeadLetters,
} from '../../failures/dead-letters.ts'
import { redeliverEdited } from '../../failures/edited-redelivery.ts'
import { findWrittenMessage } from '../../messages/message-writer.ts'
import { toMessage } from '../../serializers.ts'

export const deadLetters: Handlers<
  typeof platform.deadLetters,
  Contexts<HttpServices & QueueServices>
> = {
  async listDeadLetters(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listDeadLetters', query)
    const rows = await listDeadLetters(
      context.services.database,
      botId,
      toFilter(query),
      {
        position: page.position,
        limit: page.limit + 1,
      },
    )
    const { items, meta } = toListPage(page, rows, deadLetterPosition)
    return { deadLetters: items.map(toDeadLetter), meta }
  },

  async countDeadLetters({ services: { database }, caller }, { query }) {
    return { count: await countDeadLetters(database, operated(caller), toFilter(query)) }
  },

  async redeliverDeadLetters({ services, caller }, { body }) {
    return redeliverDeadLetters(services, operated(caller), toFilter(body), body.maxCount)
  },

  async discardDeadLetters({ services, caller }, { body }) {
    const botId = operated(caller)
    return discardDeadLetters(services.database, botId, toFilter(body), body.maxCount)
  },

  async getDeadLetter({ services: { db, database }, caller }, { params: { id } }) {
    const botId = operated(caller)
    const found = await findDeadLetter(database, botId, id)
    const [attempts, event, message] = await Promise.all([
      listAttempts(database, botId, id),
      found.kind === 'event' ? findEvent(db, botId, found.subject_id) : null,
      found.kind === 'message' ? findWrittenMessage(db, botId, found.subject_id) : null,
    ])
    return {
      deadLetter: toDeadLetter(found),
      attempts,
      ...(event && { event }),
      ...(message && { message: toMessage(message) }),
    }
  },

  async redeliverDeadLetter({ services, caller }, { params }) {
    await redeliverDeadLetter(services, operated(caller), params.id)
    return {}
  },

  async redeliverEditedDeadLetter(
    { services, caller },
    { params, body: { botId, payload } },
  ) {
    if (!(await isVisibleBot(services, caller, botId))) throw botStore.notFound(botId)
    await redeliverEdited(services, botId, params.id, payload)
    return {}
  },

  async discardDeadLetter({ services, caller }, { params }) {
    await discardDeadLetter(services.database, operated(caller), params.id)
    return {}
  },
}

/** As in a query or body. */
export interface RequestedFilter extends Omit<DeadLetterFilter, 'after' | 'before'> {
  afterDate?: string
  beforeDate?: string
}

export const toFilter = ({
  kind,
  type,
  conversationId,
  reason,
  afterDate,
  beforeDate,
}: RequestedFilter): DeadLetterFilter => ({
  kind,
  type,
  conversationId,
  reason,
  after: toDate(afterDate),
  before: toDate(beforeDate),
})

const toDeadLetter = (row: DeadLetterRow): DeadLetter => ({
  id: row.id,
  kind: row.kind,
  ...(row.type !== null && { type: row.type }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.kind === 'event' && { eventId: row.subject_id }),
  ...(row.kind === 'message' && { messageId: row.subject_id }),
  attempts: row.attempts,
  reason: row.last_error,
  createdAt: row.created_at.toISOString(),
  diedAt: row.dead_at.toISOString(),
})
