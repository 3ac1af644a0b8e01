import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  erasure: {
    owner: 'derived',
    person: { none: 'names the id of the erased user, which the server created' },
  },
  retention_sweep: { owner: 'derived' },
} satisfies Tables
