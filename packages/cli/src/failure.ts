// Errors that end a command with one sentence: exit code 1, or 2 for wrong usage.

export class CliError extends Error {}

/** An invalid option or argument. */
export class UsageError extends CliError {}

/**
 * Prints the first line of an error, or with BOTSTEAD_DEBUG=1 its stack trace, and sets the exit
 * code.
 */
export function report(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const sentence =
    message.trim().split('\n')[0] || 'unknown error; set BOTSTEAD_DEBUG=1 for the stack trace'
  process.stderr.write(`botstead: ${process.env.BOTSTEAD_DEBUG ? (stack ?? sentence) : sentence}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
