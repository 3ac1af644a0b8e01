import { Type as T } from 'typebox'
import { byId, Count, closed, Done, Meta, Moment, paging, Tags } from '../fields.ts'
import { FoundConversation } from '../models/found-conversation.ts'
import { NumberedMessage } from '../models/numbered-message.ts'
import { operation } from '../operation.ts'

export const conversations = {
  searchConversations: operation({
    method: 'GET',
    path: '/v1/platform/conversations',
    access: 'bot',
    summary: 'Search conversations, latest activity first',
    description:
      '`text`: all words are in one message, in any order; the last word may be incomplete. New ' +
      'messages are found after some seconds. `hasErrors`: dead letters or issues. The dates limit ' +
      'the last activity. A page may be shorter than `pageSize`, or empty, although more follow.',
    query: T.Object({
      ...paging,
      text: T.Optional(T.String({ minLength: 1, maxLength: 500 })),
      tags: T.Optional(Tags),
      userId: T.Optional(T.String()),
      integration: T.Optional(T.String({ maxLength: 200 })),
      hasErrors: T.Optional(T.Boolean()),
      feedback: T.Optional(T.Enum(['any', 'positive', 'negative'])),
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
    }),
    response: closed({ conversations: T.Array(FoundConversation), meta: Meta }),
    errors: ['InvalidQuery'],
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
    audit: false,
    summary: 'Show that the bot writes',
    description:
      'Listeners receive `typing_started` or `typing_stopped`. Nothing is stored. Without ' +
      'repetition, the indicator ends after `timeout` milliseconds (30,000 by default).',
    params: byId,
    body: closed({
      isTyping: T.Boolean(),
      timeout: T.Optional(T.Integer({ minimum: 500, maximum: 300_000 })),
    }),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
