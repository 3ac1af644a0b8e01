import { Type as T } from 'typebox'
import { Count, closed, Done, Json, nullable } from '../fields.ts'
import { Factor, Table, TableTags } from '../models/table.ts'
import { BegunJob, ListedTableJob, TableJob } from '../models/table-job.ts'
import { operation } from '../operation.ts'

/** By name or id. */
export const byTable = T.Object({ table: T.String() })

/** On whose behalf: an integration of the bot, or one of its users. */
export const headers = T.Object({
  'x-integration-id': T.Optional(T.String()),
  'x-integration-alias': T.Optional(T.String()),
  'x-integration-name': T.Optional(T.String()),
  'x-user-id': T.Optional(T.String()),
  'x-user-role': T.Optional(T.String()),
})

/** A JSON Schema of a row, or its properties alone. */
const schema = Json

const settings = {
  frozen: T.Optional(T.Boolean()),
  keyColumn: T.Optional(nullable(T.String())),
  tags: T.Optional(TableTags),
  isComputeEnabled: T.Optional(T.Boolean()),
  factor: T.Optional(Factor),
}

/** How many rows there are, how many of them have values to be computed anew, and how many wait to be found by search. */
const counts = { rows: Count, stale: Count, indexing: Count }

export const tables = {
  listTables: operation({
    method: 'GET',
    path: '/v1/tables',
    access: 'bot',
    summary: 'List the tables of the bot by name, with such tags or all',
    headers,
    query: T.Object({ tags: T.Optional(TableTags) }),
    response: closed({ tables: T.Array(Table) }),
  }),
  createTable: operation({
    method: 'POST',
    path: '/v1/tables',
    access: 'bot',
    summary: 'Make a table',
    headers,
    body: closed({ name: T.String({ minLength: 1 }), schema, ...settings }),
    response: closed({ table: Table }),
    errors: ['InvalidIdentifier', 'InvalidJsonSchema', 'AlreadyExists', 'LimitExceeded'],
  }),
  getTable: operation({
    method: 'GET',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary: 'Look up a table by its id or its name',
    params: byTable,
    headers,
    response: closed({ table: Table, ...counts }),
    errors: ['ResourceNotFound'],
  }),
  getOrCreateTable: operation({
    method: 'POST',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary: 'Look up a table, or make one of this name',
    params: byTable,
    headers,
    body: closed({ schema, ...settings }),
    response: closed({ table: Table, created: T.Boolean(), ...counts }),
    errors: ['InvalidIdentifier', 'InvalidJsonSchema', 'LimitExceeded'],
  }),
  updateTable: operation({
    method: 'PUT',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary:
      'Change a table: columns that are named are added or changed, those set to null go, all others stay',
    params: byTable,
    headers,
    body: closed({ name: T.Optional(T.String({ minLength: 1 })), schema: T.Optional(schema), ...settings }),
    response: closed({ table: Table, staleColumns: T.Optional(T.Array(T.String())) }),
    errors: [
      'ResourceNotFound',
      'InvalidIdentifier',
      'InvalidJsonSchema',
      'AlreadyExists',
      'LimitExceeded',
      'RelationConflict',
      'ResourceLockedConflict',
    ],
  }),
  renameTableColumn: operation({
    method: 'PUT',
    path: '/v1/tables/{table}/column',
    access: 'bot',
    summary: 'Give a column another name',
    params: byTable,
    headers,
    body: closed({ name: T.String(), newName: T.String({ minLength: 1, maxLength: 30 }) }),
    response: closed({ table: Table }),
    errors: ['ResourceNotFound', 'InvalidIdentifier', 'AlreadyExists', 'ResourceLockedConflict'],
  }),
  deleteTable: operation({
    method: 'DELETE',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary: 'Delete a table with all its rows',
    params: byTable,
    headers,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  duplicateTable: operation({
    method: 'POST',
    path: '/v1/tables/{sourceTableId}/duplicate',
    access: 'bot',
    summary: 'Make another table with the same columns, and the same rows, which a job copies',
    params: T.Object({ sourceTableId: T.String() }),
    headers,
    body: closed({
      tableName: T.Optional(T.String()),
      schemaOnly: T.Optional(T.Boolean()),
      factor: T.Optional(Factor),
    }),
    response: closed({ table: Table, rows: Count, job: T.Optional(BegunJob) }),
    errors: ['ResourceNotFound', 'InvalidIdentifier', 'AlreadyExists'],
  }),
  exportTable: operation({
    method: 'GET',
    path: '/v1/tables/{table}/export',
    access: 'bot',
    // It creates a file.
    permission: 'tables.write',
    summary: 'Begin to write the rows of a table into a file, compressed unless said otherwise',
    params: byTable,
    headers,
    query: T.Object({ format: T.Optional(T.Enum(['csv', 'json'])), compress: T.Optional(T.Boolean()) }),
    response: closed({ job: TableJob }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  importTable: operation({
    method: 'POST',
    path: '/v1/tables/{table}/import',
    access: 'bot',
    summary:
      'Begin to add the rows of a file, CSV or JSON, compressed or not; columns that the table lacks are added',
    params: byTable,
    headers,
    body: closed({ fileId: T.String() }),
    response: closed({ job: TableJob }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  getTableJobs: operation({
    method: 'GET',
    path: '/v1/tables/{table}/jobs',
    access: 'bot',
    summary: 'List the latest jobs of a table, newest first',
    params: byTable,
    headers,
    response: closed({ jobs: T.Array(ListedTableJob) }),
    errors: ['ResourceNotFound'],
  }),
}
