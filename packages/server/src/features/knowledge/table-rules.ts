import type { Tables } from '../../core/table-rules/index.ts'

const isDeletedWithFile = { none: 'is deleted with its file' }

export const tables = {
  curated_answer: {
    owner: 'derived',
    person: { none: 'names the account that owns the answer, no user of the bot' },
  },
  dismissed_question: {
    owner: 'derived',
    person: { none: 'has digests of texts, and names an account, no user of the bot' },
  },
  file_index: { owner: 'derived', person: isDeletedWithFile },
  file_word: { owner: 'derived', person: isDeletedWithFile },
  knowledge_base: { owner: 'derived' },
  knowledge_check: { owner: 'derived' },
  knowledge_page: {
    owner: 'derived',
    person: { none: 'has files that the server read from websites' },
  },
  knowledge_source: { owner: 'derived' },
  missed_question: {
    owner: 'derived',
    person: { none: 'is deleted with the message of its question' },
  },
  passage: { owner: 'derived', person: isDeletedWithFile },
  passage_vector: { owner: 'derived', plainBytes: ['vector'], person: isDeletedWithFile },
  vector_index: {
    owner: 'derived',
    plainBytes: ['centroids'],
    person: { none: 'has means of the vectors of many passages' },
  },
  vector_index_entry: { owner: 'derived', person: isDeletedWithFile },
} satisfies Tables
