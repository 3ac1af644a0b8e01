// Rotates the master key. Sealed secrets stay unchanged and running servers are unaffected: only
// the key that the next start needs changes.
import type { Database } from '../db/index.ts'
import { findRoot, keepOnly, sealRoot } from './keyring.ts'

/** Makes `next` valid in addition to `now`. Returns false when `now` is not valid. */
export async function addMasterKey(
  database: Database,
  now: Buffer,
  next: Buffer,
): Promise<boolean> {
  const root = await findRoot(database, now)
  if (!root) return false
  await sealRoot(database, root, next)
  return true
}

/**
 * Makes all other master keys invalid and returns how many there were. Returns null, without
 * changes, when `master` itself is not valid.
 */
export async function rejectOtherMasterKeys(
  database: Database,
  master: Buffer,
): Promise<number | null> {
  return (await findRoot(database, master)) ? keepOnly(database, master) : null
}
