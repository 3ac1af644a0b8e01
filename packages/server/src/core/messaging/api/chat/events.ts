import type { chat, Handlers } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import { redactStored } from '../../../compute/index.ts'
import type { Caller, Contexts, Services } from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { createChatEvent, customEvent } from '../../chat/chat-events.ts'
import { lookUpUser } from '../../chat/chat-lookups.ts'
import { findEventRow, noEvent } from '../../events/events.ts'
import { asUser, notParticipating, requireParticipation } from './access.ts'
import { toChatEvent } from './serializers.ts'

type Own = BotServices & QueueServices & RealtimeServices

export const events: Handlers<typeof chat.events, Contexts<Own>> = {
  async createEvent({ services, caller }, { body }) {
    const by = await requireParticipation(services, caller, body.conversationId)
    const payload = await redactStored(services.getRedactors, caller.botId, body.payload)
    const event = await createChatEvent(services, caller.botId, caller.alias, by, {
      ...customEvent(caller, payload),
      shown: payload,
    })
    if (!event) throw notParticipating()
    return { event: toChatEvent({ ...event, payload }, by) }
  },

  async getEvent({ services, caller }, { params }) {
    const { row, stored, by } = await findUserEvent(services, caller, params.id)
    if (!stored.payload) throw noEvent(params.id)
    return { event: toChatEvent({ ...row, payload: stored.payload }, by) }
  },
}

/** What every event of a chat user contains; `payload` is missing from some. */
interface StoredEvent {
  conversationId: string
  userId: string
  payload?: Record<string, unknown>
}

/**
 * Finds an event of a chat user, in a conversation of the caller. Throws ResourceNotFound, or
 * Forbidden if the caller is not a participant.
 */
export async function findUserEvent(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  id: string,
) {
  const row = await asUser(
    services,
    caller,
    findEventRow(services.db, caller.botId, id, caller.alias),
  )
  const stored = row?.payload as StoredEvent | null | undefined
  if (typeof stored?.conversationId !== 'string' || typeof stored.userId !== 'string')
    throw noEvent(id)
  const by = await requireParticipation(services, caller, stored.conversationId)
  const author = await lookUpUser(services.database, caller.botId, stored.userId)
  return {
    row: row!,
    stored,
    by: { ...by, userId: stored.userId, userFid: author?.fid ?? null },
  }
}
