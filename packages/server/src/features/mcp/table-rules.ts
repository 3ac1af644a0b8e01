import { type Tables, toBytes } from '../../core/table-rules/index.ts'

export const tables = {
  bot_mcp_server: {
    owner: 'derived',
    sealed: {
      key: {
        empty: 'null::bytea',
        fresh: null,
        values: (row) => toBytes(row.key, `bot_mcp_server.key/${row.bot_id}/${row.name}`),
      },
    },
  },
} satisfies Tables
