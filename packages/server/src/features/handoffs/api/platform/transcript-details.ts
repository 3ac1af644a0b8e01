// The lists that a page shows beside a transcript, so that it needs one request.
import { may } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import {
  type Caller,
  type Contexts,
  type HttpServices,
  operated,
} from '../../../../core/http/index.ts'
import {
  deadLetters,
  events,
  feedback,
  type MessagingServices,
  participants,
  toMessage,
} from '../../../../core/messaging/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { listMembers } from '../../handoff-agents.ts'
import { countHandoffs } from '../../handoff-listing.ts'
import { findLastOfUsers } from '../../search/conversation-details.ts'
import { conversationNotes } from './conversation-notes.ts'

type Own = HttpServices &
  BotServices &
  Pick<MessagingServices, 'hooks'> &
  QueueServices &
  RealtimeServices

/** The last ones; earlier ones are on the page of all dead letters. */
const maxDeadLetters = 100

/**
 * Returns the first page of each list, as the operation of the list does. Dead letters of messages are also
 * for members who answer and may not list them: these see which of their answers did not arrive.
 */
export async function readDetails(context: Contexts<Own>['bot'], conversationId: string) {
  const { services, caller } = context
  const none = { headers: undefined, body: undefined }
  const ofConversation = { ...none, params: { id: conversationId } }
  const all = { ...none, params: undefined }
  const botId = operated(caller)
  const unsent = { conversationId, kind: 'message' as const, pageSize: maxDeadLetters }
  const [people, ratings, failedEvents, letters, notes, openHandoffs, [last], memberIds] =
    await Promise.all([
      participants.listParticipants(context, { ...ofConversation, query: {} }),
      feedback.listFeedback(context, {
        ...all,
        query: { conversationId, pageSize: 100 },
      }),
      mayReadEvents(caller)
        ? events.listEvents(context, {
            ...all,
            query: { conversationId, status: 'failed' },
          })
        : { events: [], meta: {} },
      deadLetters.listDeadLetters(context, { ...all, query: unsent }),
      conversationNotes.listConversationNotes(context, {
        ...ofConversation,
        query: { pageSize: 20 },
      }),
      countHandoffs(services.db, botId, { conversationId, state: 'open' }),
      findLastOfUsers(services.db, botId, [conversationId]),
      listMembers(services.db, botId, conversationId),
    ])
  return {
    participants: people,
    feedback: ratings,
    failedEvents,
    deadLetters: letters,
    notes,
    openHandoffs,
    ...(last && { lastUserMessage: toMessage(last) }),
    memberIds,
  }
}

/** As `listEvents` itself requires. */
const mayReadEvents = ({ account }: Caller<'bot'>) =>
  !account || may(account.role, 'data.read')
