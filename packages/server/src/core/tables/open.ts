// Opens the parts of tables: caches for reads, computed columns, and the jobs.
import type { ChangeFeed } from '../realtime/index.ts'
import { startComputing } from './computing.ts'
import { openWorkbooks } from './files/workbooks.ts'
import type { JobDeps } from './jobs/job-deps.ts'
import { startTableJobs, type TableJobChange } from './jobs/job-runner.ts'
import { createRowViews } from './rows/row-views.ts'
import type { TableServices } from './services.ts'
import { createTableCache } from './table-cache.ts'

interface Deps
  extends Omit<JobDeps, 'checkStopped'>,
    Pick<Parameters<typeof startComputing>[0], 'log' | 'workerId' | 'run' | 'getModel'> {
  changeFeed: Pick<ChangeFeed, 'publish'>
}

export function openTables(deps: Deps): {
  services: TableServices
  stop(): Promise<void>
} {
  const { database, changeFeed } = deps
  const workbooks = openWorkbooks()
  const computing = startComputing({
    ...deps,
    onChange: (table) => changeFeed.publish({ topic: 'tableRows', ...table }),
  })
  const tableJobs = startTableJobs({
    ...deps,
    workbooks,
    onChange: (job) => noteJob(changeFeed, job),
  })
  return {
    services: {
      tableCache: createTableCache(database.finds),
      rowViews: createRowViews(database),
      workbooks,
      tableJobs,
      computing,
    },
    stop: async () =>
      void (await Promise.all([tableJobs.stop(), workbooks.close(), computing.stop()])),
  }
}

/** A job changes rows while it works. Its table may have other columns at the end. */
function noteJob(
  changeFeed: Pick<ChangeFeed, 'publish'>,
  { botId, id, tableId, type, hasEnded }: TableJobChange,
) {
  changeFeed.publish({ topic: 'tableJobs', botId, id })
  if (type === 'export') return
  changeFeed.publish({ topic: 'tableRows', botId, id: tableId })
  if (hasEnded) changeFeed.publish({ topic: 'tables', botId, id: tableId })
}
