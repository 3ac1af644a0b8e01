import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { ChatConversation } from '../models/chat/chat-conversation.ts'
import { operation } from '../operation.ts'
import { Signal } from './signals.ts'

const response = closed({ conversation: ChatConversation })

export const conversations = {
  createConversation: operation({
    method: 'POST',
    path: '/conversations',
    access: 'chatUser',
    summary: 'Create a conversation owned by the caller',
    description: 'The caller may choose the id.',
    status: 201,
    body: T.Object({ id: T.Optional(T.String()) }),
    response,
    errors: ['AlreadyExists', 'ReferenceNotFound'],
  }),
  getOrCreateConversation: operation({
    method: 'POST',
    path: '/conversations/get-or-create',
    access: 'chatUser',
    summary: 'Get or create a conversation by id',
    status: 201,
    body: T.Object({ id: T.String() }),
    response,
    errors: ['Forbidden', 'ReferenceNotFound'],
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
    response: closed({ conversations: T.Array(ChatConversation), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listenConversation: operation({
    method: 'GET',
    path: '/conversations/{id}/listen',
    access: 'chatUser',
    summary: 'Stream the signals of a conversation',
    params: byId,
    response: Signal,
    errors: ['Forbidden'],
    stream: true,
  }),
}
