// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Blobs } from './blobs.ts'

export interface BlobServices {
  blobs: Blobs
}

export const bindings = {
  // Content is stored before its row. Content without a row is removed later.
  blobs: { copy: 'immediate', remove: 'deferred' },
} satisfies Bindings<BlobServices>
