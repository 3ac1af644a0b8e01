// Closes a running server, part by part. A part that fails or takes too long does not keep the
// others from closing.

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Background } from './background.ts'
import type { Delivery } from './delivery.ts'
import type { Gauges } from './gauges.ts'
import type { Storage } from './storage.ts'

interface Running {
  log: Logger
  /** Time in ms for deliveries in progress. */
  deadlineMs: number
  storage: Storage
  delivery: Delivery
  background: Background
  work: { stop(): Promise<unknown> }
  models: { close(): Promise<void> }
  server: FastifyInstance
  gauges: Gauges
}

/**
 * Stops claiming and waits for work in progress, then closes the sandbox, the API and everything
 * that they used, and the database last.
 */
export async function closeApp(running: Running): Promise<void> {
  const { log, deadlineMs, storage, delivery, background, models, server, gauges } =
    running
  const { hosting, queue, signals, emitter } = delivery
  const deadline = performance.now() + deadlineMs
  gauges.close()
  delivery.secondLook.cancel()
  const end = (name: string, ms: number, ended: Promise<unknown>) =>
    within(ms, ended).catch((error) =>
      log.warn({ err: error }, `${name} did not close cleanly`),
    )
  // Bots that are still running need the API, so it closes after them.
  await end(
    'work',
    deadlineMs + 2_000,
    Promise.all([queue.stop(deadlineMs), background.stop(), running.work.stop()]),
  )
  await end('the sandbox', 4_000, hosting.sandbox.close(Math.min(deadlineMs, 2_000)))
  signals.close()
  delivery.changeFeed.close()
  const apiMs = Math.max(3_000, deadline - performance.now())
  const tooLong = setTimeout(() => server.server.closeAllConnections(), apiMs)
  await end('the API', apiMs + 2_000, server.close())
  clearTimeout(tooLong)
  await end(
    'calls',
    2_000,
    Promise.all([
      // Signals to webhooks use connections that hosting closes.
      emitter.close().then(() => hosting.close()),
      delivery.closeRecords(),
      models.close().then(() => delivery.usage.close()),
    ]),
  )
  await end('the rates', 2_000, storage.http.rates.close())
  await end('the lease', 2_000, storage.worker.stop())
  await end(
    'the database',
    5_000,
    storage.bus.close().then(() => storage.database.close()),
  )
}

/** Rejects after `ms`. */
function within(ms: number, ended: Promise<unknown>): Promise<unknown> {
  const tooLate = new Promise((_, reject) =>
    setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms).unref(),
  )
  return Promise.race([ended, tooLate])
}
