// Opens the queue of one process with its store and the count of pending deliveries.

import type { Database } from '../db/index.ts'
import { Backlog } from './backlog.ts'
import type { Attempted, QueueStore, Settled } from './deliveries.ts'
import { isDeadLetter } from './outcomes/outcome-statements.ts'
import type { createOutcomeRecorder } from './outcomes/outcomes.ts'
import { Queue } from './queue.ts'
import type { QueueOptions } from './queue-options.ts'
import { countWaiting, createLaneStore } from './store.ts'
import type { Worker } from './workers.ts'

/** What the queue reports about its work. */
export interface QueueReports {
  /** This process has enqueued a delivery of the bot. */
  entered(botId: string): void
  /** An attempt has ended; its outcome is not recorded yet. */
  attempted(attempted: Attempted): void
  /** A failed attempt of a delivery of the bot has been recorded. The queue repeats it. */
  failed(botId: string): void
  /** The final outcome of a delivery has been recorded; `isDead`: it is a dead letter now. */
  ended(settled: Settled, isDead: boolean): void
}

interface Deps extends Pick<QueueOptions, 'handler' | 'handOver' | 'retryMs' | 'log'> {
  database: Database
  worker: Worker
  recordOutcomes: ReturnType<typeof createOutcomeRecorder>
  /** Count of pending deliveries of a bot from which its backlog is too large. */
  maxPending: number
  reports: QueueReports
}

export function openQueue({
  database,
  worker,
  recordOutcomes,
  maxPending,
  reports,
  ...rest
}: Deps) {
  const backlog = new Backlog({
    read: (...what) => countWaiting(database, ...what),
    enough: maxPending,
    log: rest.log,
  })
  const queue = new Queue({
    ...rest,
    workerId: () => worker.id,
    attempted: reports.attempted,
    backlog: {
      entered(botId, bytes) {
        backlog.entered(botId, bytes)
        reports.entered(botId)
      },
      ended: (botId) => backlog.ended(botId),
    },
    store: createStore({ database, worker, recordOutcomes, reports }),
  })
  return { queue, backlog }
}

function createStore({
  database,
  worker,
  recordOutcomes,
  reports,
}: Pick<Deps, 'database' | 'worker' | 'recordOutcomes' | 'reports'>): QueueStore {
  const lanes = createLaneStore(database)
  return {
    ...lanes,
    async release(...what) {
      await lanes.release(...what)
      await worker.announceFreed()
    },
    async recordAttempt(failed) {
      const owner = await lanes.recordAttempt(failed)
      reports.failed(failed.delivery.botId)
      return owner
    },
    async settle(workerId, batch) {
      const remainders = await recordOutcomes(database, workerId, batch)
      for (const settled of batch) reports.ended(settled, isDeadLetter(settled))
      return remainders
    },
  }
}
