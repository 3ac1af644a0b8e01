// Storage for content too large for rows. Names are hashes and ids of ours, never a client's text.
import type { Readable } from 'node:stream'

export interface Blobs {
  /**
   * Stores a stream of `size` bytes. The name refers to the content only once it is complete and
   * durable. Throws Unavailable when the store is full.
   */
  write(name: string, content: Readable, size: number): Promise<{ sha256: string }>
  /** `range` is in bytes, inclusive. Throws BlobNotFound. */
  read(name: string, range?: { start: number; end: number }): Promise<Readable>
  /** Copies content to another name, as durably as `write`. Throws BlobNotFound. */
  copy(name: string, to: string): Promise<void>
  /** Does nothing when the blob does not exist. */
  remove(name: string): Promise<void>
}

export class BlobNotFound extends Error {}

/**
 * Validates a name, although only our own arrive here, because paths and URLs are built from it.
 */
export function checkedName(name: string): string {
  if (!/^\w[\w-]{0,99}$/.test(name)) throw new Error('Not the name of a blob')
  return name
}

/**
 * The advisory lock that readers of a snapshot's blobs hold in shared mode; the two numbers are
 * used for nothing else.
 */
const readersLock = [7_236_110, 842_916]
export const lockBlobs = `select pg_advisory_lock_shared(${readersLock})`
export const unlockBlobs = `select pg_advisory_unlock_shared(${readersLock})`

/**
 * SQL condition: a reader holds the lock. Blobs released since its snapshot must stay meanwhile.
 */
export const blobsAreRead = `exists (select from pg_locks
  where locktype = 'advisory' and (classid, objid, objsubid) = (${readersLock}, 2)
  and database = (select oid from pg_database where datname = current_database()))`
