import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
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
  getConversation: operation({
    method: 'GET',
    path: '/conversations/{id}',
    access: 'chatUser',
    summary: 'Get a conversation',
    description: 'The caller must be a participant.',
    params: byId,
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteConversation: operation({
    method: 'DELETE',
    path: '/conversations/{id}',
    access: 'chatUser',
    summary: 'Delete a conversation and its messages',
    description: 'The caller must own the conversation.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listConversations: operation({
    method: 'GET',
    path: '/conversations',
    access: 'chatUser',
    summary: "List the caller's conversations, newest first",
    query: T.Object(paging),
    response: closed({
      conversations: T.Array(
        closed({ ...ChatConversation.properties, lastMessage: T.Optional(WebchatMessage) }),
      ),
      meta: Meta,
    }),
    errors: ['InvalidQuery'],
  }),
  listenConversation: operation({
    method: 'GET',
    path: '/conversations/{id}/listen',
    access: 'chatUser',
    summary: 'Stream the signals of a conversation',
    description: 'With `live`, also streams messages while the bot writes them, and stops.',
    params: byId,
    query: T.Object({ live: T.Optional(T.Boolean()) }),
    response: WebchatSignal,
    errors: ['Forbidden'],
    stream: true,
  }),
}
