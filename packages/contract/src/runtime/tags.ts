import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../fields.ts'
import { operation } from '../operation.ts'

export const tags = {
  listTagValues: operation({
    method: 'GET',
    path: '/v1/chat/tags/{key}/values',
    access: 'bot',
    summary: 'List the values of a tag',
    description:
      'Returns the distinct values on users, conversations or messages in alphabetical order.',
    params: T.Object({ key: T.String() }),
    query: T.Object({ ...paging, type: T.Enum(['user', 'conversation', 'message']) }),
    response: closed({ tags: T.Array(T.Object({ value: T.String() })), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
}
