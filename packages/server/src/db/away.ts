// Whether it is the database that is in trouble, and not what it was asked.

/** The words of node-postgres, which gives these no code. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/
const codes = ['ECONNRESET', 'EPIPE', 'ENOENT', 'ECONNREFUSED', '53300']

/** It restarts, is full of connections, or a connection broke: what was asked can be asked again when it is back. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity } = error as Error & { code?: string; severity?: string }
  return severity === 'FATAL' || code.startsWith('57P') || codes.includes(code) || words.test(error.message)
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
 * Whether a start that failed with this error may succeed later, because the database is not up yet or went down meanwhile. A wrong password, a missing
 * database or a schema that is too new stay as they are.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall, signal } = error as NodeJS.ErrnoException & { signal?: string | null }
  if (ofTheNetwork.includes(code) || (code === 'ENOENT' && syscall === 'connect')) return true
  // Connection exceptions, insufficient resources, operator intervention; a program of PostgreSQL that was killed.
  if (/^(08|53|57P)/.test(code) || words.test(error.message) || signal) return true
  return error.cause !== undefined && mayPass(error.cause)
}
