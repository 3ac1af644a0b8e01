import type { HttpServices, Services } from '../http/index.ts'
import type { RealtimeServices } from '../realtime/index.ts'
import { serveExtras } from './api/chat/extras.ts'
import { acceptWebSockets } from './api/chat/web-socket.ts'
import { handlers } from './api/handlers.gen.ts'
import { messageOperations } from './api/message-operations.ts'
import { findKeyUser } from './chat/chat-lookups.ts'
import { removeOldChanges } from './chat/notified-changes.ts'
import { openParticipations } from './chat/participations.ts'
import type { MessagingHooks } from './hooks.ts'
import { createEventRemoval, createMessageRemoval } from './messages/history-removal.ts'
import { openMessages } from './messages/open-messages.ts'
import { clearMessageSearch, fillMessageSearch } from './search/filling.ts'
import { bindings, type MessagingServices } from './services.ts'
import { tables } from './table-rules.ts'

export const messagingModule = {
  name: 'messaging',
  tables,
  bindings,
  handlers,
  messageOperations,
  routes: serveExtras,
  upgrades: acceptWebSockets,
  createHooks: (): MessagingHooks => ({
    takeMessage: [],
    messageAnswered: [],
    messageDelivered: [],
    messageRated: [],
    userSigned: [],
    isHandedOver: [],
    conversationTagged: [],
    findGreetings: [],
    checkEvent: [],
    completeEvents: [],
    chatActions: new Map(),
  }),
  open: (deps: Parameters<typeof openMessages>[0]): { services: Opened } => ({
    services: {
      messages: openMessages(deps),
      participations: openParticipations(deps.database),
      checkChatUser: async ({ botId, claim }) =>
        void (await findKeyUser(deps.database, botId, claim)),
    },
  }),
  tasks: ({ db, config, changeFeed }: Services & RealtimeServices) => [
    {
      everyMs: 2_000,
      run: () =>
        config.messageSearch
          ? fillMessageSearch(db, (botId) =>
              changeFeed.publish({ topic: 'messageSearch', botId }),
            )
          : clearMessageSearch(db),
    },
    { everyMs: 600_000, run: () => removeOldChanges(db) },
    { everyMs: 600_000, run: createEventRemoval(db, config.eventDays) },
    { everyMs: 600_000, run: createMessageRemoval(db, config.messageDays) },
  ],
}

type Opened = Pick<MessagingServices, 'messages' | 'participations'> &
  Pick<HttpServices, 'checkChatUser'>

export { deadLetters } from './api/platform/dead-letters.ts'
export { feedback } from './api/platform/feedback.ts'
export { events } from './api/runtime/events.ts'
export { participants } from './api/runtime/participants.ts'
export { botUsers } from './bot-user.ts'
export { stopAnswer } from './chat/answer-stops.ts'
export { type ChatDeps, callChatAction } from './chat/chat-actions.ts'
export { notifiedChanges } from './chat/notified-changes.ts'
export { type ReachedMessage, receipts } from './chat/receipts.ts'
export { publishTyping } from './chat/typing.ts'
export { webchatCode } from './chat/webchat-code.ts'
export {
  type InTransaction,
  inConversationTransaction,
} from './conversation-transaction.ts'
export { type ConversationRow, conversationStore } from './conversations.ts'
export { findEvent } from './event-serializers.ts'
export { bursts } from './events/burst-deliveries.ts'
export { runDueJobs } from './events/due.ts'
export { eventStore } from './events/event-rows.ts'
export { createEvent, noEvent } from './events/events.ts'
export { recordOutcomes } from './events/outcomes.ts'
export { keepRecurringEvents } from './events/recurring-events.ts'
export { getOrCreate } from './get-or-create.ts'
export { personHomes } from './homes.ts'
export type { Answered, ChatAction, ConversationDeps, MessagingHooks } from './hooks.ts'
export { initializeIncoming } from './messages/incoming.ts'
export {
  type KnownMessage,
  type KnownPlace,
  knownIncoming,
} from './messages/known-incoming.ts'
export { findEventOfMessage } from './messages/message-cause.ts'
export { listNumberedMessages } from './messages/message-listing.ts'
export { messagePage, type PageValues } from './messages/message-pages.ts'
export { readSignals } from './messages/message-signals.ts'
export { MessageStream } from './messages/message-streams.ts'
export type { MessageRow, NewMessage, WrittenMessage } from './messages/message-types.ts'
export { findWrittenMessage } from './messages/message-writer.ts'
export { messageStore } from './messages/messages.ts'
export { checkReferences } from './messages/references.ts'
export { listParticipants } from './participants.ts'
export { lockUser, removeUser } from './removal.ts'
export { toWordQuery } from './search/message-words.ts'
export { toConversation, toMessage, toUser } from './serializers.ts'
export type { MessagingServices } from './services.ts'
export { hasTags, mergedTags } from './tags/tag-columns.ts'
export {
  type TagChange,
  type TagInput,
  type Tags,
  tagRules,
  type Viewer,
} from './tags/tags.ts'
export { type UserRow, userStore } from './users.ts'
