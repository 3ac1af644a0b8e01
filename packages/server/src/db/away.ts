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
