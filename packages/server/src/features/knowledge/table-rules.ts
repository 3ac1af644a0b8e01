import type { Tables } from '../../core/table-rules/index.ts'

const isDeletedWithFile = { none: 'is deleted with its file' }

export const tables = {
  file_index: { owner: 'derived', person: isDeletedWithFile },
  file_word: { owner: 'derived', person: isDeletedWithFile },
  knowledge_base: { owner: 'derived' },
  knowledge_page: {
    owner: 'derived',
    person: { none: 'has files that the server read from websites' },
  },
  knowledge_source: { owner: 'derived' },
  passage: { owner: 'derived', person: isDeletedWithFile },
  passage_vector: { owner: 'derived', plainBytes: ['vector'], person: isDeletedWithFile },
} satisfies Tables
