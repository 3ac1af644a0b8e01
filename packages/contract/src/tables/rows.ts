import { Type as T, type TProperties } from 'typebox'
import { closed, Json } from '../fields.ts'
import { Row } from '../models/tables/row.ts'
import { operation } from '../operation.ts'
import { byTable, headers } from './tables.ts'

/** A row: its columns by name. The table's schema validates their values. */
const toRowSchema = (properties: TProperties) =>
  T.Object(properties, { additionalProperties: true })
const toRowsSchema = (row: ReturnType<typeof toRowSchema>) =>
  T.Array(row, { minItems: 1, maxItems: 1000 })
const RowId = T.Number({ maximum: 2_147_483_647 })

/** If true, the response waits for the computed columns. */
const waitComputed = T.Optional(T.Boolean())

/**
 * `errors`: rows that were not written, with their positions. `warnings`: ignored or changed
 * values.
 */
const problems = {
  warnings: T.Optional(T.Array(T.String())),
  errors: T.Optional(T.Array(T.String())),
}

export const rows = {
  getTableRow: operation({
    method: 'GET',
    path: '/v1/tables/{table}/row',
    access: 'bot',
    summary: 'Get a row by id',
    params: byTable,
    query: T.Object({ id: T.Integer() }),
    headers,
    response: closed({ row: Row }),
    errors: ['ResourceNotFound'],
  }),
  findTableRows: operation({
    method: 'POST',
    path: '/v1/tables/{table}/rows/find',
    access: 'bot',
    permission: 'tables.read',
    audit: false,
    summary: 'Find rows by filter and search',
    description: 'Returns rows in order, or in groups.',
    params: byTable,
    headers,
    body: closed({
      limit: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
      offset: T.Optional(T.Integer({ minimum: 0 })),
      filter: T.Optional(Json),
      group: T.Optional(Json),
      search: T.Optional(T.String({ maxLength: 1024 })),
      select: T.Optional(T.Array(T.String())),
      orderBy: T.Optional(T.String()),
      orderDirection: T.Optional(T.Enum(['asc', 'desc'])),
    }),
    response: closed({
      rows: T.Array(Row),
      hasMore: T.Boolean(),
      offset: T.Integer(),
      limit: T.Integer(),
      warnings: problems.warnings,
    }),
    errors: ['ResourceNotFound', 'InvalidQuery', 'OperationTimeout'],
  }),
  createTableRows: operation({
    method: 'POST',
    path: '/v1/tables/{table}/rows',
    access: 'bot',
    summary: 'Create rows',
    params: byTable,
    headers,
    body: closed({ rows: toRowsSchema(toRowSchema({})), waitComputed }),
    response: closed({ rows: T.Array(Row), ...problems }),
    errors: ['ResourceNotFound'],
  }),
  updateTableRows: operation({
    method: 'PUT',
    path: '/v1/tables/{table}/rows',
    access: 'bot',
    summary: 'Update rows',
    description: 'Sets the given columns; null clears a column.',
    params: byTable,
    headers,
    body: closed({ rows: toRowsSchema(toRowSchema({ id: RowId })), waitComputed }),
    response: closed({ rows: T.Array(Row), ...problems }),
    errors: ['ResourceNotFound', 'AlreadyExists'],
  }),
  upsertTableRows: operation({
    method: 'POST',
    path: '/v1/tables/{table}/rows/upsert',
    access: 'bot',
    summary: 'Create or update rows by key',
    params: byTable,
    headers,
    body: closed({
      rows: toRowsSchema(toRowSchema({ id: T.Optional(RowId) })),
      keyColumn: T.Optional(T.String({ minLength: 1, maxLength: 30 })),
      waitComputed,
    }),
    response: closed({ inserted: T.Array(Row), updated: T.Array(Row), ...problems }),
    errors: ['ResourceNotFound', 'AlreadyExists'],
  }),
  deleteTableRows: operation({
    method: 'POST',
    path: '/v1/tables/{table}/rows/delete',
    access: 'bot',
    summary: 'Delete rows by id or filter',
    description: '`deleteAllRows` deletes all rows.',
    params: byTable,
    headers,
    body: closed({
      ids: T.Optional(T.Array(RowId, { maxItems: 1000 })),
      filter: T.Optional(Json),
      deleteAllRows: T.Optional(T.Boolean()),
    }),
    response: closed({
      deletedRows: T.Number(),
      job: T.Optional(closed({ id: T.String(), status: T.String() })),
    }),
    errors: ['ResourceNotFound', 'InvalidQuery', 'OperationTimeout'],
  }),
}
