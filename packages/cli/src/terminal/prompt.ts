// Asks on the terminal: for a secret, without showing it, and for confirmations.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CliError, UsageError } from '../failure.ts'

export async function askSecret(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output, terminal: true })
  // From here, the terminal does not show input.
  process.stderr.write(question)
  // Ctrl+C ends the program, as it does elsewhere.
  reader.once('SIGINT', () => process.exit(130))
  try {
    return (await reader.question('')).trim()
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}

/**
 * Lets a person type `answer` before a command deletes something. `effect` completes "this …".
 * Throws UsageError without a terminal, and CliError for another answer. `--yes` skips it.
 */
export async function confirm(
  effect: string,
  { yes }: { yes?: boolean },
  answer = 'yes',
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`this ${effect}: pass --yes to confirm`)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  reader.once('SIGINT', () => process.exit(130))
  const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
  const question = `This ${effect}. Type "${answer}" to continue: `
  const typed = await Promise.race([reader.question(question), closed])
  reader.close()
  if (typed.trim() !== answer) throw new CliError('not confirmed: nothing was changed')
}
