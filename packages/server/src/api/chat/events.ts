import { ApiError, type chat, type Handlers } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { createChatEvent } from '../../modules/messaging/chat-events.ts'
import { findEventRow, noEvent } from '../../modules/messaging/events/events.ts'
import { asUser, requireParticipation } from './access.ts'
import { toChatEvent } from './serializers.ts'

export const events: Handlers<typeof chat.events, Contexts> = {
  async createEvent({ services, caller }, { body }) {
    const by = await requireParticipation(services, caller, body.conversationId)
    const event = await createChatEvent(services, caller.botId, caller.alias, by, body.payload)
    if (!event) throw new ApiError('Forbidden', 'Only participants of the conversation may do this')
    return { event: toChatEvent(event, by) }
  },

  async getEvent({ services, caller }, { params }) {
    const row = await asUser(
      services,
      caller,
      findEventRow(services.db, caller.botId, params.id, caller.alias),
    )
    const stored = row?.payload as { payload?: Record<string, unknown> } | null | undefined
    if (!row?.conversation_id || !stored?.payload) throw noEvent(params.id)
    const by = await requireParticipation(services, caller, row.conversation_id)
    const author = await services.db
      .selectFrom('user')
      .select(['id', 'fid'])
      .where('bot_id', '=', caller.botId)
      .where('id', '=', row.user_id)
      .executeTakeFirst()
    return {
      event: toChatEvent(
        { ...row, payload: stored.payload },
        { ...by, userId: row.user_id ?? by.userId, userFid: author?.fid ?? null },
      ),
    }
  },
}
