import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { FoundPassage, GivenPassage, Passage } from '../models/knowledge/passage.ts'
import { operation } from '../operation.ts'
import { headers } from './files.ts'

export const passages = {
  searchFiles: operation({
    method: 'GET',
    path: '/v1/files/search',
    access: 'bot',
    summary: 'Search the passages of indexed files',
    headers,
    query: T.Object({
      // JSON text, or parameters with dots in their names: the official client's serialization of
      // an object.
      tags: T.Optional(T.Unknown()),
      // An empty query finds nothing.
      query: T.String({ minLength: 0 }),
      contextDepth: T.Optional(T.Integer({ minimum: 0, maximum: 10 })),
      limit: T.Optional(T.Integer({ minimum: 1, maximum: 50 })),
      consolidate: T.Optional(T.Boolean()),
      includeBreadcrumb: T.Optional(T.Boolean()),
      withContext: T.Optional(T.Boolean()),
    }),
    response: closed({ passages: T.Array(FoundPassage) }),
    errors: ['InvalidQuery', 'Forbidden'],
  }),
  listFilePassages: operation({
    method: 'GET',
    path: '/v1/files/{id}/passages',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List the passages of a file',
    params: byId,
    headers,
    query: T.Object({
      ...paging,
      limit: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
    }),
    response: closed({ passages: T.Array(Passage), meta: Meta }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  setFilePassages: operation({
    method: 'PUT',
    path: '/v1/files/{id}/passages',
    access: 'bot',
    summary: 'Replace the passages of a file',
    params: byId,
    headers,
    body: closed({ passages: T.Array(GivenPassage) }),
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
