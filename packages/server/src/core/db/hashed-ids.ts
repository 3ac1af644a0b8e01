// Indexes of hashed ids (migrations 0056 and 0057): a statement that compares such a column also
// compares the hashes.
import { type RawBuilder, sql } from 'kysely'

/** Returns the condition that matches an index on the column's hash. */
export const hasHash = (column: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql<boolean>`hashtextextended(${column}, 0) = hashtextextended(${id}, 0)`
