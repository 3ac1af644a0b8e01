// What happens by the clock: free lanes are taken up, integrations are registered when due, expired files are removed.

import { removeExpiredFiles } from '../files/uploads.ts'
import { claimDueRegistrations } from '../integrations/installation-settings.ts'
import type { Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { registerIntegration } from './registrations.ts'

export interface Tasks {
  stop(): Promise<void>
}

export function startTasks(services: Services, queue: Queue): Tasks {
  const { log, db, blobs } = services
  const tasks = [
    every(1_000, () => queue.sweep()),
    every(30_000, () => queue.audit()),
    every(1_000, () => registerDue(services)),
    every(60_000, () => removeExpiredFiles(db, blobs, new Date())),
  ]

  /** One at a time: the next begins when the last has ended. */
  function every(ms: number, task: () => Promise<unknown>) {
    let stopped = false
    let running: Promise<unknown> = Promise.resolve()
    const loop = () => {
      if (stopped) return
      running = task()
        .catch((error) => log.warn({ err: error }, 'a task of the clock failed'))
        .then(() => {
          if (!stopped) timer = setTimeout(loop, ms).unref()
        })
    }
    let timer = setTimeout(loop, Math.min(ms, 200)).unref()
    return async () => {
      stopped = true
      clearTimeout(timer)
      await running
    }
  }

  return { stop: async () => void (await Promise.all(tasks.map((stop) => stop()))) }
}

/** `configureIntegration` asked for it. Claiming a row moves its time on, so each is done by one process. */
async function registerDue(services: Services) {
  const due = await claimDueRegistrations(services.db, new Date(), 20)
  await Promise.all(due.map(({ botId, alias }) => registerIntegration(services, botId, alias)))
}
