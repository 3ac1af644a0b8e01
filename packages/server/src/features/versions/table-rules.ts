import { leftOutBytes, type Tables, toBytes } from '../../core/table-rules/index.ts'

export const tables = {
  bot_version: {
    owner: 'derived',
    sealed: {
      state: {
        empty: leftOutBytes,
        fresh: null,
        values: (row) => toBytes(row.state, `bot_version.state/${row.bot_id}/${row.id}`),
      },
    },
    plainBytes: ['code_hash'],
    onlyWithSecrets: true,
  },
  bot_version_code: { owner: 'derived', plainBytes: ['hash'], onlyWithSecrets: true },
} satisfies Tables
