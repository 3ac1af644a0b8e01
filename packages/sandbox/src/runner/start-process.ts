// Starts a process of the sandbox: in a separate process group, and without the server's environment.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { lowerPriority } from '@botstead/lib'
import { seccompProgram } from '../seccomp.ts'

export interface ProcessStart {
  command: string[]
  /** The user and group; null for those of the server. */
  user: number | null
  /** Whether the command itself leaves the priority as it is. */
  lowersPriority: boolean
  /** Whether the command reads the seccomp program after its pipes. */
  isFiltered: boolean
}

/** Without a `pid`, the process could not be started: the event `error` says why. */
export function startProcess(
  { command: [program, ...parameters], user, lowersPriority, isFiltered }: ProcessStart,
  pipes: ('pipe' | Socket)[],
): ChildProcess {
  const child = spawn(program!, parameters, {
    stdio: [...pipes, ...(isFiltered ? ['pipe' as const] : [])],
    detached: true,
    env: {},
    cwd: '/',
    windowsHide: true,
    ...(user && { uid: user, gid: user }),
  })
  child.on('error', () => {})
  if (isFiltered) sendFilter(child.stdio[pipes.length])
  if (lowersPriority) yieldToOthers(child)
  return child
}

/** When file descriptors run out, Node returns no stream. */
function sendFilter(stream: ChildProcess['stdio'][number]): void {
  const pipe = stream as Writable | null | undefined
  pipe?.on('error', () => {})
  pipe?.end(seccompProgram())
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
function yieldToOthers(child: ChildProcess): void {
  lowerPriority(child, 19)
  try {
    if (child.pid && process.platform === 'linux')
      writeFileSync(`/proc/${child.pid}/oom_score_adj`, '1000')
  } catch {
    // The process has just ended, or the system denies it; nothing depends on it.
  }
}
