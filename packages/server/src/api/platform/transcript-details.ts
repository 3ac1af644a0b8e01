// The lists that a page shows beside a transcript, so that it needs one request.
import type { Contexts } from '../../http/services.ts'
import { countHandoffs } from '../../modules/messaging/handoff-listing.ts'
import { events } from '../runtime/events.ts'
import { participants } from '../runtime/participants.ts'
import { conversationNotes } from './conversation-notes.ts'
import { feedback } from './feedback.ts'
import { operated } from './operator.ts'

/** Returns the first page of each list, as the operation of the list does. */
export async function readDetails(context: Contexts['bot'], conversationId: string) {
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
