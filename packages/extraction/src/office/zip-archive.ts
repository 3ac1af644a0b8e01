// Reads the entries of a zip file in memory, each as a stream, and verifies their checksums. Limits the
// unpacked bytes of all entries that are read: a small file can expand to a very large one.
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { UnreadableFile } from '../blocks.ts'

const maxBytes = 200 * 1_048_576
const maxEntries = 20_000

export interface ZipArchive {
  /** Paths as written, without a slash in front. */
  paths: string[]
  /** Finds an entry regardless of case. */
  has(path: string): boolean
  /** Streams an entry, nothing for a missing one. Throws UnreadableFile. */
  read(path: string): AsyncGenerator<Buffer>
}

/** Throws UnreadableFile. */
export async function openZip(bytes: Uint8Array): Promise<ZipArchive> {
  const file = await openFile(bytes)
  const entries = await listEntries(file)
  const read = new Set<Entry>()
  let total = 0
  const find = (path: string) => entries.get(path.toLowerCase())?.entry
  return {
    paths: [...entries.values()].map(({ path }) => path),
    has: (path) => find(path) !== undefined,
    async *read(path) {
      const entry = find(path)
      if (!entry) return
      if (!read.has(entry)) total += entry.uncompressedSize
      read.add(entry)
      if (total > maxBytes)
        throw new UnreadableFile(`The document exceeds ${maxBytes} unpacked bytes`)
      yield* readEntry(file, entry)
    },
  }
}

const damaged = (cause?: unknown) =>
  new UnreadableFile('The document is damaged, or protected by a password', { cause })

function openFile(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const options = { lazyEntries: true, decodeStrings: false }
  return new Promise((resolve, reject) =>
    fromBuffer(buffer, options, (error, file) =>
      error ? reject(damaged(error)) : resolve(file),
    ),
  )
}

/** By path in lower case. Some writers begin paths with a slash, or separate folders by backslashes. */
function listEntries(
  file: ZipFile,
): Promise<Map<string, { path: string; entry: Entry }>> {
  const entries = new Map<string, { path: string; entry: Entry }>()
  return new Promise((resolve, reject) => {
    file.on('entry', (entry: Entry) => {
      const path = String(entry.fileName).replaceAll('\\', '/').replace(/^\/+/, '')
      const key = path.toLowerCase()
      if (!entries.has(key)) entries.set(key, { path, entry })
      if (entries.size > maxEntries)
        return reject(new UnreadableFile(`The document exceeds ${maxEntries} parts`))
      file.readEntry()
    })
    file.on('end', () => resolve(entries))
    file.on('error', (error) => reject(damaged(error)))
    file.readEntry()
  })
}

/** Throws if the unpacked content has another size or checksum than declared. */
async function* readEntry(file: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  let checksum = 0
  try {
    stream = await openEntry(file, entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    throw damaged(error)
  } finally {
    stream?.destroy()
  }
  if (checksum !== entry.crc32) throw damaged()
}

const openEntry = (file: ZipFile, entry: Entry) =>
  new Promise<Readable>((resolve, reject) =>
    file.openReadStream(entry, (error, stream) =>
      error ? reject(error) : resolve(stream),
    ),
  )
