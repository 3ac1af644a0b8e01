// Where content lies that is too large for rows. Names are ours (hashes, ids), never a client's text.
import type { Readable } from 'node:stream'

export interface Blobs {
  /** Streams so many bytes in; the name has its content only when that is whole, and safe from a crash. Throws Unavailable where there is no room. */
  write(name: string, content: Readable, size: number): Promise<{ sha256: string }>
  /** `range` is in bytes, its end included. Throws NoSuchBlob. */
  read(name: string, range?: { start: number; end: number }): Promise<Readable>
  /** The same content under another name, as safe as if it were written. Throws NoSuchBlob. */
  copy(name: string, to: string): Promise<void>
  /** Nothing happens where there is none. */
  remove(name: string): Promise<void>
}

export class NoSuchBlob extends Error {}

/** Only ours come here; it is checked all the same, since a path or an address is built from it. */
export function checkedName(name: string): string {
  if (!/^\w[\w-]{0,99}$/.test(name)) throw new Error('Not the name of a blob')
  return name
}

/** What who reads the blobs of a snapshot holds meanwhile, shared: two numbers that nobody else takes. */
const readersLock = [7_236_110, 842_916]
export const lockBlobs = `select pg_advisory_lock_shared(${readersLock})`
export const unlockBlobs = `select pg_advisory_unlock_shared(${readersLock})`

/** A condition: somebody reads them. What was let go since their snapshot stays meanwhile. */
export const blobsAreRead = `exists (select from pg_locks where locktype = 'advisory' and (classid, objid, objsubid) = (${readersLock}, 2)
  and database = (select oid from pg_database where datname = current_database()))`
