import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import { findFeedback, listFeedback, toFeedback } from '../../chat/feedback.ts'

export const feedback: Handlers<typeof platform.feedback, Contexts> = {
  async listFeedback(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listFeedback', query)
    const { conversationId, messageId, userId, rating, afterDate, beforeDate } = query
    const rows = await listFeedback(context.services.db, botId, {
      conversationId,
      messageId,
      userId,
      rating,
      after: toDate(afterDate),
      before: toDate(beforeDate),
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { feedback: items.map((row) => toFeedback(row)), meta }
  },

  async getFeedback({ services, caller }, { params }) {
    return {
      feedback: toFeedback(await findFeedback(services.db, operated(caller), params.id)),
    }
  },
}
