// Decrypts the values of encrypted columns and encrypts them again, for a transfer to another installation.
// The rules of the table describe the columns; the other text of a row stays.
import type { Secrets } from '../../../core/sealing/index.ts'
import {
  leftOutText,
  type SealedValue,
  type TableRules,
} from '../../../core/table-rules/index.ts'
import { ArchiveError } from './archive-error.ts'

export type ValueOpener = Pick<Secrets, 'open'>
export type ValueSealer = Pick<Secrets, 'seal'>

export interface ResealOptions {
  /** Null if there is nothing to decrypt: `fresh` then replaces omitted values. */
  from: ValueOpener | null
  to: ValueSealer
  workspaceId: string
}

/**
 * Returns a function for the rows of a table, as JSON; null for a table without encrypted values.
 * Throws ArchiveError if decryption fails.
 */
export function createResealer(
  { sealed: columns }: TableRules,
  how: ResealOptions,
): ((line: string) => Promise<string>) | null {
  if (!columns) return null
  return async (line) => {
    const row = JSON.parse(line)
    let text = line
    for (const { values, fresh } of Object.values(columns))
      for (const value of values(row)) text = await resealed(text, value, fresh, how)
    return text
  }
}

async function resealed(
  line: string,
  { text, encoding, location }: SealedValue,
  fresh: (() => string) | null,
  { from, to, workspaceId }: ResealOptions,
) {
  const plain =
    text === leftOutText
      ? fresh?.()
      : await open(
          from,
          Buffer.from(encoding === 'hex' ? text.slice(2) : text, encoding),
          location,
        )
  if (plain === undefined) throw new ArchiveError(`${location} is empty in the archive`)
  const sealed = (await to.seal(workspaceId, plain, location)).toString(encoding)
  return line.replaceAll(JSON.stringify(text), () =>
    JSON.stringify(encoding === 'hex' ? `\\x${sealed}` : sealed),
  )
}

async function open(
  from: ValueOpener | null,
  sealed: Buffer,
  location: string,
): Promise<string> {
  if (!from)
    throw new ArchiveError(`The archive should have no secrets, but contains ${location}`)
  try {
    return await from.open(sealed, location)
  } catch (error) {
    throw new ArchiveError(
      `Cannot decrypt ${location}: the archive or the database was modified, or the key is wrong`,
      { cause: error },
    )
  }
}
