import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  copilot_run: {
    owner: { leftOut: 'requests end within minutes, and their results are in the draft' },
    person: {
      none: 'names the account that asked; what the model read is deleted when the request ends',
    },
  },
} satisfies Tables
