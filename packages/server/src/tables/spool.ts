// A file that has no name: holds what is being made until its size is known, and is gone with the process, however that ends.
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { newUuid } from '../lib/ids.ts'

/** `use` gets it from its beginning, with its size in bytes. */
export async function withSpool<T>(content: AsyncIterable<Buffer>, use: (whole: Readable, size: number) => Promise<T>): Promise<T> {
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
