// Where content lies that is too large for rows. Names are ours (hashes, ids), never a client's text.
import type { Readable } from 'node:stream'

export interface Blobs {
  /** Streams to a temporary place, and gives the name its content only when whole and on disk. */
  write(name: string, content: Readable): Promise<{ size: number; sha256: string }>
  read(name: string, range?: { start: number; end: number }): Readable
  remove(name: string): Promise<void>
}
