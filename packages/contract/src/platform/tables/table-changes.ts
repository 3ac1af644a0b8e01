import { Type as T } from 'typebox'
import { closed, Json } from '../../fields.ts'
import { PlatformTableJob } from '../../models/tables/table-job.ts'
import { operation } from '../../operation.ts'

const byTable = T.Object({ table: T.String() })
const type = T.Enum(['string', 'number', 'boolean', 'date', 'object', 'array'])

const examples = T.Array(
  closed({
    row: T.Integer(),
    before: T.Unknown(),
    after: T.Unknown(),
    /** Why the value cannot be converted. */
    problem: T.Optional(T.String()),
  }),
)

export const tableChanges = {
  changeTableRows: operation({
    method: 'POST',
    path: '/v1/platform/tables/{table}/row-changes',
    access: 'bot',
    permission: 'tables.write',
    summary: 'Change or delete all matching rows',
    description:
      'Starts a job that sets the columns of `values` in all rows of the filter; null clears a ' +
      'column. With `delete: true` it deletes the rows. An empty filter means all rows.',
    params: byTable,
    body: closed({
      filter: Json,
      values: T.Optional(Json),
      delete: T.Optional(T.Literal(true)),
    }),
    status: 201,
    response: closed({ job: PlatformTableJob }),
    errors: ['ResourceNotFound', 'InvalidQuery', 'InvalidPayload', 'OperationTimeout'],
  }),
  previewColumnConversion: operation({
    method: 'POST',
    path: '/v1/platform/tables/{table}/column-conversions/preview',
    access: 'bot',
    permission: 'tables.write',
    audit: false,
    summary: 'Preview the conversion of a column',
    description:
      'Converts the values without storing them, and counts them by outcome. It reads as many rows ' +
      'as fit into some seconds.',
    params: byTable,
    body: closed({ column: T.String({ maxLength: 100 }), type }),
    response: closed({
      /** Rows that were read. */
      read: T.Integer(),
      isComplete: T.Boolean(),
      converted: T.Integer(),
      /** Empty texts, which become empty cells. */
      emptied: T.Integer(),
      failed: T.Integer(),
      examples: closed({ converted: examples, emptied: examples, failed: examples }),
    }),
    errors: ['ResourceNotFound', 'InvalidPayload'],
  }),
  convertTableColumn: operation({
    method: 'POST',
    path: '/v1/platform/tables/{table}/column-conversions',
    access: 'bot',
    permission: 'tables.write',
    summary: 'Change the type of a column',
    description:
      'Starts a job. At its end, all values have the new type at once. Values that cannot be ' +
      'converted become empty and are listed with the job.',
    params: byTable,
    body: closed({ column: T.String({ maxLength: 100 }), type }),
    status: 201,
    response: closed({ job: PlatformTableJob }),
    errors: ['ResourceNotFound', 'InvalidPayload', 'ResourceLockedConflict'],
  }),
}
