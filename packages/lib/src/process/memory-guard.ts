// Ends a child process that uses too much memory, or outlives its server.
import { Worker } from 'node:worker_threads'

const guard = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  const { bytes, parent, signal } = workerData
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > bytes) process.kill(process.pid, signal)
}, 50)`

/**
 * Watches the memory in a thread, because work may block the main thread while it exhausts the
 * memory. `signal` ends the process at the limit. Returns a function that checks immediately: the
 * thread takes a moment to start.
 */
export function startMemoryGuard(
  bytes: number,
  signal: NodeJS.Signals = 'SIGKILL',
): () => void {
  const workerData = { bytes, parent: process.ppid, signal }
  new Worker(guard, { eval: true, workerData, env: {} }).unref()
  return () => {
    if (process.memoryUsage.rss() > bytes) process.kill(process.pid, signal)
  }
}
