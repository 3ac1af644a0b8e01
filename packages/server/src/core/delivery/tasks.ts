// Periodic tasks: claiming free lanes, scheduled work, and those of all modules.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import { runDueJobs } from '../messaging/index.ts'
import type { Queue } from '../queue/index.ts'

/** A periodic task of a module. */
export interface Task {
  everyMs: number
  run: () => Promise<unknown>
}

interface Tasks {
  /** Notes that scheduled work is due in this many milliseconds. */
  dueIn(ms: number): void
  stop(): Promise<void>
}

type TaskDeps = Parameters<typeof runDueJobs>[0] & { log: Logger }

/** `more` are the tasks of all modules. */
export function startTasks(deps: TaskDeps, queue: Queue, more: Task[]): Tasks {
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'a periodic task failed')
  const every = (paceMs: number, task: () => Promise<unknown>) =>
    new PeriodicTask({ task, paceMs, failed })
  const due = every(1_000, () => runDueJobs(deps))
  const tasks = [
    due,
    every(1_000, () => queue.sweep()),
    every(30_000, () => queue.audit()),
    ...more.map(({ everyMs, run }) => every(everyMs, run)),
  ]
  return {
    dueIn: (ms) => due.within(ms),
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}
