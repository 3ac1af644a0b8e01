import { sealedBytes, type Tables } from '../../core/table-rules/index.ts'

export const tables = {
  bot_mcp_server: {
    owner: 'derived',
    sealed: {
      key: sealedBytes('key', (row) => `bot_mcp_server.key/${row.bot_id}/${row.name}`, {
        isNullable: true,
      }),
    },
  },
} satisfies Tables
