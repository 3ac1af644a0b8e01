import type { Database, Db } from '../db/index.ts'
import { createLaneRemoval } from './idle-lanes.ts'
import { removeOldAttempts } from './outcomes/attempts.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const queueModule = {
  name: 'queue',
  tables,
  bindings,
  tasks: ({ db, database, config }: TaskDeps) => [
    { everyMs: 600_000, run: () => removeOldAttempts(db, config.logDays) },
    { everyMs: 3_600_000, run: createLaneRemoval(database) },
  ],
}
interface TaskDeps {
  db: Db
  database: Database
  config: { logDays: number }
}

export { type DeliveryOutcome, type Enqueued, mayHaveBegun } from './deliveries.ts'
export { createDepthReader } from './depth.ts'
export { fencing } from './fencing.ts'
export { openQueue, type QueueReports } from './open-queue.ts'
export { listAttempts, listSubjectAttempts } from './outcomes/attempts.ts'
export { deliveryStatements } from './outcomes/outcome-statements.ts'
export { createOutcomeRecorder } from './outcomes/outcomes.ts'
export { listPending } from './pending.ts'
export { purgeQueue } from './purge.ts'
export { Queue } from './queue.ts'
export { isAwake } from './resting.ts'
export type { QueueServices } from './services.ts'
export { queueStatements } from './store.ts'
export { withholdPending } from './withholding.ts'
export { freeLanes } from './worker-rows.ts'
export { type Worker, workers } from './workers.ts'
