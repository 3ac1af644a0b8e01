// Periodic tasks: claiming free lanes, scheduled work, registrations, and removal of expired and old data.

import { removeOldBotLogs } from '../bots/bot-logs.ts'
import { failUploads, removeExpiredFiles } from '../files/uploads.ts'
import { removeOldKeys } from '../idempotency/keys.ts'
import { keepDays } from '../insights/bot-analytics.ts'
import { removeOldIssues } from '../insights/issue-listing.ts'
import { removeOldInsights } from '../insights/retention.ts'
import { claimDueRegistrations } from '../integrations/installation-settings.ts'
import { removeOldIntegrationLogs } from '../integrations/integration-logs.ts'
import { endForgottenRegistrations } from '../integrations/registration-rows.ts'
import { Repeated } from '../lib/repeated.ts'
import { removeOldChanges } from '../messaging/told-changes.ts'
import type { Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { expireStates } from '../state/expiry.ts'
import { removeOldJobs } from '../tables/jobs.ts'
import { removeOldCounts } from '../usage/counts.ts'
import { continueHandled, timeOutWorkflows } from '../workflows/clock.ts'
import { doDue } from './due.ts'
import { registerIntegration } from './registrations.ts'

export interface Tasks {
  /** Notes that scheduled work is due in this many milliseconds. */
  dueIn(ms: number): void
  stop(): Promise<void>
}

export function startTasks(services: Services, queue: Queue): Tasks {
  const { log, db, blobs, config } = services
  const failed = (error: unknown) => log.warn({ err: error }, 'a periodic task failed')
  const every = (paceMs: number, task: () => Promise<unknown>) => new Repeated({ task, paceMs, failed })

  const due = every(1_000, () => doDue(services))
  const tasks = [
    due,
    every(1_000, () => queue.sweep()),
    every(30_000, () => queue.audit()),
    every(1_000, () => registerDue(services)),
    every(1_000, () => expireStates(services)),
    every(1_000, () => timeOutWorkflows(services)),
    every(1_000, () => continueHandled(services)),
    every(60_000, () => failUploads(db)),
    every(60_000, () => removeExpiredFiles(db, blobs, new Date())),
    every(60_000, () => removeOldKeys(db)),
    every(60_000, () => endForgottenRegistrations(db)),
    every(600_000, () => removeOldInsights(db, config.insightDays)),
    every(600_000, () => removeOldChanges(db)),
    every(600_000, () => removeOldBotLogs(db, config.logDays)),
    every(600_000, () => removeOldIntegrationLogs(db, config.logDays)),
    every(600_000, () => removeOldIssues(db, config.insightDays)),
    every(3_600_000, () => removeOldCounts(db)),
    every(3_600_000, () => removeOldJobs(db)),
    every(600_000, () => keepDays(db)),
  ]
  return {
    dueIn: (ms) => due.within(ms),
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}

/**
 * Registers integrations that requested it by `configureIntegration`. Claiming a row sets its next time, so
 * only one process registers each.
 */
async function registerDue(services: Services) {
  const due = await claimDueRegistrations(services.db, new Date(), 20)
  await Promise.all(due.map((one) => registerIntegration(services, one)))
}
