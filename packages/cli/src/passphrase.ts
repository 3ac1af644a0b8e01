// The passphrase of an archive: from a file or from the environment, never from the command line, which other users of the machine can see.
import { readFileSync } from 'node:fs'
import { Failure } from './failure.ts'

/** Null when there is none. */
export function readPassphrase(file: string | undefined): string | null {
  if (file === undefined) return process.env.BOTSTEAD_PASSPHRASE || null
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return text.replace(/\r?\n$/, '') || null
}
