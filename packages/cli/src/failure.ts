// What ends a command: one sentence for the person at the terminal, exit code 1; or 2, when the call itself makes no sense.

export class Failure extends Error {}

/** An option or an argument that cannot be meant. */
export class Misuse extends Failure {}

/** BOTSTEAD_DEBUG=1 shows where an error came from; otherwise its sentence is enough. */
export function report(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const sentence = message.trim().split('\n')[0] || 'something failed without saying why'
  process.stderr.write(`botstead: ${process.env.BOTSTEAD_DEBUG ? (stack ?? sentence) : sentence}\n`)
  process.exitCode = error instanceof Misuse ? 2 : 1
}
