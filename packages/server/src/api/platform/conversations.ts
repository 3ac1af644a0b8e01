import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { findConversation } from '../../modules/messaging/conversations.ts'
import { listNumberedMessages } from '../../modules/messaging/messages.ts'
import { toMessage } from '../../modules/messaging/serializers.ts'
import { pageOf } from '../paging.ts'
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
}
