import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  connector: {
    owner: 'derived',
    person: { none: 'has positions at providers, no user of the bot' },
  },
  channel_activity: {
    owner: 'derived',
    person: { none: 'has accounts of bots at providers, and errors, no user of the bot' },
  },
} satisfies Tables
