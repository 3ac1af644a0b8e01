import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { ChatConversation } from '../models/chat-conversation.ts'
import { operation } from '../operation.ts'
import { Signal } from './signals.ts'

const answer = closed({ conversation: ChatConversation })

export const conversations = {
  createConversation: operation({
    method: 'POST',
    path: '/conversations',
    access: 'chatUser',
    summary: 'Start a conversation that the caller owns, under an id of their choice if they like',
    status: 201,
    body: T.Object({ id: T.Optional(T.String()) }),
    response: answer,
    errors: ['AlreadyExists', 'ReferenceNotFound'],
  }),
  getOrCreateConversation: operation({
    method: 'POST',
    path: '/conversations/get-or-create',
    access: 'chatUser',
    summary: 'Go on with the conversation of this id, or start it',
    status: 201,
    body: T.Object({ id: T.String() }),
    response: answer,
    errors: ['Forbidden', 'ReferenceNotFound'],
  }),
  getConversation: operation({
    method: 'GET',
    path: '/conversations/{id}',
    access: 'chatUser',
    summary: 'Look up a conversation that the caller takes part in',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteConversation: operation({
    method: 'DELETE',
    path: '/conversations/{id}',
    access: 'chatUser',
    summary: 'Delete a conversation of the caller with all that was said in it',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listConversations: operation({
    method: 'GET',
    path: '/conversations',
    access: 'chatUser',
    summary: 'List the conversations that the caller owns, newest first',
    query: T.Object(paging),
    response: closed({ conversations: T.Array(ChatConversation), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listenConversation: operation({
    method: 'GET',
    path: '/conversations/{id}/listen',
    access: 'chatUser',
    summary: 'Hear what happens in a conversation as it happens',
    params: byId,
    response: Signal,
    errors: ['Forbidden'],
    stream: true,
  }),
}
