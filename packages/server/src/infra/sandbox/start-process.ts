// Starts a process of the sandbox: in a separate process group, and without the server's environment.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

export interface ProcessStart {
  command: string[]
  /** The user and group; null for those of the server. */
  user: number | null
  /** Whether the command itself leaves the priority as it is. */
  lowersPriority: boolean
}

/** Without a `pid`, the process could not be started: the event `error` says why. */
export function startProcess(
  { command: [program, ...parameters], user, lowersPriority }: ProcessStart,
  stdio: StdioOptions,
): ChildProcess {
  const child = spawn(program!, parameters, {
    stdio,
    detached: true,
    env: {},
    cwd: '/',
    windowsHide: true,
    ...(user && { uid: user, gid: user }),
  })
  child.on('error', () => {})
  if (child.pid && lowersPriority) lowerPriority(child.pid)
  return child
}

/** Ends the process with all that it has started. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already ended, or was never created.
  }
}

/**
 * Gives the process the lowest CPU priority and makes it the OOM killer's first choice. Runs before
 * its first thread starts, because threads inherit both.
 */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 19)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // The process has just ended, or the system denies it; nothing depends on it.
  }
}
