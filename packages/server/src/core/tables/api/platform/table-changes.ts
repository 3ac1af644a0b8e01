import { ApiError, type Handlers, type platform } from '@botstead/contract'
import { type Contexts, operated } from '../../../http/index.ts'
import { checkValues, countMatching } from '../../jobs/bulk-changes.ts'
import { convertibleColumn } from '../../jobs/conversion-jobs.ts'
import { previewConversion } from '../../jobs/conversions.ts'
import { createJob } from '../../jobs/jobs.ts'
import { parseFilter } from '../../rows/filter.ts'
import { queryTimeouts } from '../../rows/query-timeouts.ts'
import type { TableServices } from '../../services.ts'
import { convertTableColumn } from '../../table-changes.ts'
import { findTable, wholeBot } from '../../tables.ts'
import { toPlatformJob } from './table-views.ts'

export const tableChanges: Handlers<
  typeof platform.tableChanges,
  Contexts<TableServices>
> = {
  async changeTableRows({ services, caller }, { params, body }) {
    const { db } = services
    const table = await findTable(db, wholeBot(operated(caller)), params.table)
    const { filter, values } = body
    if ((values === undefined) === (body.delete === undefined))
      throw new ApiError('InvalidPayload', 'Specify either `values` or `delete: true`')
    if (values) checkValues(table, values)
    const condition = parseFilter(filter, table.columns)
    const total = await countMatching(db, table, condition, queryTimeouts.find)
    const job = values
      ? await createJob(db, table, {
          type: 'update_rows',
          task: { filter, values, total },
        })
      : await createJob(db, table, { type: 'delete_rows', task: { filter, total } })
    services.tableJobs.soon()
    return { job: toPlatformJob(job) }
  },

  async previewColumnConversion({ services, caller }, { params, body }) {
    const { finds } = services.database
    const table = await findTable(finds, wholeBot(operated(caller)), params.table)
    return previewConversion(
      finds,
      table,
      convertibleColumn(table, body.column),
      body.type,
    )
  },

  async convertTableColumn({ services, caller }, { params, body }) {
    const viewer = wholeBot(operated(caller))
    const job = await convertTableColumn(services.db, viewer, params.table, body)
    services.tableJobs.soon()
    return { job: toPlatformJob(job) }
  },
}
