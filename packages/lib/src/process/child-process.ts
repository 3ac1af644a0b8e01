// Common parts of child processes that the server starts for work that may fail.
import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Node's permission model; the flag lost its prefix in version 23.5. */
export const permissionFlag = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

/** Gives request handling precedence over the process. */
export function lowerPriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid) setPriority(pid, priority)
  } catch {
    // The process has just ended.
  }
}
