import { Type as T } from 'typebox'
import { messages as chat } from '../chat/messages.ts'
import { byId, closed, Done, Json, Meta } from '../fields.ts'
import { WebchatMessage, webchatFeedback } from '../models/chat/webchat-message.ts'
import { WebchatPayload } from '../models/chat/webchat-payload.ts'
import { operation } from '../operation.ts'

const response = closed({ message: WebchatMessage })

export const messages = {
  createMessage: operation({
    ...chat.createMessage,
    body: T.Object({
      conversationId: T.String(),
      payload: WebchatPayload,
      metadata: T.Optional(Json),
      replyTo: T.Optional(T.String({ maxLength: 100 })),
    }),
    response,
  }),
  getMessage: operation({ ...chat.getMessage, response }),
  updateMessage: operation({
    method: 'PUT',
    path: '/messages/{id}',
    access: 'chatUser',
    summary: 'Replace the payload or metadata of a message',
    description: 'The caller must be its sender. The bot is not notified.',
    params: byId,
    body: T.Object({ payload: T.Optional(WebchatPayload), metadata: T.Optional(Json) }),
    response,
    errors: ['ResourceNotFound', 'Forbidden', 'LimitExceeded'],
  }),
  deleteMessage: chat.deleteMessage,
  listConversationMessages: operation({
    ...chat.listMessages,
    path: '/conversations/{id}/messages',
    params: byId,
    response: closed({ messages: T.Array(WebchatMessage), meta: Meta }),
  }),
  addMessageFeedback: operation({
    method: 'PUT',
    path: '/messages/{id}/feedback',
    access: 'chatUser',
    summary: 'Set the rating of a message',
    description:
      'The caller must be a participant. The bot reads the rating in the tags of the message.',
    params: byId,
    body: T.Object(webchatFeedback),
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  removeMessageFeedback: operation({
    method: 'DELETE',
    path: '/messages/{id}/feedback',
    access: 'chatUser',
    summary: 'Remove the rating of a message',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  selectMessage: operation({
    method: 'PUT',
    path: '/messages/{id}/select',
    access: 'chatUser',
    summary: 'Set the user who selected a message',
    description: 'The caller must be a participant. Only one user can select a message.',
    params: byId,
    body: T.Object({}),
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden', 'AlreadyExists'],
  }),
}
