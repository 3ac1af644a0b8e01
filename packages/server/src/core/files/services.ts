// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'

/** What features do with files, see messaging/hooks.ts. */
export interface FileHooks {
  /** The content of a file has been stored. */
  fileStored: (() => void)[]
}

export interface FileServices {
  hooks: FileHooks
}

export const bindings = { hooks: 'unchanged' } satisfies Bindings<FileServices>
