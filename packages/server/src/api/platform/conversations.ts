import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { stopAnswer } from '../../modules/delivery/answer-stops.ts'
import { findConversation } from '../../modules/messaging/conversations.ts'
import { listNumberedMessages } from '../../modules/messaging/messages.ts'
import { toMessage } from '../../modules/messaging/serializers.ts'
import { publishTyping } from '../../modules/messaging/typing.ts'
import { pageOf } from '../paging.ts'
import { viewerOf } from '../runtime/viewer.ts'
import { operated } from './operator.ts'
import { operatorPage } from './paging.ts'

export const conversations: Handlers<typeof platform.conversations, Contexts> = {
  async listNumberedMessages(context, { params, query }) {
    const { db } = context.services
    const botId = operated(context.caller)
    await findConversation(db, botId, params.id)
    const page = operatorPage(context, 'listNumberedMessages', {
      ...query,
      conversation: params.id,
    })
    const after = page.position?.[0] ?? String(query.after ?? 0)
    const { items, meta } = pageOf(
      page,
      await listNumberedMessages(db, botId, params.id, { after, limit: page.limit + 1 }),
      (row) => [row.number],
    )
    return {
      messages: items.map((row) => ({ number: Number(row.number), message: toMessage(row) })),
      meta,
    }
  },

  async stopConversationAnswer({ services, caller }, { params }) {
    const botId = operated(caller)
    const conversation = await findConversation(services.db, botId, params.id)
    const alias = conversation.integration
    const user = { id: botId, fid: null }
    return { stopped: await stopAnswer(services, { botId, alias, conversation, user }) }
  },

  async setConversationTyping({ services, caller }, { params, body }) {
    const viewer = viewerOf(caller)
    const conversation = await findConversation(services.db, caller.botId, params.id, viewer)
    publishTyping(services, { ...caller, conversation }, null, body)
    return {}
  },
}
