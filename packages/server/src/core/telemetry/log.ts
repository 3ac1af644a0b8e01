// Serializes errors for the log: message, code, stack and causes, but no other fields. Drivers
// attach values, statements and addresses to their errors.
import type { LoggerOptions } from 'pino'
import { limitOutages } from './outage-log.ts'

const maxMessageLength = 1_000
const maxCauses = 3

interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

function errorLogged(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { name, message, stack, cause, code } = error as Error & { code?: unknown }
  return {
    type: name,
    message: message.slice(0, maxMessageLength),
    ...(typeof code === 'string' && { code }),
    // Without the first lines, which repeat the message.
    ...(stack && { stack: stack.slice(stack.indexOf('\n    at ') + 1, 4_000) }),
    ...(cause instanceof Error &&
      depth < maxCauses && { cause: errorLogged(cause, depth + 1) }),
  }
}

export const logOptions: LoggerOptions = {
  serializers: { err: (error) => errorLogged(error) },
  hooks: { logMethod: limitOutages() },
}
