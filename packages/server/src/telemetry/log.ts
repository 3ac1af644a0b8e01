// How lines are written: what an error says and where it was, never what it carries. Drivers hang values, statements and addresses on theirs.
import type { LoggerOptions } from 'pino'

const longestMessage = 1_000
const mostCauses = 3

export interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

export function errorLogged(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { name, message, stack, cause, code } = error as Error & { code?: unknown }
  return {
    type: name,
    message: message.slice(0, longestMessage),
    ...(typeof code === 'string' && { code }),
    // Its first line is the message again.
    ...(stack && { stack: stack.slice(stack.indexOf('\n    at ') + 1, 4_000) }),
    ...(cause instanceof Error && depth < mostCauses && { cause: errorLogged(cause, depth + 1) }),
  }
}

export const logOptions: LoggerOptions = { serializers: { err: (error) => errorLogged(error) } }
