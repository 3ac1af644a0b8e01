// Erases data of people, and data older than the rules of its bot, in the background.
import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Config } from '../../core/config/index.ts'
import type { Database } from '../../core/db/index.ts'
import type { ChangeFeed, Signals } from '../../core/realtime/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { Tables } from '../../core/table-rules/index.ts'
import { announceHandoffs } from '../handoffs/index.ts'
import { runErasures } from './erasures.ts'
import type { RecordedCalls } from './person-recordings.ts'
import { toRetentionLimits } from './retention.ts'
import { removeOldRecordings } from './retention-recordings.ts'
import { addSweeps, runSweeps } from './retention-sweeps.ts'

interface Deps {
  config: Config
  log: Logger
  database: Database
  secrets: Secrets
  tableRules: Tables
  signals: Pick<Signals, 'cutEverywhere'>
  changeFeed: Pick<ChangeFeed, 'publish'>
  /** Of calls of models. */
  recordings: RecordedCalls
}

export function startPrivacy(deps: Deps): { stop(): Promise<void> } {
  const { config, log, database, tableRules, signals, recordings } = deps
  const { db } = database
  const limits = toRetentionLimits(config)
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'the deletion of old data failed')
  const onUserDeleted = (botId: string, userId: string) =>
    signals.cutEverywhere(botId, userId)
  const every = (paceMs: number, task: () => Promise<unknown>) =>
    new PeriodicTask({ task, paceMs, failed })
  const tasks = [
    startErasures(deps, onUserDeleted),
    every(10_000, () => runSweeps({ database, limits, tableRules, onUserDeleted })),
    every(600_000, () => addSweeps(db, limits)),
    every(600_000, () => removeOldRecordings(db, recordings)),
  ]
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
}

const startErasures = (
  deps: Deps,
  onUserErased: (botId: string, userId: string) => void,
): PeriodicTask =>
  new PeriodicTask({
    task: () =>
      runErasures({
        ...deps,
        onUserErased,
        onProgress: (botId, id) => {
          deps.changeFeed.publish({ topic: 'users', botId, id })
          announceHandoffs(deps, botId)
        },
      }),
    paceMs: 1_000,
    failed: (error) =>
      deps.log.warn({ err: error }, 'an erasure failed; the server tries again'),
  })
