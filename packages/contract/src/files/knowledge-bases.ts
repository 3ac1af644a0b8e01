import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, mapOf, nullable, paging, Tags } from '../fields.ts'
import { KnowledgeBase, ListedKnowledgeBase } from '../models/knowledge-base.ts'
import { operation } from '../operation.ts'
import { headers } from './files.ts'

const response = closed({ knowledgeBase: KnowledgeBase })

export const knowledgeBases = {
  createKnowledgeBase: operation({
    method: 'POST',
    path: '/v1/files/knowledge-bases',
    access: 'bot',
    summary: 'Make a knowledge base, with whose id files are then tagged',
    headers,
    body: closed({ name: T.String(), tags: T.Optional(Tags) }),
    response,
    errors: ['Forbidden'],
  }),
  listKnowledgeBases: operation({
    method: 'GET',
    path: '/v1/files/knowledge-bases',
    access: 'bot',
    summary: 'List knowledge bases, newest first, with such tags or all',
    headers,
    query: T.Object({ ...paging, tags: T.Optional(T.Unknown()) }),
    response: closed({ knowledgeBases: T.Array(ListedKnowledgeBase), meta: Meta }),
    errors: ['InvalidQuery', 'Forbidden'],
  }),
  updateKnowledgeBase: operation({
    method: 'PUT',
    path: '/v1/files/knowledge-bases/{id}',
    access: 'bot',
    summary: 'Rename a knowledge base, and change its tags; null removes one',
    params: byId,
    headers,
    body: closed({ name: T.String(), tags: T.Optional(mapOf(nullable(T.String({ maxLength: 1000 })))) }),
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteKnowledgeBase: operation({
    method: 'DELETE',
    path: '/v1/files/knowledge-bases/{id}',
    access: 'bot',
    summary: 'Delete a knowledge base, with the files that are tagged with its id',
    params: byId,
    headers,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
