// Errors that end a command with one sentence: exit code 1, or 2 for wrong usage.
import { RequestError, Unreachable } from '@botstead/client'

export class CliError extends Error {}

/** An invalid option or argument. */
export class UsageError extends CliError {}

/**
 * Prints the first line of an error, or with BOTSTEAD_DEBUG=1 its stack trace, and sets the exit
 * code.
 */
export function report(error: unknown): void {
  const { stack } = error instanceof Error ? error : new Error(String(error))
  const sentence =
    messageOf(error).trim().split('\n')[0] ||
    'unknown error; set BOTSTEAD_DEBUG=1 for the stack trace'
  process.stderr.write(`botstead: ${process.env.BOTSTEAD_DEBUG ? (stack ?? sentence) : sentence}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}

/** Returns the message for the user, also for errors of the client. */
export function messageOf(error: unknown): string {
  if (error instanceof Unreachable) return messageOf(error.cause)
  if (error instanceof RequestError && error.type)
    return `the server rejected the request: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
