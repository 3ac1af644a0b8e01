// Exceptions that no code catches: thrown in timers, events of streams, sockets and children, or in
// promises without a handler. By default Node ends the process, and so the work of all tenants; a
// server logs and counts them, and answers 500 to the request that caused one, if it is known.
//
// These still end the process: errors of a start, which its caller reports; exhausted memory and
// other fatal errors of V8, which never become exceptions; the second signal of an operator.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from '../telemetry/index.ts'

type Fail = (error: Error) => void

/**
 * The request of the current code. Node tracks every promise from the first use on, which costs a
 * few percent, so nothing uses it until there was an exception.
 */
const failing = new AsyncLocalStorage<Fail>()
let isTracking = false

/** If the log cannot be written, each line causes the next exception. */
const maxLinesPerMinute = 60

/** Runs work, with `fail` to call for an exception in the callbacks that the work leaves behind. */
export const attributed = <Result>(fail: Fail, work: () => Result): Result =>
  isTracking ? failing.run(fail, work) : work()

/** Must be registered early, because it covers only later hooks. */
export function attributeRequests(server: FastifyInstance) {
  server.addHook('onRequest', (_request, reply, done) =>
    attributed((error) => failReply(reply, error), done),
  )
}

function failReply(reply: FastifyReply, error: Error) {
  if (reply.raw.writableEnded) return
  if (reply.sent) reply.raw.destroy()
  // With its own status, the exception would look like a rejection.
  else void reply.send(new Error('uncaught exception', { cause: error }))
}

/** Keeps the process alive from now on, until the returned function is called. */
export function surviveExceptions({
  log,
  metrics,
}: {
  log: Logger
  metrics: Metrics
}): () => void {
  const lines = { left: maxLinesPerMinute, minute: 0 }
  const survive = (thrown: unknown, origin: string) => {
    isTracking = true
    metrics.uncaught(origin === 'uncaughtException' ? 'exception' : 'rejection').add()
    const error =
      thrown instanceof Error ? thrown : new Error(`not an error: ${String(thrown)}`)
    if (mayLog(lines)) log.error({ err: error, origin }, 'uncaught exception')
    try {
      failing.getStore()?.(error)
    } catch {
      // The reply was sent in the meantime.
    }
  }
  const onException = (thrown: unknown) => survive(thrown, 'uncaughtException')
  const onRejection = (thrown: unknown) => survive(thrown, 'unhandledRejection')
  process.on('uncaughtException', onException)
  process.on('unhandledRejection', onRejection)
  return () => {
    process.off('uncaughtException', onException)
    process.off('unhandledRejection', onRejection)
  }
}

function mayLog(lines: { left: number; minute: number }): boolean {
  const minute = Math.floor(performance.now() / 60_000)
  if (minute !== lines.minute) Object.assign(lines, { left: maxLinesPerMinute, minute })
  return lines.left-- > 0
}
