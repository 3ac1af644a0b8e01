import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  connector: {
    owner: 'derived',
    person: { none: 'has positions at providers, no user of the bot' },
  },
} satisfies Tables
