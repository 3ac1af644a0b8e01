import { Type as T } from 'typebox'
import {
  byId,
  closed,
  Done,
  dictionary,
  Meta,
  nullable,
  paging,
  Tags,
} from '../fields.ts'
import { KnowledgeBase, ListedKnowledgeBase } from '../models/knowledge/knowledge-base.ts'
import { operation } from '../operation.ts'
import { headers } from './files.ts'

const response = closed({ knowledgeBase: KnowledgeBase })

export const knowledgeBases = {
  createKnowledgeBase: operation({
    method: 'POST',
    path: '/v1/files/knowledge-bases',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Create a knowledge base',
    description:
      'A file belongs to a knowledge base if a tag contains the id of the knowledge base. With the tag ' +
      '`minScore` (0 to 1), searches leave out its passages with a lower score.',
    headers,
    body: closed({ name: T.String(), tags: T.Optional(Tags) }),
    response,
    errors: ['InvalidPayload', 'Forbidden'],
  }),
  listKnowledgeBases: operation({
    method: 'GET',
    path: '/v1/files/knowledge-bases',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List knowledge bases, newest first',
    headers,
    query: T.Object({ ...paging, tags: T.Optional(T.Unknown()) }),
    response: closed({ knowledgeBases: T.Array(ListedKnowledgeBase), meta: Meta }),
    errors: ['InvalidQuery', 'Forbidden'],
  }),
  updateKnowledgeBase: operation({
    method: 'PUT',
    path: '/v1/files/knowledge-bases/{id}',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Update a knowledge base',
    description: 'A null value removes a tag.',
    params: byId,
    headers,
    body: closed({
      name: T.String(),
      tags: T.Optional(dictionary(nullable(T.String({ maxLength: 1000 })))),
    }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload', 'Forbidden'],
  }),
  deleteKnowledgeBase: operation({
    method: 'DELETE',
    path: '/v1/files/knowledge-bases/{id}',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Delete a knowledge base and its files',
    params: byId,
    headers,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
