import { Type as T } from 'typebox'
import {
  byId,
  CreatedMeta,
  closed,
  Done,
  Meta,
  Moment,
  NewTags,
  nullable,
  Properties,
  PropertyChanges,
  paging,
  sorting,
  TagChanges,
  Tags,
} from '../fields.ts'
import { User } from '../models/conversations/user.ts'
import { operation } from '../operation.ts'

const response = closed({ user: User })

/**
 * Older bots send `attributes` instead of `properties`, and `integrationName` to name the
 * integration.
 */
export const newUser = {
  name: T.Optional(T.String({ maxLength: 200 })),
  pictureUrl: T.Optional(T.String({ maxLength: 40_000 })),
  properties: T.Optional(Properties),
  attributes: T.Optional(Properties),
  integrationName: T.Optional(T.String({ maxLength: 200 })),
}

export const users = {
  createUser: operation({
    method: 'POST',
    path: '/v1/chat/users',
    access: 'bot',
    summary: 'Create a user',
    status: 201,
    body: closed({ ...newUser, tags: NewTags }),
    response,
  }),
  getOrCreateUser: operation({
    method: 'POST',
    path: '/v1/chat/users/get-or-create',
    access: 'bot',
    summary: 'Get or create a user by tags',
    body: closed({
      ...newUser,
      tags: TagChanges,
      discriminateByTags: T.Optional(T.Array(T.String({ maxLength: 500 }))),
    }),
    response: closed({ user: User, meta: CreatedMeta }),
  }),
  getUser: operation({
    method: 'GET',
    path: '/v1/chat/users/{id}',
    access: 'bot',
    summary: 'Get a user',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  listUsers: operation({
    method: 'GET',
    path: '/v1/chat/users',
    access: 'bot',
    summary: 'List users, newest first',
    query: T.Object({
      ...paging,
      ...sorting('createdAt', 'updatedAt'),
      conversationId: T.Optional(T.String()),
      tags: T.Optional(Tags),
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
      rangeField: T.Optional(T.Enum(['createdAt', 'updatedAt'])),
    }),
    response: closed({ users: T.Array(User), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  updateUser: operation({
    method: 'PUT',
    path: '/v1/chat/users/{id}',
    access: 'bot',
    summary: 'Update a user',
    description: 'Null removes a value.',
    params: byId,
    body: closed({
      name: T.Optional(nullable(T.String({ maxLength: 200 }))),
      pictureUrl: T.Optional(nullable(T.String({ maxLength: 40_000 }))),
      tags: T.Optional(TagChanges),
      properties: T.Optional(PropertyChanges),
      attributes: T.Optional(PropertyChanges),
    }),
    response,
    errors: ['ResourceNotFound'],
  }),
  deleteUser: operation({
    method: 'DELETE',
    path: '/v1/chat/users/{id}',
    access: 'bot',
    summary: 'Delete a user',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
