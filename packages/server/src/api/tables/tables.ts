import type { tables as contract, Handlers, Table } from '@botstead/contract'
import type { Contexts } from '../../services.ts'
import { countRows, createTable, findTable, listTables, type TableRow } from '../../tables/tables.ts'

export const tables: Handlers<(typeof contract)['tables'], Contexts> = {
  async listTables({ services: { db }, caller }, { query }) {
    return { tables: (await listTables(db, caller.botId, query.tags ?? {})).map(tableShown) }
  },

  async createTable({ services: { db }, caller }, { body }) {
    return { table: tableShown(await createTable(db, caller.botId, body)) }
  },

  async getTable({ services: { db }, caller }, { params }) {
    const table = await findTable(db, caller.botId, params.table)
    return { table: tableShown(table), ...(await countRows(db, table)), indexing: 0 }
  },
}

export function tableShown(table: TableRow): Table {
  const { $schema, required } = table.schema
  return {
    id: table.bot_table_id,
    name: table.name,
    factor: table.factor,
    frozen: table.frozen,
    keyColumn: table.columns.find(({ id }) => id === table.key_column)?.name ?? null,
    schema: {
      ...($schema !== undefined && { $schema }),
      type: 'object',
      properties: Object.fromEntries(table.columns.map(({ name, schema }) => [name, schema])),
      additionalProperties: true,
      ...(required && { required }),
    },
    tags: table.tags,
    isComputeEnabled: table.compute_enabled,
    createdAt: table.created_at.toISOString(),
    updatedAt: table.updated_at.toISOString(),
  }
}
