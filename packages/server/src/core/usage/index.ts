import type { Logger } from 'pino'
import type { Database, Db } from '../db/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { openUsageCounter } from './counter.ts'
import { removeOldCounts } from './counts.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const usageModule = {
  name: 'usage',
  tables,
  bindings,
  handlers,
  open: ({ database, log }: { database: Database; log: Logger }) => ({
    services: { usage: openUsageCounter(database, log) },
  }),
  tasks: ({ db }: { db: Db }) => [{ everyMs: 3_600_000, run: () => removeOldCounts(db) }],
}
export type { UsageCounter } from './counter.ts'
export { quotas } from './quotas.ts'
export type { UsageServices } from './services.ts'
