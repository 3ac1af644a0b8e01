import { sealedBytes, type Tables } from '../../core/table-rules/index.ts'

export const tables = {
  bot_version: {
    owner: 'derived',
    sealed: {
      state: sealedBytes('state', (row) => `bot_version.state/${row.bot_id}/${row.id}`),
    },
    plainBytes: ['code_hash'],
    onlyWithSecrets: true,
  },
  bot_version_code: { owner: 'derived', plainBytes: ['hash'], onlyWithSecrets: true },
} satisfies Tables
