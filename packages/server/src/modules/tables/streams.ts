// Stream helpers for imports and exports.
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { newUuid } from '../../infra/lib/ids.ts'

/** Pipes a source through a transform. Errors of either surface at the reader, and nowhere else. */
export function through(source: Readable, transform: Transform): AsyncIterable<Buffer> {
  pipeline(source, transform, () => {})
  return transform
}

/**
 * Buffers content in an unlinked temporary file until its size is known. The file disappears with
 * the process, even after a crash. `use` receives the content from its beginning, and its size in
 * bytes.
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
