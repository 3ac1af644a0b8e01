// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Blobs } from './blobs/blobs.ts'

/** What features do with files, see messaging/hooks.ts. */
export interface FileHooks {
  /** The content of a file has been stored. */
  fileStored: (() => void)[]
}

export interface FileServices {
  hooks: FileHooks
}

export interface BlobServices {
  /** Contents of files. */
  blobs: Blobs
}

export const bindings = {
  hooks: 'unchanged',
  // Content is stored before its row. Content without a row is removed later.
  blobs: { copy: 'immediate', remove: 'deferred' },
} satisfies Bindings<FileServices & BlobServices>
