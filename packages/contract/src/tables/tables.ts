import { Type as T } from 'typebox'
import { Count, closed, Json, nullable } from '../fields.ts'
import { Factor, Table, TableTags } from '../models/table.ts'
import { operation } from '../operation.ts'

/** By name or id. */
const byTable = T.Object({ table: T.String() })

/** On whose behalf: an integration of the bot, or one of its users. */
const headers = T.Object({
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
}
