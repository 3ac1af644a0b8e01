// Another master key takes over. Nothing that is sealed is touched, and servers that run notice nothing: what changes is which key the next start needs.
import type { Database } from '../db/open.ts'
import { findRoot, keepOnly, sealRoot } from './keyring.ts'

/** From now on both are good. False where `now` is not. */
export async function addMasterKey(database: Database, now: Buffer, next: Buffer): Promise<boolean> {
  const root = await findRoot(database, now)
  if (!root) return false
  await sealRoot(database, root, next)
  return true
}

/** Only this one is good any more: how many others were. Null where it is not, and then nothing is changed. */
export async function refuseOtherMasterKeys(database: Database, master: Buffer): Promise<number | null> {
  return (await findRoot(database, master)) ? keepOnly(database, master) : null
}
