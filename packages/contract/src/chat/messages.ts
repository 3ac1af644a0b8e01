import { Type as T } from 'typebox'
import { byId, closed, Done, Json, Meta, paging } from '../fields.ts'
import { ChatMessage } from '../models/chat/chat-message.ts'
import { ChatPayload } from '../models/chat/chat-payload.ts'
import { operation } from '../operation.ts'

const response = closed({ message: ChatMessage })

export const messages = {
  createMessage: operation({
    method: 'POST',
    path: '/messages',
    access: 'chatUser',
    summary: 'Send a message',
    description: 'The caller must be a participant.',
    status: 201,
    body: T.Object({
      conversationId: T.String(),
      payload: ChatPayload,
      metadata: T.Optional(Json),
    }),
    response,
    errors: ['Forbidden'],
  }),
  getMessage: operation({
    method: 'GET',
    path: '/messages/{id}',
    access: 'chatUser',
    summary: 'Get a message',
    description: 'The caller must be a participant.',
    params: byId,
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteMessage: operation({
    method: 'DELETE',
    path: '/messages/{id}',
    access: 'chatUser',
    summary: 'Delete a message',
    description: 'The caller must be its sender.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listMessages: operation({
    method: 'GET',
    path: '/conversations/{conversationId}/messages',
    access: 'chatUser',
    summary: 'List the messages of a conversation, newest first',
    params: T.Object({ conversationId: T.String() }),
    query: T.Object(paging),
    response: closed({ messages: T.Array(ChatMessage), meta: Meta }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
}
