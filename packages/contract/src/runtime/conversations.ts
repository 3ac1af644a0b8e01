import { Type as T } from 'typebox'
import {
  byId,
  Count,
  CreatedMeta,
  closed,
  Done,
  Meta,
  Moment,
  NewTags,
  Properties,
  PropertyChanges,
  paging,
  sorting,
  TagChanges,
  Tags,
} from '../fields.ts'
import { Conversation } from '../models/conversations/conversation.ts'
import { operation } from '../operation.ts'

const response = closed({ conversation: Conversation })

/**
 * Older bots name the integration by `integrationName`. Integrations identify themselves by
 * headers.
 */
export const newConversation = {
  channel: T.String({ maxLength: 200 }),
  integrationName: T.Optional(T.String({ maxLength: 200 })),
}

export const conversations = {
  createConversation: operation({
    method: 'POST',
    path: '/v1/chat/conversations',
    access: 'bot',
    summary: 'Create a conversation',
    status: 201,
    body: closed({
      ...newConversation,
      tags: NewTags,
      properties: T.Optional(Properties),
    }),
    response,
    errors: ['Forbidden', 'ReferenceNotFound'],
  }),
  getOrCreateConversation: operation({
    method: 'POST',
    path: '/v1/chat/conversations/get-or-create',
    access: 'bot',
    summary: 'Get or create a conversation by its tags',
    body: closed({
      ...newConversation,
      tags: TagChanges,
      properties: T.Optional(PropertyChanges),
      discriminateByTags: T.Optional(T.Array(T.String({ maxLength: 500 }))),
    }),
    response: closed({ conversation: Conversation, meta: CreatedMeta }),
    errors: ['Forbidden', 'ReferenceNotFound'],
  }),
  getConversation: operation({
    method: 'GET',
    path: '/v1/chat/conversations/{id}',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get a conversation',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  listConversations: operation({
    method: 'GET',
    path: '/v1/chat/conversations',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'List conversations, newest first',
    query: T.Object({
      ...paging,
      ...sorting('createdAt', 'updatedAt'),
      tags: T.Optional(Tags),
      participantIds: T.Optional(T.Array(T.String())),
      integrationName: T.Optional(T.String()),
      channel: T.Optional(T.String()),
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
      minMessageCount: T.Optional(Count),
      maxMessageCount: T.Optional(Count),
    }),
    response: closed({ conversations: T.Array(Conversation), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  updateConversation: operation({
    method: 'PUT',
    path: '/v1/chat/conversations/{id}',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Update the tags and properties of a conversation',
    params: byId,
    // Ignored. Old clients still send `currentTaskId`, which belongs to an API that was removed.
    body: closed({
      tags: T.Optional(TagChanges),
      properties: T.Optional(PropertyChanges),
      currentTaskId: T.Optional(T.String()),
    }),
    response,
    errors: ['ResourceNotFound'],
  }),
  deleteConversation: operation({
    method: 'DELETE',
    path: '/v1/chat/conversations/{id}',
    access: 'bot',
    summary: 'Delete a conversation and its messages',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
