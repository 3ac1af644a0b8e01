import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import {
  KnowledgePage,
  KnowledgeSource,
  PageStatus,
  SourceSchedule,
  SourceType,
} from '../../models/knowledge/knowledge-source.ts'
import { operation } from '../../operation.ts'

const knowledgeBaseId = T.String({ minLength: 1, maxLength: 200 })
const maxPages = T.Integer({ minimum: 1, maximum: 5_000 })
const url = T.String({ minLength: 1, maxLength: 2_000 })
const response = closed({ source: KnowledgeSource })

export const knowledgeSources = {
  createKnowledgeSource: operation({
    method: 'POST',
    path: '/v1/platform/knowledge-sources',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Add a website to a knowledge base',
    description:
      'The server reads the page, or the pages of the sitemap, in the background. `schedule` is ' +
      '"off" and `maxPages` 500 by default.',
    body: closed({
      knowledgeBaseId,
      type: SourceType,
      url,
      schedule: T.Optional(SourceSchedule),
      maxPages: T.Optional(maxPages),
    }),
    status: 201,
    response,
    errors: ['ResourceNotFound', 'InvalidPayload', 'AlreadyExists', 'LimitExceeded'],
  }),
  listKnowledgeSources: operation({
    method: 'GET',
    path: '/v1/platform/knowledge-sources',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List websites of knowledge bases',
    description: 'Newest first.',
    query: T.Object({ ...paging, knowledgeBaseId: T.Optional(knowledgeBaseId) }),
    response: closed({ sources: T.Array(KnowledgeSource), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getKnowledgeSource: operation({
    method: 'GET',
    path: '/v1/platform/knowledge-sources/{id}',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'Get a website of a knowledge base',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  listKnowledgePages: operation({
    method: 'GET',
    path: '/v1/platform/knowledge-sources/{id}/pages',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List pages of a website',
    description: 'In the order of their URLs.',
    params: byId,
    query: T.Object({ ...paging, status: T.Optional(PageStatus) }),
    response: closed({ pages: T.Array(KnowledgePage), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  updateKnowledgeSource: operation({
    method: 'PUT',
    path: '/v1/platform/knowledge-sources/{id}',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Update the address or schedule of a website',
    description:
      'Another `url` starts a refresh; the pages of the former address are removed when the server has ' +
      'read the new one.',
    params: byId,
    body: closed({
      url: T.Optional(url),
      schedule: T.Optional(SourceSchedule),
      maxPages: T.Optional(maxPages),
    }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload', 'AlreadyExists'],
  }),
  refreshKnowledgeSource: operation({
    method: 'POST',
    path: '/v1/platform/knowledge-sources/{id}/refresh',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Start a refresh of a website',
    description: 'Has no effect while a refresh is running.',
    params: byId,
    body: closed({}),
    response,
    errors: ['ResourceNotFound'],
  }),
  deleteKnowledgeSource: operation({
    method: 'DELETE',
    path: '/v1/platform/knowledge-sources/{id}',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Delete a website and its files',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
