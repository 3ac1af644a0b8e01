import type { Handlers, PlatformTableJob, platform } from '@botstead/contract'
import { fileAccess } from '../../../files/index.ts'
import { type Contexts, operated } from '../../../http/index.ts'
import {
  createJob,
  type JobRow,
  listImports,
  listJobs,
  type TableTasks,
} from '../../jobs/jobs.ts'
import { parseFilter } from '../../rows/filter.ts'
import { explainQueryErrors, queryTimeouts } from '../../rows/query-timeouts.ts'
import { orderBy } from '../../rows/row-finder.ts'
import { rowSerializer } from '../../rows/row-serializers.ts'
import type { TableServices } from '../../services.ts'
import { type FoundTable, findTable, rowCounts, wholeBot } from '../../tables.ts'
import { toTableJob } from '../tables/tables.ts'

interface ViewInput {
  filter?: Record<string, unknown>
  sort?: { by: string; direction: 'asc' | 'desc' }[]
}

export const tableViews: Handlers<typeof platform.tableViews, Contexts<TableServices>> = {
  async listTableCounts({ services: { db }, caller }) {
    const botId = operated(caller)
    const [counts, imports] = await Promise.all([
      rowCounts(db, botId),
      listImports(db, botId),
    ])
    const tables = counts.map(({ id, rows }) => {
      const importProgress = imports.get(id)
      return { id, rows, ...(importProgress !== undefined && { importProgress }) }
    })
    return { tables }
  },

  async findTableRowPage(
    { services: { tableCache, rowViews }, caller },
    { params, body },
  ) {
    const { limit = 100, offset = 0 } = body
    const rows = await tableCache.use(wholeBot(operated(caller)), params.table, (table) =>
      explainQueryErrors(queryTimeouts.find, async () => {
        const found = await rowViews.find(table, toView(table, body), { limit, offset })
        return found.map(rowSerializer(table))
      }),
    )
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
  },

  async exportTableRows({ services, caller, request }, { params, body }) {
    const table = await findTable(services.db, wholeBot(operated(caller)), params.table)
    const { owner } = fileAccess(caller, request.headers).requireWrite()
    const { format, escapeFormulas, filter, sort } = body
    toView(table, body)
    const job = await createJob(services.db, table, {
      type: 'export',
      task: {
        format,
        compress: false,
        shortDates: true,
        owner,
        ...(escapeFormulas && { escapesFormulas: true }),
        ...(filter && { filter }),
        ...(sort && { sort }),
      },
    })
    services.tableJobs.soon()
    return { job: toPlatformJob(job) }
  },

  async listTableJobs({ services: { db }, caller }, { params }) {
    const table = await findTable(db, wholeBot(operated(caller)), params.table)
    return { jobs: (await listJobs(db, table, true)).map(listedJob) }
  },
}

/** Throws InvalidQuery. */
const toView = (table: FoundTable, { filter = {}, sort = [] }: ViewInput) => {
  const orders = sort.map(({ by, direction }) => orderBy(by, direction, table.columns))
  return {
    condition: parseFilter(filter, table.columns),
    orders: orders.length > 0 ? orders : [orderBy('id', 'asc', table.columns)],
  }
}

export const toPlatformJob = (job: JobRow): PlatformTableJob => ({
  ...toTableJob(job),
  type: job.type as PlatformTableJob['type'],
})

function listedJob(job: JobRow) {
  const { left = 0, changed, fileName } = job.task as Partial<TableTasks['import']>
  return {
    ...toPlatformJob(job),
    ...(job.failure !== null && { failureReason: job.failure }),
    ...(job.warnings.length > 0 && { warnings: job.warnings }),
    ...(left > 0 && { leftOut: left }),
    ...(changed !== undefined && { changed }),
    ...(fileName !== undefined && { fileName }),
  }
}
