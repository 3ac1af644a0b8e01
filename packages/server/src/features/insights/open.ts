// Opens the records of what bots do, which are written in the background.
import type { Logger } from 'pino'
import type { GetRedactors } from '../../core/compute/index.ts'
import type { Database } from '../../core/db/index.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import { openActionRuns } from './action-runs.ts'
import { openAnalytics } from './analytics.ts'
import { openEventTraces } from './event-traces.ts'
import type { InsightServices } from './services.ts'

interface Deps {
  database: Database
  log: Logger
  getRedactors: GetRedactors
  changeFeed: Pick<ChangeFeed, 'publish'>
}

export function openInsights({ database, log, getRedactors, changeFeed }: Deps): {
  services: InsightServices
  close(): Promise<void>
} {
  const actionRuns = openActionRuns(database, log, getRedactors)
  const eventTraces = openEventTraces({
    database,
    log,
    getRedactors,
    written: (botId) => changeFeed.publish({ topic: 'events', botId }),
  })
  return {
    services: { actionRuns, eventTraces, analytics: openAnalytics(database) },
    close: async () =>
      void (await Promise.all([actionRuns.close(), eventTraces.close()])),
  }
}
