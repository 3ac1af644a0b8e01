// Hashes and encodes long texts in slices: each takes one or two milliseconds of the main thread per
// megabyte.
import { createHash } from 'node:crypto'
import { isLong, nextSlice } from '../concurrency/slices.ts'
import { sha256 } from '../secrets.ts'

const maxInSlice = 2_097_152

/** Returns the SHA-256 of the text in UTF-8. */
export async function sha256InSlices(text: string): Promise<Buffer> {
  if (!isLong(text.length)) return sha256(text)
  const hash = createHash('sha256')
  for await (const piece of inSlices(text)) hash.update(piece)
  return hash.digest()
}

/** Returns the text in UTF-8. */
export async function toBytesInSlices(text: string): Promise<Buffer> {
  if (!isLong(text.length)) return Buffer.from(text)
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text))
  let at = 0
  for await (const piece of inSlices(text)) at += bytes.write(piece, at)
  return bytes
}

/** A surrogate pair stays together. */
async function* inSlices(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    await nextSlice()
    const end = at + maxInSlice
    const to = /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end
    yield text.slice(at, to)
    at = to
  }
}
