// What flows on its way into a file, or out of one.
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { newUuid } from '../lib/ids.ts'

/** What goes wrong on either side comes out where it is read, and nowhere else. */
export function through(source: Readable, transform: Transform): AsyncIterable<Buffer> {
  pipeline(source, transform, () => {})
  return transform
}

/**
 * Holds what is being made until its size is known, in a file without a name, which is gone with the process, however that ends.
 * `use` gets it from its beginning, with its size in bytes.
 */
export async function withSpool<T>(
  content: AsyncIterable<Buffer>,
  use: (whole: Readable, size: number) => Promise<T>,
): Promise<T> {
  const path = join(tmpdir(), `botstead-${newUuid()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    let size = 0
    for await (const chunk of content) {
      await file.writeFile(chunk)
      size += chunk.length
    }
    return await use(file.createReadStream({ start: 0, autoClose: false }), size)
  } finally {
    await file.close()
  }
}
