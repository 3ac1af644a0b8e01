import type { Handlers, live } from '@botstead/contract'
import type { Caller, Contexts, Services } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { stopAnswer } from '../../chat/answer-stops.ts'
import { findReceipts, noteReceipt, toAssignee, toReceipt } from '../../chat/receipts.ts'
import { publishTyping } from '../../chat/typing.ts'
import type { MessagingServices } from '../../services.ts'
import { requireParticipation } from '../chat/access.ts'

type Own = MessagingServices & RealtimeServices

export const conversations: Handlers<typeof live.conversations, Contexts<Own>> = {
  async stopAnswer({ services, caller }, { params }) {
    return {
      stopped: await stopAnswer(
        services,
        await findLocation(services, caller, params.id),
      ),
    }
  },

  async setTyping({ services, caller }, { params, body }) {
    const { user, ...place } = await findLocation(services, caller, params.id)
    publishTyping(services, place, user, body)
    const { botId, conversation } = place
    if (body.isTyping && (await isHandedOver(services, botId, conversation.id)))
      services.changeFeed.publish({
        topic: 'typing',
        botId,
        conversationId: conversation.id,
      })
    return {}
  },

  async setReceipt({ services, caller }, { params, body: { messageId, isRead } }) {
    const { botId } = caller
    const { conversationId, userId } = await requireParticipation(
      services,
      caller,
      params.id,
    )
    const place = { botId, conversationId, userId, messageId }
    if (await noteReceipt(services.db, place, isRead))
      services.changeFeed.publish({ topic: 'receipts', botId, conversationId })
    return {}
  },

  async getReceipts({ services, caller }, { params }) {
    const { botId } = caller
    const { conversationId, userId } = await requireParticipation(
      services,
      caller,
      params.id,
    )
    const found = await findReceipts(services.db, { botId, conversationId, userId })
    const person = { delivered_until: null, read_until: found.person_read_until }
    const returnedAt = found.returned_at.map((at) => at.toISOString())
    return {
      own: toReceipt(found),
      person: {
        ...toReceipt(person),
        ...(returnedAt.length > 0 && { returnedAt }),
        isHandedOver: found.is_handed_over,
        ...(found.assignee && { assignee: toAssignee(found.assignee) }),
      },
    }
  },
}

/** Pages show that a user types only while people answer. */
async function isHandedOver(
  { hooks, db }: Services & Own,
  botId: string,
  conversationId: string,
) {
  const held = await Promise.all(
    hooks.isHandedOver.map((ask) => ask(db, botId, conversationId)),
  )
  return held.includes(true)
}

/** Throws Forbidden if the caller is not a participant. */
async function findLocation(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  name: string,
) {
  const by = await requireParticipation(services, caller, name)
  const { conversationId, conversationFid, userId, userFid } = by
  return {
    botId: caller.botId,
    alias: caller.alias,
    conversation: { id: conversationId, fid: conversationFid },
    user: { id: userId, fid: userFid },
  }
}
