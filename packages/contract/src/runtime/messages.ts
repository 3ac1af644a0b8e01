import { Type as T } from 'typebox'
import {
  byId,
  CreatedMeta,
  closed,
  Done,
  id,
  Json,
  Meta,
  Moment,
  NewTags,
  Properties,
  paging,
  TagChanges,
  Tags,
  Timestamp,
} from '../fields.ts'
import { Schedule } from '../models/bots/schedule.ts'
import { Conversation } from '../models/conversations/conversation.ts'
import { Message, MessageOrigin } from '../models/conversations/message.ts'
import { User } from '../models/conversations/user.ts'
import { operation } from '../operation.ts'
import { newConversation } from './conversations.ts'
import { newUser } from './users.ts'

const response = closed({ message: Message })

const newMessage = {
  conversationId: id('conv'),
  userId: id('user'),
  type: T.String({ maxLength: 200 }),
  schedule: T.Optional(Schedule),
  origin: T.Optional(MessageOrigin),
}

/** Names of the tags that identify an existing object. By default, all tags of the request. */
const discriminateByTags = T.Array(T.String({ maxLength: 500 }))

export const messages = {
  createMessage: operation({
    method: 'POST',
    path: '/v1/chat/messages',
    access: 'bot',
    summary: 'Create a message',
    description:
      'An integration creates incoming messages, a bot outgoing ones. With `schedule`, the message is ' +
      'delivered later.',
    status: 201,
    body: closed({ ...newMessage, payload: Json, tags: NewTags }),
    response,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'Forbidden'],
  }),
  getOrCreateMessage: operation({
    method: 'POST',
    path: '/v1/chat/messages/get-or-create',
    access: 'bot',
    summary: 'Get or create a message by its tags',
    body: closed({
      ...newMessage,
      payload: T.Optional(Json),
      tags: TagChanges,
      discriminateByTags: T.Optional(T.Array(T.String({ maxLength: 500 }))),
    }),
    response: closed({ message: Message, meta: CreatedMeta }),
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'Forbidden', 'AlreadyExists'],
  }),
  initializeIncomingMessage: operation({
    method: 'POST',
    path: '/v1/chat/initialize-incoming-message',
    access: 'bot',
    experimental: true,
    summary: 'Create an incoming message, user and conversation',
    description:
      'Finds each of the three by its tags, and creates those that are missing.',
    body: closed({
      userId: T.Optional(T.String()),
      user: T.Optional(closed({ ...newUser, tags: TagChanges, discriminateByTags })),
      conversationId: T.Optional(T.String()),
      conversation: T.Optional(
        closed({
          ...newConversation,
          tags: TagChanges,
          properties: T.Optional(Properties),
          discriminateByTags,
        }),
      ),
      message: T.Optional(
        closed({
          type: newMessage.type,
          payload: Json,
          tags: TagChanges,
          origin: newMessage.origin,
          discriminateByTags,
        }),
      ),
    }),
    response: closed({
      user: User,
      conversation: Conversation,
      message: T.Optional(Message),
    }),
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'Forbidden', 'AlreadyExists'],
  }),
  importMessages: operation({
    method: 'POST',
    path: '/v1/chat/messages/import-messages',
    access: 'bot',
    experimental: true,
    summary: 'Import messages without delivering them',
    description: 'Messages that exist already stay unchanged.',
    body: closed({
      messages: T.Array(
        T.Object({
          conversationId: id('conv'),
          userId: id('user'),
          type: newMessage.type,
          payload: Json,
          tags: NewTags,
          createdAt: Timestamp,
          discriminateByTags,
        }),
        { maxItems: 100 },
      ),
    }),
    response: closed({ messages: T.Array(Message) }),
  }),
  getMessage: operation({
    method: 'GET',
    path: '/v1/chat/messages/{id}',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get a message',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  listMessages: operation({
    method: 'GET',
    path: '/v1/chat/messages',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'List messages, newest first',
    query: T.Object({
      ...paging,
      conversationId: T.Optional(T.String()),
      tags: T.Optional(Tags),
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
    }),
    response: closed({ messages: T.Array(Message), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  updateMessage: operation({
    method: 'PUT',
    path: '/v1/chat/messages/{id}',
    access: 'bot',
    summary: 'Update the tags or payload of a message',
    params: byId,
    body: closed({ tags: T.Optional(TagChanges), payload: T.Optional(Json) }),
    response,
    errors: ['ResourceNotFound'],
  }),
  deleteMessage: operation({
    method: 'DELETE',
    path: '/v1/chat/messages/{id}',
    access: 'bot',
    summary: 'Delete a message',
    description: 'Deleting a scheduled message cancels its delivery.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
