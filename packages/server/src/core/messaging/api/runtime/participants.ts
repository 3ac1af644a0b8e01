import type { Handlers, runtime } from '@botstead/contract'
import type { Caller } from '../../../http/index.ts'
import {
  type Context,
  type Contexts,
  getViewer,
  runtimePage,
  timePosition,
  toListPage,
} from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { findConversation } from '../../conversations.ts'
import { checkReferences } from '../../messages/references.ts'
import {
  findParticipant,
  joinConversation,
  leaveConversation,
  listParticipants,
  type ParticipantSignal,
} from '../../participants.ts'
import { toUser } from '../../serializers.ts'

export const participants: Handlers<
  typeof runtime.participants,
  Contexts<RealtimeServices>
> = {
  async addParticipant(context, { params, body }) {
    const { services, caller } = context
    await inside(context, params.id)
    await checkReferences(services.db, caller.botId, getViewer(caller), {
      userId: body.userId,
    })
    publish(
      context,
      params.id,
      (await joinConversation(services.db, caller.botId, params.id, body.userId)).signal,
    )
    return {
      participant: toUser(
        await findParticipant(services.db, caller.botId, params.id, body.userId),
        getViewer(caller),
      ),
    }
  },

  async listParticipants(context, { params, query }) {
    const { services, caller } = context
    await inside(context, params.id)
    const page = runtimePage(context, 'listParticipants', {
      ...query,
      conversation: params.id,
    })
    const rows = await listParticipants(services.db, caller.botId, params.id, {
      position: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.joined_at.toISOString(),
      row.id,
    ])
    return { participants: items.map((row) => toUser(row, getViewer(caller))), meta }
  },

  async getParticipant(context, { params }) {
    const { services, caller } = context
    await inside(context, params.id)
    return {
      participant: toUser(
        await findParticipant(services.db, caller.botId, params.id, params.userId),
        getViewer(caller),
      ),
    }
  },

  async removeParticipant(context, { params }) {
    const { services, caller } = context
    await inside(context, params.id)
    await findParticipant(services.db, caller.botId, params.id, params.userId)
    publish(
      context,
      params.id,
      (await leaveConversation(services.db, caller.botId, params.id, params.userId))
        .signal,
    )
    services.signals.cut(caller.botId, params.id, params.userId)
    return {}
  },
}

/** Throws ResourceNotFound if the caller cannot see the conversation. */
const inside = ({ services, caller }: Context<Caller<'bot'>>, id: string) =>
  findConversation(services.db, caller.botId, id, getViewer(caller))

function publish(
  { services, caller }: Context<Caller<'bot'>, RealtimeServices>,
  conversationId: string,
  signal: ParticipantSignal | null,
) {
  if (signal)
    services.signals.publish(caller.botId, conversationId, signal.number, () => ({
      type: signal.type,
      data: signal.data,
    }))
}
