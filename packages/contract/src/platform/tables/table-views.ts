import { Type as T } from 'typebox'
import { Count, closed, Json } from '../../fields.ts'
import { Row } from '../../models/tables/row.ts'
import {
  ListedPlatformTableJob,
  PlatformTableJob,
} from '../../models/tables/table-job.ts'
import { operation } from '../../operation.ts'

const byTable = T.Object({ table: T.String() })

/** Later columns decide between rows with equal values in the earlier ones. */
const sort = T.Array(
  closed({ by: T.String({ maxLength: 1000 }), direction: T.Enum(['asc', 'desc']) }),
  { maxItems: 10 },
)

export const tableViews = {
  listTableCounts: operation({
    method: 'GET',
    path: '/v1/platform/table-counts',
    access: 'bot',
    permission: 'tables.read',
    summary: 'List rows and imports of tables',
    response: closed({
      tables: T.Array(
        closed({
          id: T.String(),
          rows: Count,
          /** The progress of an import that runs or waits, in percent. */
          importProgress: T.Optional(T.Number()),
        }),
      ),
    }),
  }),
  findTableRowPage: operation({
    method: 'POST',
    path: '/v1/platform/tables/{table}/rows/find',
    access: 'bot',
    permission: 'tables.read',
    audit: false,
    summary: 'Find rows sorted by several columns',
    description:
      'Pages far behind the first are found as quickly as near ones. They may have the positions ' +
      'of some seconds ago.',
    params: byTable,
    body: closed({
      filter: T.Optional(Json),
      sort: T.Optional(sort),
      limit: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
      offset: T.Optional(T.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    }),
    response: closed({ rows: T.Array(Row), hasMore: T.Boolean() }),
    errors: ['ResourceNotFound', 'InvalidQuery', 'OperationTimeout'],
  }),
  exportTableRows: operation({
    method: 'POST',
    path: '/v1/platform/tables/{table}/exports',
    access: 'bot',
    permission: 'tables.write',
    summary: 'Export the rows of a filter',
    description:
      'Starts a job that writes the matching rows into a file, sorted. With `escapeFormulas`, CSV has an ' +
      'apostrophe before texts that a spreadsheet would run as a formula; an import keeps the apostrophe.',
    params: byTable,
    body: closed({
      format: T.Enum(['csv', 'json']),
      escapeFormulas: T.Optional(T.Boolean()),
      filter: T.Optional(Json),
      sort: T.Optional(sort),
    }),
    status: 201,
    response: closed({ job: PlatformTableJob }),
    errors: ['ResourceNotFound', 'InvalidQuery', 'Forbidden'],
  }),
  listTableJobs: operation({
    method: 'GET',
    path: '/v1/platform/tables/{table}/jobs',
    access: 'bot',
    permission: 'tables.read',
    summary: 'List all jobs of a table',
    description: 'Newest first, with changes of rows and columns.',
    params: byTable,
    response: closed({ jobs: T.Array(ListedPlatformTableJob) }),
    errors: ['ResourceNotFound'],
  }),
}
