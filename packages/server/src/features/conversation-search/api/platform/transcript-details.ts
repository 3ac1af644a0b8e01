// The lists that a page shows beside a transcript, so that it needs one request.

import { events } from '../../../../core/api/index.ts'
import type { BotServices } from '../../../../core/bots/index.ts'
import { type Contexts, operated } from '../../../../core/http/index.ts'
import { feedback, participants } from '../../../../core/messaging/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { conversationNotes, countHandoffs } from '../../../handoffs/index.ts'

/** Returns the first page of each list, as the operation of the list does. */
export async function readDetails(
  context: Contexts<BotServices & QueueServices & RealtimeServices>['bot'],
  conversationId: string,
) {
  const { services, caller } = context
  const none = { headers: undefined, body: undefined }
  const ofConversation = { ...none, params: { id: conversationId } }
  const all = { ...none, params: undefined }
  const [people, ratings, failedEvents, notes, openHandoffs] = await Promise.all([
    participants.listParticipants(context, { ...ofConversation, query: {} }),
    feedback.listFeedback(context, { ...all, query: { conversationId, pageSize: 100 } }),
    events.listEvents(context, { ...all, query: { conversationId, status: 'failed' } }),
    conversationNotes.listConversationNotes(context, {
      ...ofConversation,
      query: { pageSize: 20 },
    }),
    countHandoffs(services.db, operated(caller), { conversationId, state: 'open' }),
  ])
  return { participants: people, feedback: ratings, failedEvents, notes, openHandoffs }
}
