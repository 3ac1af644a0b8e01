import type { Handlers, webchat } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import {
  participants as chatParticipants,
  pageOfParticipants,
} from '../chat/participants.ts'
import { toParticipant } from './serializers.ts'

/** The operations of the Chat API, with other names in paths and users without profiles. */
export const participants: Handlers<
  typeof webchat.participants,
  Contexts<RealtimeServices>
> = {
  async addParticipant(context, { params, ...input }) {
    const inChat = { params: { conversationId: params.id }, ...input }
    const { participant } = await chatParticipants.addParticipant(context, inChat)
    return { participant: toParticipant(participant) }
  },

  async listParticipants({ services, caller }, { params, query }) {
    const { participants, meta } = await pageOfParticipants(
      services,
      caller,
      'webchat.listParticipants',
      params.id,
      query,
    )
    return { participants: participants.map(toParticipant), meta }
  },

  async getParticipant(context, { params: { id, userId }, ...input }) {
    const inChat = { params: { conversationId: id, userId }, ...input }
    const { participant } = await chatParticipants.getParticipant(context, inChat)
    return { participant: toParticipant(participant) }
  },

  removeParticipant: (context, { params: { id, userId }, ...input }) =>
    chatParticipants.removeParticipant(context, {
      params: { conversationId: id, userId },
      ...input,
    }),
}
