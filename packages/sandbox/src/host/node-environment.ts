// Adapts Node to a process without a user, without /proc, and with little time for its start.
import { createRequire } from 'node:module'
import os from 'node:os'
import v8 from 'node:v8'
import { invocations } from './invocations.ts'

export const forgetting = new Error('Stopped code')

/**
 * Lets bots that interrupt slow user code reset Node's async context tracking. With
 * AsyncLocalStorage, Node keeps a stack of async contexts. Interrupting a loop behind an `await`
 * corrupts it, and Node aborts the process when it detects that. Only an uncaught exception makes
 * Node start a new stack.
 */
export function offerToForget(): void {
  const { _fatalException: handle } = process as {
    _fatalException?: (error: Error, isRejection: boolean) => void
  }
  const value = () => {
    if (!handle || process.hasUncaughtExceptionCaptureCallback()) return
    process.setUncaughtExceptionCaptureCallback(() => {})
    handle.call(process, forgetting, false)
    process.setUncaughtExceptionCaptureCallback(null)
  }
  Object.defineProperty(globalThis, Symbol.for('botstead.forgetContexts'), { value })
}

/** The signal of the current invocation, for code that does not get the context. */
export function offerSignal(): void {
  const get = () => invocations.getStore()?.stop.controller.signal
  Object.defineProperty(globalThis, Symbol.for('botstead.signal'), { get })
}

/**
 * Replaces `os.userInfo`: the process's user may be missing from /etc/passwd, or may be the
 * operator.
 */
export function nameUser(): void {
  const { uid, gid } = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  const userInfo = (options?: { encoding?: string }) => {
    const text = (value: string) =>
      options?.encoding === 'buffer' ? Buffer.from(value) : value
    return { uid, gid, username: text('bot'), homedir: text(os.homedir()), shell: null }
  }
  Object.assign(os, { userInfo })
}

/**
 * Replaces `process.memoryUsage` where the process has no /proc, from which Node reads the resident
 * memory: the maximum so far takes its place.
 */
export function measureWithoutProc(): void {
  try {
    process.memoryUsage.rss()
    return
  } catch {
    // No /proc.
  }
  const rss = () => process.resourceUsage().maxRSS * 1024
  const memoryUsage = () => {
    const { total_heap_size, used_heap_size, external_memory } = v8.getHeapStatistics()
    return {
      rss: rss(),
      heapTotal: total_heap_size,
      heapUsed: used_heap_size,
      external: external_memory,
      arrayBuffers: 0,
    }
  }
  process.memoryUsage = Object.assign(memoryUsage, { rss })
}

/** Loads the modules that bundles commonly import, while the process is idle. */
export function loadAhead(): void {
  const builtin = createRequire('file:///bot.cjs')
  for (const name of [
    'assert',
    'crypto',
    'http2',
    'os',
    'querystring',
    'stream',
    'string_decoder',
    'timers/promises',
    'tty',
    'url',
    'util',
    'zlib',
  ])
    builtin(name)
}
