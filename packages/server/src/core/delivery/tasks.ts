// Periodic tasks: claiming free lanes, scheduled work, registrations, and removal of expired and
// old data.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Blobs } from '../blobs/index.ts'
import { removeOldBotLogs, removeOldIssues } from '../bots/index.ts'
import {
  claimDueRegistrations,
  endForgottenRegistrations,
  removeOldIntegrationLogs,
} from '../catalog/index.ts'
import type { Config } from '../config/index.ts'
import { failUploads, removeExpiredFiles } from '../files/index.ts'
import { removeOldKeys } from '../idempotency/index.ts'
import {
  clearMessageSearch,
  createEventRemoval,
  createMessageRemoval,
  fillMessageSearch,
  removeOldChanges,
} from '../messaging/index.ts'
import { createLaneRemoval, type Queue, removeOldAttempts } from '../queue/index.ts'
import { removeOldWindows } from '../rates/index.ts'
import { removeOldJobs } from '../tables/index.ts'
import { removeOldCounts } from '../usage/index.ts'
import { continueHandled, expireStates, timeOutWorkflows } from '../workflows/index.ts'
import { type RegistrationDeps, registerIntegration } from './calls/registrations.ts'
import { type DueDeps, runDueJobs } from './due.ts'

/** A periodic task of a feature. */
export interface Task {
  everyMs: number
  run: () => Promise<unknown>
}

export interface Tasks {
  /** Notes that scheduled work is due in this many milliseconds. */
  dueIn(ms: number): void
  stop(): Promise<void>
}

type TaskDeps = DueDeps &
  RegistrationDeps &
  Parameters<typeof expireStates>[0] &
  Parameters<typeof timeOutWorkflows>[0] &
  Parameters<typeof continueHandled>[0] & {
    log: Logger
    blobs: Blobs
    config: Config
    /** Called with a bot after searches find further messages of it. */
    onSearchable: (botId: string) => unknown
  }

export function startTasks(deps: TaskDeps, queue: Queue, more: Task[]): Tasks {
  const { log, database, db, blobs, config } = deps
  const failed = (error: unknown) => log.warn({ err: error }, 'a periodic task failed')
  const every = (paceMs: number, task: () => Promise<unknown>) =>
    new PeriodicTask({ task, paceMs, failed })

  const due = every(1_000, () => runDueJobs(deps))
  const tasks = [
    due,
    every(1_000, () => queue.sweep()),
    every(30_000, () => queue.audit()),
    every(1_000, () => registerDue(deps)),
    every(1_000, () => expireStates(deps)),
    every(1_000, () => timeOutWorkflows(deps)),
    every(1_000, () => continueHandled(deps)),
    every(2_000, () =>
      config.messageSearch ? fillMessageSearch(db, deps.onSearchable) : clearMessageSearch(db),
    ),
    every(60_000, () => failUploads(db)),
    every(60_000, () => removeExpiredFiles(db, blobs, new Date())),
    every(60_000, () => removeOldKeys(db)),
    every(60_000, () => removeOldWindows(db)),
    every(60_000, () => endForgottenRegistrations(db)),
    every(600_000, () => removeOldChanges(db)),
    every(600_000, () => removeOldBotLogs(db, config.logDays)),
    every(600_000, () => removeOldIntegrationLogs(db, config.logDays)),
    every(600_000, () => removeOldAttempts(db, config.logDays)),
    every(600_000, () => removeOldIssues(db, config.insightDays)),
    every(3_600_000, () => removeOldCounts(db)),
    every(3_600_000, () => removeOldJobs(db)),
    every(3_600_000, createLaneRemoval(database)),
    every(600_000, createEventRemoval(db, config.eventDays)),
    every(600_000, createMessageRemoval(db, config.messageDays)),
    ...more.map(({ everyMs, run }) => every(everyMs, run)),
  ]
  return {
    dueIn: (ms) => due.within(ms),
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}

/**
 * Registers integrations that requested it by `configureIntegration`. Claiming a row sets its next
 * time, so only one process registers each.
 */
async function registerDue(deps: RegistrationDeps) {
  const due = await claimDueRegistrations(deps.db, new Date(), 20)
  await Promise.all(due.map((one) => registerIntegration(deps, one)))
}
