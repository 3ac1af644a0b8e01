import type { Handlers, WebchatEvent, webchat } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import { redactStored } from '../../../compute/index.ts'
import type { Contexts } from '../../../http/index.ts'
import { newId } from '../../../lib/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { createChatEvent, customEvent } from '../../chat/chat-events.ts'
import type { MessagingServices } from '../../services.ts'
import { notParticipating, requireParticipation } from '../chat/access.ts'
import { findUserEvent } from '../chat/events.ts'
import { toChatEvent } from '../chat/serializers.ts'

/** The webchat reports the start on every connection; only the first one is new. */
const startPayload = (data: Record<string, unknown>, isInitial: boolean) => ({
  type: 'conversation_started' as const,
  data: { ...data, status: { isInitial } },
})

export const events: Handlers<
  typeof webchat.events,
  Contexts<BotServices & MessagingServices & QueueServices & RealtimeServices>
> = {
  async createEvent({ services, caller }, { body }) {
    const { botId, alias } = caller
    const { payload, bindConversation, bindUser } = body
    const by = await requireParticipation(services, caller, body.conversationId)
    const data = await redactStored(services.getRedactors, botId, payload.data)
    if (payload.type === 'custom') {
      const event = {
        ...customEvent(caller, data),
        shown: data,
        bindConversation,
        bindUser,
      }
      const made = await createChatEvent(services, botId, alias, by, event)
      if (!made) throw notParticipating()
      return { event: shown(toChatEvent({ ...made, payload: { ...payload, data } }, by)) }
    }
    const event = { name: 'conversationStarted', payload: {}, shown: null, isStart: true }
    const made = await createChatEvent(services, botId, alias, by, event)
    const row = made ?? { id: newId('event'), created_at: new Date() }
    const started = startPayload(data, made !== null)
    return { event: shown(toChatEvent({ ...row, payload: started }, by)) }
  },

  async getEvent({ services, caller }, { params }) {
    const { row, stored, by } = await findUserEvent(services, caller, params.id)
    const payload = stored.payload
      ? { type: 'custom', data: stored.payload }
      : startPayload({}, true)
    return { event: shown(toChatEvent({ ...row, payload }, by)) }
  },
}

const shown = (event: ReturnType<typeof toChatEvent>) => event as WebchatEvent
