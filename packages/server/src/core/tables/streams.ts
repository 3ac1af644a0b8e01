// Stream helpers for imports and exports.
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, type Readable, type Transform } from 'node:stream'

/** Pipes a source through a transform. Errors of either surface at the reader, and nowhere else. */
export function through(source: Readable, transform: Transform): AsyncIterable<Buffer> {
  pipeline(source, transform, () => {})
  return transform
}

/** A temporary file without a name: it disappears with the process, even after a crash. */
export interface Spool {
  /** Writes happen in order. */
  write(chunk: Buffer | string): Promise<void>
  /** Reads the content from its beginning. */
  read(): Readable
  close(): Promise<void>
}

export async function openSpool(): Promise<Spool> {
  const path = join(tmpdir(), `botstead-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return {
    write: (chunk) => file.writeFile(chunk),
    read: () => file.createReadStream({ start: 0, autoClose: false }),
    close: () => file.close(),
  }
}

/**
 * Buffers content in a spool until its size is known. `use` receives the content from its beginning,
 * and its size in bytes.
 */
export async function withSpool<T>(
  content: AsyncIterable<Buffer>,
  use: (whole: Readable, size: number) => Promise<T>,
): Promise<T> {
  const spool = await openSpool()
  try {
    let size = 0
    for await (const chunk of content) {
      await spool.write(chunk)
      size += chunk.length
    }
    return await use(spool.read(), size)
  } finally {
    await spool.close()
  }
}
