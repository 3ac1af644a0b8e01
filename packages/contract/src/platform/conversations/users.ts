import { Type as T } from 'typebox'
import { byId, closed, Meta, paging, Tags } from '../../fields.ts'
import { FoundUser } from '../../models/conversations/found-user.ts'
import { operation } from '../../operation.ts'

export const users = {
  searchUsers: operation({
    method: 'GET',
    path: '/v1/platform/users',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Search users, newest first',
    description:
      '`name`: beginnings of words of the name, in any order. `hasMessages`: the user has written. ' +
      '`isMember`: members of the workspace who answer people in place of the bot; with false, only ' +
      'the others. A page may be shorter than `pageSize`, or empty, although more follow.',
    query: T.Object({
      ...paging,
      name: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
      tags: T.Optional(Tags),
      integration: T.Optional(T.String({ maxLength: 200 })),
      hasMessages: T.Optional(T.Boolean()),
      isMember: T.Optional(T.Boolean()),
    }),
    response: closed({ users: T.Array(FoundUser), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getUser: operation({
    method: 'GET',
    path: '/v1/platform/users/{id}',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get a user with its activity',
    params: byId,
    response: FoundUser,
    errors: ['ResourceNotFound'],
  }),
}
