// Reads the passphrase of an archive from a file or the environment. Other users of the machine can
// see the command line, so there is no option for it.
import { readFileSync } from 'node:fs'
import { CliError } from '../failure.ts'

/** Returns null without a passphrase. */
export function readPassphrase(file: string | undefined): string | null {
  if (file === undefined) return process.env.BOTSTEAD_PASSPHRASE || null
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  return text.replace(/\r?\n$/, '') || null
}
