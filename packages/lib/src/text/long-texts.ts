// Hashes, encodes and decodes long texts in slices: each takes about a millisecond of the main thread.
import { createHash } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { isLong, nextSlice } from '../concurrency/slices.ts'

const maxCharacters = 262_144
const maxBytes = 1_048_576

/** Returns the SHA-256. */
export async function sha256InSlices(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const slice of toSlices(bytes)) hash.update(slice)
  return hash.digest()
}

/** Returns the text in UTF-8. */
export async function toBytesInSlices(text: string): Promise<Buffer> {
  if (!isLong(text.length)) return Buffer.from(text)
  let size = 0
  for await (const slice of toTextSlices(text)) size += Buffer.byteLength(slice)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for await (const slice of toTextSlices(text)) at += bytes.write(slice, at)
  return bytes
}

/** Returns the text of valid UTF-8. */
export async function toTextInSlices(bytes: Buffer): Promise<string> {
  const decoder = new StringDecoder('utf8')
  let text = ''
  for await (const slice of toSlices(bytes)) text += decoder.write(slice)
  return text
}

/** Returns a copy in memory that other threads share: passing it to one copies nothing. */
export async function toSharedInSlices(bytes: Buffer): Promise<Uint8Array> {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  let at = 0
  for await (const slice of toSlices(bytes)) {
    shared.set(slice, at)
    at += slice.length
  }
  return shared
}

async function* toSlices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxBytes) {
    if (isLong(bytes.length)) await nextSlice()
    yield bytes.subarray(at, at + maxBytes)
  }
}

/** A surrogate pair stays together. */
async function* toTextSlices(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    await nextSlice()
    const end = at + maxCharacters
    const to = /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end
    yield text.slice(at, to)
    at = to
  }
}
