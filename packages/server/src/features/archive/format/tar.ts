// The subset of tar that our archives use: regular files with plain names, each small enough for
// memory. Any tar program can read our archives. The reader rejects everything else (links,
// devices, folders, sparse files, long names), so there is nothing to guard against.
import { ArchiveError } from './archive-error.ts'

export interface Entry {
  name: string
  content: Buffer
}

const block = 512
/** Large enough that the overhead of headers is small, and small enough for memory. */
export const maxEntryBytes = 4 * 1024 * 1024
const nameShape = /^[a-z0-9][\w.-]*(\/[\w][\w.-]*)*$/i

export function entryHeader(name: string, size: number): Buffer {
  if (!nameShape.test(name) || name.length > 99)
    throw new Error(`Invalid entry name: ${name}`)
  const header = Buffer.alloc(block)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${octal(size, 11)}\0`, 124)
  header.write(`${octal(0, 11)}\0`, 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${octal(computeChecksum(header), 6)}\0 `, 148)
  return header
}

export const padding = (size: number) => Buffer.alloc((block - (size % block)) % block)
export const endOfArchive = () => Buffer.alloc(2 * block)

/** Packs files of any size: each needs as many bytes as it states. */
export async function* packTar(
  files: AsyncIterable<{
    name: string
    size: number
    content: AsyncIterable<Buffer> | Buffer[]
  }>,
): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of files) {
    yield entryHeader(name, size)
    let bytes = 0
    for await (const chunk of content) {
      bytes += chunk.length
      yield chunk
    }
    if (bytes !== size)
      throw new Error(`The content of ${name} has ${bytes} bytes, not ${size}`)
    yield padding(size)
  }
  yield endOfArchive()
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')

/** Computes the checksum with its own field as spaces. */
function computeChecksum(header: Buffer): number {
  let sum = 8 * 32
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/** Throws ArchiveError for entries that `entryHeader` does not write, and for a truncated file. */
export async function* readEntries(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const bytes = byteReader(source)
  for (;;) {
    const header = await bytes.take(block)
    if (header.every((byte) => byte === 0)) break
    const { name, size } = parseHeader(header)
    const content = await bytes.take(size)
    await bytes.take(padding(size).length)
    yield { name, content }
  }
  await bytes.drain()
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) =>
    header.toString('latin1', from, to).replace(/[\0 ]+$/, '')
  const name = text(0, 100)
  const size = text(124, 136)
  const isOurs =
    text(257, 262) === 'ustar' &&
    header[156] === 48 &&
    text(345, 500) === '' &&
    text(157, 257) === ''
  if (
    !isOurs ||
    !nameShape.test(name) ||
    !/^[0-7]+$/.test(size) ||
    Number.parseInt(text(148, 156), 8) !== computeChecksum(header)
  )
    throw new ArchiveError('The file is not a Botstead archive, or it is damaged')
  if (Number.parseInt(size, 8) > maxEntryBytes)
    throw new ArchiveError(`The entry ${name} of the archive exceeds the maximum size`)
  return { name, size: Number.parseInt(size, 8) }
}

function byteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let length = 0
  return {
    async take(size: number): Promise<Buffer> {
      while (length < size) {
        const { done, value } = await chunks.next()
        if (done)
          throw new ArchiveError('The archive is truncated: copy or create it again')
        held.push(value)
        length += value.length
      }
      const all = held.length === 1 ? held[0]! : Buffer.concat(held)
      held = [all.subarray(size)]
      length = all.length - size
      return all.subarray(0, size)
    },
    /** Checks that only zeros follow. */
    async drain() {
      for (const rest of held) refuseMore(rest)
      for (let next = await chunks.next(); !next.done; next = await chunks.next())
        refuseMore(next.value)
    },
  }
}

function refuseMore(rest: Buffer) {
  if (rest.some((byte) => byte !== 0))
    throw new ArchiveError('The archive has data after its end')
}
