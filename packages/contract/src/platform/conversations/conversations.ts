import { Type as T } from 'typebox'
import { byId, Count, closed, Done, Meta, Moment, paging, Tags } from '../../fields.ts'
import { Conversation } from '../../models/conversations/conversation.ts'
import { FoundConversation } from '../../models/conversations/found-conversation.ts'
import { Message } from '../../models/conversations/message.ts'
import { NumberedMessage } from '../../models/conversations/numbered-message.ts'
import { TranscriptMessage } from '../../models/conversations/transcript-message.ts'
import { User } from '../../models/conversations/user.ts'
import { operation } from '../../operation.ts'
import { events } from '../../runtime/events.ts'
import { participants } from '../../runtime/participants.ts'
import { deadLetters } from '../bots/dead-letters.ts'
import { conversationNotes } from './conversation-notes.ts'
import { feedback } from './feedback.ts'

const Details = closed({
  participants: participants.listParticipants.response,
  feedback: feedback.listFeedback.response,
  /** Events that the bot failed to handle. */
  failedEvents: events.listEvents.response,
  /** Of messages that their integration could not send. */
  deadLetters: deadLetters.listDeadLetters.response,
  notes: conversationNotes.listConversationNotes.response,
  openHandoffs: Count,
  /** The last one of a user, among the last hundred. */
  lastUserMessage: T.Optional(Message),
  /** Ids of participants who are members: they answer in place of the bot. */
  memberIds: T.Array(T.String()),
})

export const conversations = {
  searchConversations: operation({
    method: 'GET',
    path: '/v1/platform/conversations',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Search conversations, latest activity first',
    description:
      '`text`: all words are in one message, in any order; the last word may be incomplete. New ' +
      'messages are found after some seconds. `hasErrors`: dead letters or issues. ' +
      '`hasUserMessages`: a user has written, not only the bot; with false, only the others. ' +
      '`ofPerson`: with `userId`, also those of the other users of this person. The dates limit ' +
      'the last activity. A page may be shorter than `pageSize`, or empty, although more follow.',
    query: T.Object({
      ...paging,
      text: T.Optional(T.String({ minLength: 1, maxLength: 500 })),
      tags: T.Optional(Tags),
      userId: T.Optional(T.String()),
      /** With `userId`: of all users of the person. */
      ofPerson: T.Optional(T.Boolean()),
      integration: T.Optional(T.String({ maxLength: 200 })),
      hasErrors: T.Optional(T.Boolean()),
      hasUserMessages: T.Optional(T.Boolean()),
      feedback: T.Optional(T.Enum(['any', 'positive', 'negative'])),
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
    }),
    response: closed({ conversations: T.Array(FoundConversation), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getConversationTranscript: operation({
    method: 'GET',
    path: '/v1/platform/conversations/{id}/transcript',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get messages with their authors, oldest first',
    description:
      'Returns the last page, the first one (`from=start`), or the page `around` a message. ' +
      '`meta.older` and `meta.newer` are tokens for `nextToken`. `newer` is present on the last page, ' +
      'too: with it, later messages are found. `details`: also the first page of the lists beside a ' +
      'transcript, in the forms of their operations, the number of open handoffs, the last message ' +
      'of a user, and the participants who are members.',
    params: byId,
    query: T.Object({
      ...paging,
      from: T.Optional(T.Enum(['start', 'end'])),
      around: T.Optional(T.String()),
      details: T.Optional(T.Boolean()),
    }),
    response: closed({
      messages: T.Array(TranscriptMessage),
      details: T.Optional(Details),
      meta: closed({ older: T.Optional(T.String()), newer: T.Optional(T.String()) }),
    }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  exportConversation: operation({
    method: 'GET',
    path: '/v1/platform/conversations/{id}/export',
    access: 'bot',
    summary: 'Export a conversation as a file',
    description:
      '`format=json`: an object with `conversation`, `participants` and `messages`, in the forms of ' +
      'the other operations. `format=text`: a line per message. After an error the connection breaks, ' +
      'so a complete response is a complete export.',
    params: byId,
    query: T.Object({ format: T.Optional(T.Enum(['json', 'text'])) }),
    response: closed({
      conversation: Conversation,
      participants: T.Array(User),
      messages: T.Array(TranscriptMessage),
    }),
    stream: true,
    mediaType: 'application/json',
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  listNumberedMessages: operation({
    method: 'GET',
    path: '/v1/platform/conversations/{id}/messages',
    access: 'bot',
    summary: "List a conversation's messages by number",
    params: byId,
    query: T.Object({ ...paging, after: T.Optional(Count) }),
    response: closed({ messages: T.Array(NumberedMessage), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  stopConversationAnswer: operation({
    method: 'POST',
    path: '/v1/platform/conversations/{id}/stop',
    access: 'bot',
    summary: 'Stop the running answer of a conversation',
    description:
      "Ends the bot's code and its calls of models. `stopped` is false if no answer is due.",
    params: byId,
    body: closed({}),
    response: closed({ stopped: T.Boolean() }),
    errors: ['ResourceNotFound'],
  }),
  setConversationTyping: operation({
    method: 'POST',
    path: '/v1/platform/conversations/{id}/typing',
    access: 'bot',
    permission: 'conversations.write',
    audit: false,
    summary: 'Show that the bot writes',
    description:
      'Listeners receive `typing_started` or `typing_stopped`. Nothing is stored. Without ' +
      'repetition, the indicator ends after `timeout` milliseconds (30,000 by default). During a ' +
      'handoff, `isBot` is false for a call of a person.',
    params: byId,
    body: closed({
      isTyping: T.Boolean(),
      timeout: T.Optional(T.Integer({ minimum: 500, maximum: 300_000 })),
    }),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
