// Errors that end a command with one sentence, and the exit codes.
import { RequestError, Unreachable } from '@botstead/client'

export class CliError extends Error {}

/** An invalid option or argument. */
export class UsageError extends CliError {}

/** Something that the command names does not exist. */
export class MissingError extends CliError {}

export const exitCodes = {
  0: 'success',
  1: 'the command or a check failed',
  2: 'wrong usage: an unknown command or option, or an invalid value',
  3: 'the token is missing, invalid, or may not do this (status 401 or 403)',
  4: 'something does not exist (status 404 or 410)',
  5: 'temporary: no response, too many requests, or an error of the server; retry later',
}

function toExitCode(error: unknown): keyof typeof exitCodes {
  if (error instanceof UsageError) return 2
  if (error instanceof MissingError) return 4
  if (error instanceof Unreachable) return 5
  if (!(error instanceof RequestError)) return 1
  const { status } = error
  if (status === 401 || status === 403) return 3
  if (status === 404 || status === 410) return 4
  return status === 408 || status === 429 || status >= 500 ? 5 : 1
}

/**
 * Prints the first line of an error, or with BOTSTEAD_DEBUG=1 its stack trace, and sets the exit
 * code.
 */
export function report(error: unknown): void {
  const { stack } = error instanceof Error ? error : new Error(String(error))
  const sentence =
    toMessage(error).trim().split('\n')[0] ||
    'unknown error; set BOTSTEAD_DEBUG=1 for the stack trace'
  process.stderr.write(
    `botstead: ${process.env.BOTSTEAD_DEBUG ? (stack ?? sentence) : sentence}\n`,
  )
  process.exitCode = toExitCode(error)
}

/** Returns the message for the user, also for errors of the client. */
export function toMessage(error: unknown): string {
  if (error instanceof Unreachable) return toMessage(error.cause)
  if (error instanceof RequestError && error.type) {
    const { type, id, message } = error
    return `the server rejected the request: ${message} (${id ? `${type}, ${id}` : type})`
  }
  return error instanceof Error ? error.message : String(error)
}
