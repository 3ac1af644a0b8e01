import { Type as T } from 'typebox'
import { conversations as chat } from '../chat/conversations.ts'
import { closed, Meta } from '../fields.ts'
import { ChatConversation } from '../models/chat/chat-conversation.ts'
import { WebchatMessage } from '../models/chat/webchat-message.ts'
import { operation } from '../operation.ts'
import { InitialSignal, WebchatSignal } from './signals.ts'

const response = closed({ conversation: ChatConversation })

export const conversations = {
  initialize: operation({
    method: 'GET',
    path: '/initialize',
    access: 'chat',
    summary: 'Create or continue a conversation as a stream',
    description:
      'Without a valid `x-user-key` creates a user; without a conversation of this user, a ' +
      'conversation. The first signal is `init`.',
    query: T.Object({ conversationId: T.Optional(T.String()) }),
    headers: T.Object({
      'x-user-key': T.Optional(T.String()),
      'x-admin-secret': T.Optional(T.String()),
    }),
    response: T.Union([InitialSignal, WebchatSignal]),
    errors: ['Unauthorized', 'Forbidden'],
    stream: true,
  }),
  createConversation: operation({
    method: 'POST',
    path: '/conversations',
    access: 'chatUser',
    summary: 'Create a conversation owned by the caller',
    status: 201,
    body: T.Object({}),
    response,
    errors: ['ReferenceNotFound'],
  }),
  getConversation: chat.getConversation,
  deleteConversation: chat.deleteConversation,
  listConversations: operation({
    ...chat.listConversations,
    response: closed({
      conversations: T.Array(
        closed({
          ...ChatConversation.properties,
          lastMessage: T.Optional(WebchatMessage),
        }),
      ),
      meta: Meta,
    }),
  }),
  listenConversation: operation({
    ...chat.listenConversation,
    description:
      'With `live`, also streams messages while the bot writes them, and stops.',
    query: T.Object({ live: T.Optional(T.Boolean()) }),
    response: WebchatSignal,
  }),
}
