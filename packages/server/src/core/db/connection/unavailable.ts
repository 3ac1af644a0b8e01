// Tells apart failures of the database itself from failures of a statement.

/** Messages of node-postgres for errors without a code. */
const driverMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
]
const words = new RegExp(`^(?:${driverMessages.join('|')})`)
const codes = ['ECONNRESET', 'EPIPE', 'ENOENT', 'ECONNREFUSED', '53300']

/** Errors of the network and of the driver that end a connection. */
const ofTheConnection = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
]

/**
 * Returns whether the connection of a statement broke, or its server ended it. The statement may have
 * taken effect.
 */
export function isConnectionBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return (
    /^(08|57P)/.test(code) || ofTheConnection.includes(code) || words.test(error.message)
  )
}

/** Whether the server of a connection accepts no writes: it is a standby, or a former primary. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '25006'

/** Whether a pool must replace the connection of a failed statement. */
export const isUnusable = (error: unknown): boolean =>
  isConnectionBroken(error) || isReadOnly(error)

/** Whether the driver rejected a statement, because its connection had broken before. */
export const isNotSent = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith('is not queryable')

const unchanged = new WeakSet<Error>()

/** Marks a failure that changed nothing in the database, and returns it. */
export function markUnchanged(error: unknown): unknown {
  if (error instanceof Error) unchanged.add(error)
  return error
}

const hasChangedNothing = (error: unknown): boolean =>
  error instanceof Error && (unchanged.has(error) || hasChangedNothing(error.cause))

/**
 * Returns whether the database restarts, has no free connection, lost this one, or accepts no writes.
 * The statement can be retried later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity } = error as Error & { code?: string; severity?: string }
  return (
    severity === 'FATAL' ||
    codes.includes(code) ||
    isUnusable(error) ||
    hasChangedNothing(error)
  )
}

/** Like `isDatabaseUnavailable`, but only for errors that come from nothing else than the database. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity } = error as Error & { code?: string; severity?: string }
  return (
    hasChangedNothing(error) ||
    isReadOnly(error) ||
    severity === 'FATAL' ||
    /^57P/.test(code) ||
    words.test(error.message)
  )
}

const ofTheNetwork = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]

/**
 * Returns whether a failed start may succeed later, because the database is not up yet or went down
 * meanwhile. False for a wrong password, a missing database and a schema that is too new.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const {
    code = '',
    syscall,
    signal,
  } = error as NodeJS.ErrnoException & { signal?: string | null }
  if (ofTheNetwork.includes(code) || (code === 'ENOENT' && syscall === 'connect'))
    return true
  // Connection exceptions, a standby before its promotion, insufficient resources, operator
  // intervention; a PostgreSQL program that was killed.
  if (/^(08|25006|53|57P)/.test(code) || words.test(error.message) || signal) return true
  return error.cause !== undefined && isTransient(error.cause)
}

/** Outages of the database, as its errors show them. */
export const outages = {
  changedNothing: hasChangedNothing,
  isOutage: isDatabaseOutage,
  isUnavailable: isDatabaseUnavailable,
}
