// Tells apart failures of the database itself from failures of a statement.

/** Messages of node-postgres for errors without a code. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/
const codes = ['ECONNRESET', 'EPIPE', 'ENOENT', 'ECONNREFUSED', '53300']

/**
 * Returns whether the database restarts, has no free connection, or lost this one. The statement
 * can be retried later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity } = error as Error & { code?: string; severity?: string }
  return (
    severity === 'FATAL' ||
    code.startsWith('57P') ||
    codes.includes(code) ||
    words.test(error.message)
  )
}

const ofTheNetwork = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
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
  const { code = '', syscall, signal } = error as NodeJS.ErrnoException & { signal?: string | null }
  if (ofTheNetwork.includes(code) || (code === 'ENOENT' && syscall === 'connect')) return true
  // Connection exceptions, insufficient resources, operator intervention; a PostgreSQL program that
  // was killed.
  if (/^(08|53|57P)/.test(code) || words.test(error.message) || signal) return true
  return error.cause !== undefined && isTransient(error.cause)
}
