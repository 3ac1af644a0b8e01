import { Type as T } from 'typebox'
import { byId, closed, Meta, paging } from '../../fields.ts'
import { File, FileStatus } from '../../models/knowledge/file.ts'
import {
  FileCounts,
  FoundAnswers,
  MeaningProgress,
  SearchExplanation,
} from '../../models/knowledge/knowledge.ts'
import { operation } from '../../operation.ts'

const knowledgeBaseId = T.Optional(T.String({ minLength: 1, maxLength: 200 }))

/** Excludes files that are in no knowledge base and not searchable, such as imports of tables. */
const isKnowledge = T.Optional(T.Boolean())

const StoredFile = closed({
  key: T.String({ minLength: 1, maxLength: 1024 }),
  /** In hexadecimal digits. */
  sha256: T.String({ pattern: '^[0-9a-f]{64}$' }),
})

export const knowledge = {
  searchFilesByName: operation({
    method: 'GET',
    path: '/v1/platform/files',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List files by name and status',
    description: '`name`: beginnings of words of the key, in any order. Newest first.',
    query: T.Object({
      ...paging,
      knowledgeBaseId,
      status: T.Optional(FileStatus),
      name: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
      isKnowledge,
    }),
    response: closed({ files: T.Array(File), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  countFiles: operation({
    method: 'GET',
    path: '/v1/platform/files/counts',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'Get the number of files by status',
    description:
      'Counts up to 20,000 files: of each status, or of the knowledge base; and the passages that ' +
      'searches find by meaning.',
    query: T.Object({ knowledgeBaseId, isKnowledge }),
    response: closed({ counts: FileCounts, meaning: MeaningProgress }),
    errors: [],
  }),
  findStoredFiles: operation({
    method: 'POST',
    path: '/v1/platform/files/stored',
    access: 'bot',
    permission: 'knowledge.read',
    audit: false,
    summary: 'Find files with known content',
    description:
      'Returns the keys of the files with exactly this content, so that an interrupted import can ' +
      'continue, and as `changed` those with another content.',
    body: closed({ files: T.Array(StoredFile, { maxItems: 500 }) }),
    response: closed({ keys: T.Array(T.String()), changed: T.Array(T.String()) }),
    errors: [],
  }),
  indexFile: operation({
    method: 'POST',
    path: '/v1/platform/files/{id}/index',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Update the index of a file',
    params: byId,
    body: closed({}),
    response: closed({ file: File }),
    errors: ['ResourceNotFound', 'InvalidPayload'],
  }),
  explainSearch: operation({
    method: 'GET',
    path: '/v1/platform/files/search',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'Search passages with explained scores',
    query: T.Object({
      query: T.String({ maxLength: 1_000 }),
      knowledgeBaseId,
      limit: T.Optional(T.Integer({ minimum: 1, maximum: 50 })),
    }),
    response: SearchExplanation,
    errors: [],
  }),
  findAnswers: operation({
    method: 'GET',
    path: '/v1/platform/files/answers',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'Find answers without a model',
    description:
      'Returns the sentence, table row or list that answers a question. `tags` as in `searchFiles`. ' +
      '`minScore` is for knowledge bases that have no minimum score.',
    query: T.Object({
      query: T.String({ maxLength: 1_000 }),
      tags: T.Optional(T.Unknown()),
      minScore: T.Optional(T.Number({ minimum: 0, maximum: 1 })),
    }),
    response: FoundAnswers,
    errors: ['InvalidQuery'],
  }),
}
