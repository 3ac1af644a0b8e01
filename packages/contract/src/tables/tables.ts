import { Type as T } from 'typebox'
import { Count, closed, Done, Json, nullable } from '../fields.ts'
import { Factor, Table, TableTags } from '../models/tables/table.ts'
import { BegunJob, ListedTableJob, TableJob } from '../models/tables/table-job.ts'
import { operation } from '../operation.ts'

/** The table's name or id. */
export const byTable = T.Object({ table: T.String() })

/** Identifies the integration or user on behalf of which the bot calls. */
export const headers = T.Object({
  'x-integration-id': T.Optional(T.String()),
  'x-integration-alias': T.Optional(T.String()),
  'x-integration-name': T.Optional(T.String()),
  'x-user-id': T.Optional(T.String()),
  'x-user-role': T.Optional(T.String()),
})

/** A JSON Schema of a row, or only its `properties`. */
const schema = Json

const settings = {
  frozen: T.Optional(T.Boolean()),
  keyColumn: T.Optional(nullable(T.String())),
  tags: T.Optional(TableTags),
  isComputeEnabled: T.Optional(T.Boolean()),
  factor: T.Optional(Factor),
}

/**
 * Counts all rows, rows with outdated computed values, and rows that are not indexed for search
 * yet.
 */
const counts = { rows: Count, stale: Count, indexing: Count }

export const tables = {
  listTables: operation({
    method: 'GET',
    path: '/v1/tables',
    access: 'bot',
    summary: 'List tables by name',
    headers,
    query: T.Object({ tags: T.Optional(TableTags) }),
    response: closed({ tables: T.Array(Table) }),
  }),
  createTable: operation({
    method: 'POST',
    path: '/v1/tables',
    access: 'bot',
    summary: 'Create a table',
    headers,
    body: closed({ name: T.String({ minLength: 1 }), schema, ...settings }),
    response: closed({ table: Table }),
    errors: ['InvalidIdentifier', 'InvalidJsonSchema', 'AlreadyExists', 'LimitExceeded'],
  }),
  getTable: operation({
    method: 'GET',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary: 'Get a table by id or name',
    params: byTable,
    headers,
    response: closed({ table: Table, ...counts }),
    errors: ['ResourceNotFound'],
  }),
  getOrCreateTable: operation({
    method: 'POST',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary: 'Get or create a table by name',
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
    summary: 'Update a table',
    description:
      'Adds or changes the given columns; null removes a column. All others stay unchanged.',
    params: byTable,
    headers,
    body: closed({
      name: T.Optional(T.String({ minLength: 1 })),
      schema: T.Optional(schema),
      ...settings,
    }),
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
    summary: 'Rename a column of a table',
    params: byTable,
    headers,
    body: closed({
      name: T.String(),
      newName: T.String({ minLength: 1, maxLength: 30 }),
    }),
    response: closed({ table: Table }),
    errors: [
      'ResourceNotFound',
      'InvalidIdentifier',
      'AlreadyExists',
      'ResourceLockedConflict',
    ],
  }),
  deleteTable: operation({
    method: 'DELETE',
    path: '/v1/tables/{table}',
    access: 'bot',
    summary: 'Delete a table and its rows',
    params: byTable,
    headers,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  duplicateTable: operation({
    method: 'POST',
    path: '/v1/tables/{sourceTableId}/duplicate',
    access: 'bot',
    summary: 'Duplicate a table',
    description: 'A job copies the rows, unless `schemaOnly` is true.',
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
    // An export creates a file.
    permission: 'tables.write',
    summary: 'Export the rows of a table',
    description: 'Starts a job that writes a file, compressed by default.',
    params: byTable,
    headers,
    query: T.Object({
      format: T.Optional(T.Enum(['csv', 'json'])),
      compress: T.Optional(T.Boolean()),
    }),
    response: closed({ job: TableJob }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  importTable: operation({
    method: 'POST',
    path: '/v1/tables/{table}/import',
    access: 'bot',
    summary: 'Import rows from a file',
    description:
      'Starts a job that reads CSV or JSON, compressed or not, and adds missing columns.',
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
    summary: 'List the jobs of a table, newest first',
    params: byTable,
    headers,
    response: closed({ jobs: T.Array(ListedTableJob) }),
    errors: ['ResourceNotFound'],
  }),
}
