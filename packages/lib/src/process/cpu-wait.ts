// Time limits that a busy machine does not use up: hosted code and threads for tenants have a low CPU
// priority, so they may wait long for a CPU before they can run.
import { readFileSync } from 'node:fs'
import { descendants } from './process-life.ts'

/** Shorter than the timeouts of clients that wait for a deployment, with the wait for a slot. */
const longestMs = 30_000

/**
 * Calls `onLimit` after `timeoutMs`, not counting time in which the process with its descendants, or the
 * thread, waited for a CPU; after `maxMs` at the latest. Returns a function that cancels it. Counts all
 * time on systems that do not report such waits (Linux does).
 */
export function limitTime(
  getId: () => number,
  timeoutMs: number,
  onLimit: () => void,
  maxMs = longestMs,
): () => void {
  const waitedBefore = cpuWaitMs(getId())
  const began = performance.now()
  let timer = setTimeout(check, timeoutMs)
  function check() {
    const elapsed = performance.now() - began
    const waited = Math.max(0, cpuWaitMs(getId()) - waitedBefore)
    const left = Math.min(timeoutMs - (elapsed - waited), maxMs - elapsed)
    if (left < 1) onLimit()
    else timer = setTimeout(check, left)
  }
  return () => clearTimeout(timer)
}

/** Of the main threads, because these run the code. */
function cpuWaitMs(pid: number): number {
  if (process.platform !== 'linux') return 0
  return [pid, ...descendants(pid)].reduce((sum, one) => sum + runDelayMs(one), 0)
}

function runDelayMs(pid: number): number {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6 || 0
  } catch {
    // The process has just ended, or the kernel does not provide this file.
    return 0
  }
}
