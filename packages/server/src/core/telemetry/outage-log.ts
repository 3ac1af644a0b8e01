// Log lines about an unavailable database: every task and request fails during an outage, so that one
// line a minute replaces theirs. It has the newest reason and the number of failures.
import type { LogFn, Logger } from 'pino'
import { outages } from '../db/index.ts'

const paceMs = 60_000
const warning = 40

interface Record {
  err?: unknown
  /** Message of an error of the database. */
  databaseReason?: string
}

/** Returns a hook for the log (`logMethod` of pino). */
export function limitOutages(now: () => number = () => performance.now()) {
  let nextAt = Number.NEGATIVE_INFINITY
  let failures = 0
  return function logMethod(
    this: Logger,
    args: Parameters<LogFn>,
    method: LogFn,
    level: number,
  ) {
    const reason = level >= warning ? findReason(args[0]) : null
    if (reason === null) return method.apply(this, args)
    failures++
    if (now() < nextAt) return
    nextAt = now() + paceMs
    const line = { reason, failures, last: args[1] }
    failures = 0
    method.apply(this, [
      line,
      'the database is not available: requests and tasks fail, and are retried',
    ])
  }
}

function findReason(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null
  const { err, databaseReason } = record as Record
  if (databaseReason !== undefined) return databaseReason
  return err instanceof Error && outages.isOutage(err) ? findMessage(err) : null
}

/** An ApiError about the database has the reason as its cause. */
const findMessage = ({ message, cause }: Error): string =>
  cause instanceof Error ? findMessage(cause) : message
