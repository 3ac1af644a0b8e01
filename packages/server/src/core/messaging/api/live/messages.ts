import type { Handlers, live } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import { type Contexts, parsePage, toListPage } from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { Participation } from '../../chat/chat-lookups.ts'
import { listFeedback, toFeedback } from '../../chat/feedback.ts'
import type { MessagingServices } from '../../services.ts'
import { requireParticipation } from '../chat/access.ts'
import { rateMessage, unrateMessage } from '../chat/changes.ts'
import { findReadableMessage } from '../chat/messages.ts'

export const messages: Handlers<
  typeof live.messages,
  Contexts<BotServices & MessagingServices & QueueServices & RealtimeServices>
> = {
  async setFeedback({ services, caller: chat }, { params, body }) {
    const message = await findReadableMessage(services, chat, params.id)
    const row = await rateMessage(services, chat, message, body)
    return { feedback: toFeedback(row, shownIn(message.by)) }
  },

  async deleteFeedback({ services, caller: chat }, { params }) {
    const message = await findReadableMessage(services, chat, params.id)
    await unrateMessage(services, chat, message)
    return {}
  },

  async listOwnFeedback({ services, caller: { botId, ...chat } }, { params, query }) {
    const by = await requireParticipation(services, { botId, ...chat }, params.id)
    const { conversationId, userId } = by
    const page = parsePage(
      services,
      ['live.listOwnFeedback', botId, conversationId, userId],
      query,
    )
    const { position, limit } = page
    const listing = {
      conversationId,
      userId,
      position: position?.[0] ?? null,
      limit: limit + 1,
    }
    const rows = await listFeedback(services.db, botId, listing)
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { feedback: items.map((row) => toFeedback(row, shownIn(by))), meta }
  },
}

/** The ids that the chat client knows. */
const shownIn = ({
  conversationId,
  conversationFid,
  userId,
  userFid,
}: Participation) => ({
  conversationId: conversationFid ?? conversationId,
  userId: userFid ?? userId,
})
