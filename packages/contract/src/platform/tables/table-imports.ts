import { Type as T } from 'typebox'
import { closed, dictionary, Json } from '../../fields.ts'
import { TableJob } from '../../models/tables/table-job.ts'
import { operation } from '../../operation.ts'

const byTable = T.Object({ table: T.String() })

export const tableImports = {
  previewTableImport: operation({
    method: 'POST',
    path: '/v1/platform/table-imports/preview',
    access: 'bot',
    permission: 'tables.write',
    audit: false,
    summary: 'Preview a file of rows',
    description:
      'Reads the beginning of a CSV, JSON, XLSX or ODS file: columns with their usual types, and rows.',
    body: closed({ fileId: T.String() }),
    response: closed({
      /** `xlsx` also for ODS. */
      format: T.Enum(['csv', 'json', 'xlsx']),
      columns: T.Array(
        closed({
          name: T.String(),
          type: T.Enum(['string', 'number', 'boolean', 'date', 'object', 'array']),
        }),
      ),
      /** The first rows, by column. */
      rows: T.Array(Json),
      /** Whether the file has more rows. */
      hasMore: T.Boolean(),
      /** The number of rows in the file, or in its beginning: 16 MiB of text, 1 MiB of a workbook. */
      count: T.Integer(),
      isCountComplete: T.Boolean(),
    }),
    errors: ['ResourceNotFound', 'InvalidDataFormat', 'LimitExceeded', 'Forbidden'],
  }),
  importTableColumns: operation({
    method: 'POST',
    path: '/v1/platform/tables/{table}/imports',
    access: 'bot',
    permission: 'tables.write',
    summary: 'Import chosen columns of a file',
    description:
      'Starts a job. `columns` has the columns of the table by those of the file, as its preview names them.',
    params: byTable,
    body: closed({
      fileId: T.String(),
      columns: dictionary(T.String({ maxLength: 100 })),
    }),
    status: 201,
    response: closed({ job: TableJob }),
    errors: ['ResourceNotFound', 'InvalidPayload', 'Forbidden'],
  }),
  listRejectedRows: operation({
    method: 'GET',
    path: '/v1/platform/tables/{table}/rejected-rows',
    access: 'bot',
    permission: 'tables.read',
    summary: 'List the rows an import left out',
    description: 'Returns the first 1,000 of a job, by default of the latest import.',
    params: byTable,
    query: T.Object({ job: T.Optional(T.String()) }),
    response: closed({
      rows: T.Array(
        closed({
          place: T.String(),
          problem: T.String(),
          values: Json,
          /** Cells of the row beyond those with a column. */
          extra: T.Optional(T.Array(T.String())),
        }),
      ),
      /** Of all rows that were left out. */
      total: T.Integer(),
    }),
    errors: ['ResourceNotFound'],
  }),
}
