import { Type as T } from 'typebox'
import { byId, closed, Done, Json, Meta, paging } from '../fields.ts'
import { ChatMessage } from '../models/chat-message.ts'
import { ChatPayload } from '../models/chat-payload.ts'
import { operation } from '../operation.ts'

const answer = closed({ message: ChatMessage })

export const messages = {
  createMessage: operation({
    method: 'POST',
    path: '/messages',
    access: 'chatUser',
    summary: 'Say something in a conversation that the caller takes part in',
    status: 201,
    body: T.Object({ conversationId: T.String(), payload: ChatPayload, metadata: T.Optional(Json) }),
    response: answer,
    errors: ['Forbidden'],
  }),
  getMessage: operation({
    method: 'GET',
    path: '/messages/{id}',
    access: 'chatUser',
    summary: 'Look up a message of a conversation that the caller takes part in',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteMessage: operation({
    method: 'DELETE',
    path: '/messages/{id}',
    access: 'chatUser',
    summary: 'Take back a message that the caller sent',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listMessages: operation({
    method: 'GET',
    path: '/conversations/{conversationId}/messages',
    access: 'chatUser',
    summary: 'List what was said in a conversation, newest first',
    params: T.Object({ conversationId: T.String() }),
    query: T.Object(paging),
    response: closed({ messages: T.Array(ChatMessage), meta: Meta }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
}
