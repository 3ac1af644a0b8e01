export { insertBotUser, insertOwnUser, renameUser } from './bot-user.ts'
export { stopAnswer, stoppedType } from './chat/answer-stops.ts'
export { type ChatDeps, callChatAction } from './chat/chat-actions.ts'
export { type ChatEventRow, createChatEvent, customEvent } from './chat/chat-events.ts'
export { chosenId, publicId } from './chat/chat-ids.ts'
export {
  findKeyUser,
  findNamedUser,
  listOwnConversations,
  lookUpConversation,
  lookUpForUser,
  lookUpParticipation,
  lookUpUser,
  type NamedConversation,
  type NamedUser,
  noKeyUser,
  type Participation,
} from './chat/chat-lookups.ts'
export {
  type ChatMessageRow,
  type StoredChatMessage,
  storedPayload,
  toStoredChatMessage,
} from './chat/chat-message.ts'
export {
  findChatMessage,
  findLastMessages,
  findMessageOfChat,
  listChatMessages,
  type ReadMessage,
} from './chat/chat-messages.ts'
export {
  deleteFeedback,
  type FeedbackRow,
  findFeedback,
  listFeedback,
  setFeedback,
  toFeedback,
} from './chat/feedback.ts'
export {
  findNotifiedChange,
  removeNotifiedChange,
  removeOldChanges,
  updateConversationAsBot,
  updateMessageAsBot,
} from './chat/notified-changes.ts'
export { type Rating, ratingOf, ratingTags, selectMessage } from './chat/ratings.ts'
export {
  advance,
  findReceipts,
  noteReceipt,
  type ReachedMessage,
  toReceipt,
} from './chat/receipts.ts'
export { publishTyping } from './chat/typing.ts'
export {
  type ConversationRow,
  conversationsById,
  conversationVisibleTo,
  createConversation,
  deleteConversation,
  findConversation,
  findConversationAlias,
  getOrCreateConversation,
  hasConversation,
  isBotPaused,
  listConversations,
  noConversation,
  pauseBot,
  readConversation,
  updateConversation,
} from './conversations.ts'
export { findEvent, toEvents } from './event-serializers.ts'
export { checkDeclaredEvent } from './events/declared-events.ts'
export {
  awaitEvents,
  countTicks,
  editMessages,
  endEvent,
  endEvents,
  settleEvents,
} from './events/event-outcomes.ts'
export { deleteEventsOfWorkflows, insertEvents } from './events/event-rows.ts'
export {
  createEvent,
  type EventRow,
  findEventRow,
  listEvents,
  type NewEvent,
  noEvent,
  resendEvent,
} from './events/events.ts'
export { keepRecurringEvents, tickRecurringEvents } from './events/recurring-events.ts'
export { type DueTime, dueTime } from './events/schedule.ts'
export { cancelScheduledEvent, enqueueDueEvents, scheduleEvent } from './events/scheduled-events.ts'
export { listRecurring, listScheduled, type RecurringRow } from './events/upcoming.ts'
export { type FoundOrCreated, getOrCreate } from './get-or-create.ts'
export type { Answered, ChatAction, ConversationDeps, MessagingHooks } from './hooks.ts'
export {
  type CausedEventRow,
  type EventRun,
  findEventOfMessage,
  findEventRun,
  listCausedEvents,
  listCausedMessages,
} from './messages/caused.ts'
export { importHistory } from './messages/history-imports.ts'
export { createEventRemoval, createMessageRemoval } from './messages/history-removal.ts'
export { initializeIncoming } from './messages/incoming.ts'
export { type ImportedMessage, importMessages } from './messages/message-imports.ts'
export { messagePage, messagePositionOf, type PageValues } from './messages/message-pages.ts'
export { readSignals, recentStart } from './messages/message-signals.ts'
export { MessageStream } from './messages/message-streams.ts'
export type { MessageRow, NewMessage, WrittenMessage } from './messages/message-types.ts'
export {
  createMessageWriter,
  findWrittenMessage,
  type MessageWriter,
} from './messages/message-writer.ts'
export {
  checkMessageTags,
  deleteMessage,
  findMessage,
  getOrCreateMessage,
  listMessages,
  listNumberedMessages,
  messageListPosition,
  noMessage,
  updateMessage,
} from './messages/messages.ts'
export { openMessages } from './messages/open-messages.ts'
export { checkIncoming, checkReferences } from './messages/references.ts'
export {
  cancelScheduledMessage,
  getOrScheduleMessage,
  scheduleMessage,
  sendDueMessages,
} from './messages/scheduled-messages.ts'
export {
  findParticipant,
  joinConversation,
  leaveConversation,
  listParticipants,
  type ParticipantSignal,
} from './participants.ts'
export { lockUser, removeUser } from './removal.ts'
export {
  type ConversationDetails,
  findDetails,
  findMessages,
} from './search/conversation-details.ts'
export { clearMessageSearch, fillMessageSearch, writeWords } from './search/filling.ts'
export { queryOf, wordsOfMessage } from './search/message-words.ts'
export { idsWithTag, intersection, limited, maxRare, rareIds } from './search/rare-filters.ts'
export { type FoundUser, findUserActivity, searchUsers, usersNamed } from './search/user-search.ts'
export { toConversation, toMessage, toUser } from './serializers.ts'
export { tables } from './table-rules.ts'
export { hasTags, json, mergedTags } from './tag-columns.ts'
export { listTagValues } from './tag-values.ts'
export {
  changeOfTags,
  changesNothing,
  discriminating,
  ownTags,
  storedName,
  storedTags,
  type TagChange,
  type TagInput,
  type Tags,
  type Viewer,
  viewTags,
} from './tags.ts'
export {
  createUser,
  deleteUser,
  findUser,
  getOrCreateUser,
  hasUser,
  listUsers,
  readUser,
  type UserRow,
  updateUser,
  usersById,
} from './users.ts'
