// The file format: a gzipped tar. First comes `archive.json`, the heading; then the parts, each
// split into entries `<path>/000001`, `<path>/000002` …; then `manifest.json` with the size and
// SHA-256 of each part; then the signature. Reading and writing stream everything except the
// manifest. A reader knows only at the end that the archive is valid, and must not commit anything
// before.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { isSignedBy, type Signer, toFingerprint } from '@botstead/lib'
import { ArchiveError } from './archive-error.ts'
import {
  type Entry,
  endOfArchive,
  entryHeader,
  maxEntryBytes,
  padding,
  readEntries,
} from './tar.ts'

const formatVersion = 1

export interface ArchiveHeading {
  format: 'botstead workspace' | 'botstead installation' | 'botstead changes'
  madeAt: string
  /** Of Botstead. */
  version: string
}
interface PartSum {
  path: string
  bytes: number
  sha256: string
}
interface Manifest {
  heading: string
  parts: PartSum[]
}
export interface Part {
  path: string
  content: AsyncIterable<Buffer>
}

export interface ArchiveWriter {
  /** Writes a part and returns its bytes. */
  part(path: string, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Returns the number of parts and bytes, and the signer. */
  end(): Promise<{ parts: number; bytes: number; signer: string }>
  abandon(): void
}

/** Returns a function to call after each of `total` parts; it adds the share that is written. */
export function countParts(
  total: number,
  onProgress: (part: string, bytes: number, share: number) => void = () => {},
) {
  let written = 0
  return (part: string, bytes: number) => onProgress(part, bytes, ++written / total)
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

export async function writeArchive<Content extends ArchiveHeading>(
  out: Writable,
  signer: Signer,
  heading: Content,
): Promise<ArchiveWriter> {
  const gzip = createGzip({ level: 4 })
  const written = pipeline(gzip, out)
  written.catch(() => {})
  const write = async (bytes: Buffer) => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written])
  }
  const entry = async (name: string, content: Buffer) => {
    await write(entryHeader(name, content.length))
    await write(content)
    await write(padding(content.length))
  }
  const first = Buffer.from(
    JSON.stringify({ ...heading, formatVersion, signer: signer.publicKey }),
  )
  await entry('archive.json', first)
  const parts: PartSum[] = []
  return {
    async part(path, content) {
      const hash = createHash('sha256')
      let bytes = 0
      let count = 0
      for await (const piece of inPieces(content)) {
        hash.update(piece)
        bytes += piece.length
        await entry(`${path}/${String(++count).padStart(6, '0')}`, piece)
      }
      parts.push({ path, bytes, sha256: hash.digest('hex') })
      return bytes
    },
    async end() {
      const manifest = Buffer.from(
        JSON.stringify({ heading: sha256(first), parts } satisfies Manifest),
      )
      const signature = signer.sign(manifest)
      for await (const piece of inPieces([manifest])) await entry('manifest.json', piece)
      await entry('signature', Buffer.from(signature))
      gzip.end(endOfArchive())
      await written
      return {
        parts: parts.length,
        bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
        signer: toFingerprint(signer.publicKey),
      }
    },
    abandon: () => void gzip.destroy(),
  }
}

/**
 * Splits content into pieces of the maximum entry size; yields at least one piece, which may be
 * empty.
 */
async function* inPieces(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let length = 0
  for await (let chunk of content) {
    while (length + chunk.length > maxEntryBytes) {
      const remaining = maxEntryBytes - length
      yield Buffer.concat([...held, chunk.subarray(0, remaining)])
      chunk = chunk.subarray(remaining)
      held = []
      length = 0
    }
    held.push(chunk)
    length += chunk.length
  }
  yield Buffer.concat(held)
}

export interface ArchiveReader {
  heading: Record<string, unknown>
  /** The signer's fingerprint. It is verified when `parts` has ended. */
  signer: string
  /**
   * Read each part to its end before the next. Throws ArchiveError at the end if the archive was
   * modified.
   */
  parts(): AsyncGenerator<Part>
  close(): void
}

/**
 * `maxBytes` limits the unpacked size, since a small file can expand without end. Throws
 * ArchiveError for a file of another format.
 */
export async function readArchive(
  file: string | Readable,
  format: ArchiveHeading['format'],
  maxBytes: number,
): Promise<ArchiveReader> {
  const input = typeof file === 'string' ? createReadStream(file) : file
  const gunzip = createGunzip()
  const read = pipeline(input, gunzip)
  read.catch(() => {})
  const entries = readEntries(bounded(gunzip, maxBytes))
  try {
    const first = await readNext(entries)
    if (first.name !== 'archive.json')
      throw new ArchiveError(
        `${typeof file === 'string' ? file : 'The input'} is not a Botstead archive`,
      )
    const heading = parse(first.content)
    const { signer } = checkHeading(heading, format)
    return {
      heading,
      signer: toFingerprint(signer),
      parts: () => readParts(entries, first.content, signer),
      close: () => void input.destroy(),
    }
  } catch (error) {
    input.destroy()
    throw explained(error)
  }
}

async function* bounded(
  source: AsyncIterable<Buffer>,
  most: number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > most)
      throw new ArchiveError(
        `The archive unpacks to more than ${Math.round(most / 2 ** 20)} MB: if you trust it, set a ` +
          'higher limit with --max-mb of the command line',
      )
    yield chunk
  }
}

async function readNext(entries: AsyncGenerator<Entry>): Promise<Entry> {
  const { done, value } = await entries.next().catch((error) => {
    throw explained(error)
  })
  if (done) throw new ArchiveError('The archive is truncated: copy or create it again')
  return value
}

/** zlib reports only low-level errors for truncated and foreign files. */
const explained = (error: unknown) =>
  (error as { code?: string }).code?.startsWith('Z_')
    ? new ArchiveError('The file is not a Botstead archive, or it is damaged', {
        cause: error,
      })
    : error

function checkHeading(
  heading: Record<string, unknown>,
  format: ArchiveHeading['format'],
): { signer: string } {
  if (heading.format !== format) {
    const other = {
      'botstead workspace': 'a workspace: use botstead import',
      'botstead installation': 'a whole installation: use botstead restore',
      'botstead changes': 'a move',
    }
    const known = other[heading.format as ArchiveHeading['format']]
    throw new ArchiveError(
      known ? `This is an archive of ${known}` : 'The file is not a Botstead archive',
    )
  }
  if (heading.formatVersion !== formatVersion)
    throw new ArchiveError(
      'This version of Botstead does not know the format of the archive: use the version that made it',
    )
  if (typeof heading.signer !== 'string')
    throw new ArchiveError('The archive does not name its signer')
  return { signer: heading.signer }
}

function parse(content: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // the error is thrown below
  }
  throw new ArchiveError('The archive is damaged: a part of it is not valid JSON')
}

async function* readParts(
  entries: AsyncGenerator<Entry>,
  first: Buffer,
  signer: string,
): AsyncGenerator<Part> {
  const seen: PartSum[] = []
  let entry = await readNext(entries)
  while (entry.name !== 'manifest.json') {
    const path = entry.name.replace(/\/000001$/, '')
    if (path === entry.name)
      throw new ArchiveError(`The archive has ${entry.name} in the wrong place`)
    const hash = createHash('sha256')
    const sum = { path, bytes: 0 }
    let over = false
    async function* content(): AsyncGenerator<Buffer> {
      for (
        let count = 1;
        entry.name === `${path}/${String(count).padStart(6, '0')}`;
        count++
      ) {
        hash.update(entry.content)
        sum.bytes += entry.content.length
        yield entry.content
        entry = await readNext(entries)
      }
      over = true
    }
    yield { path, content: content() }
    if (!over) throw new Error(`${path} was not read to its end`)
    seen.push({ ...sum, sha256: hash.digest('hex') })
  }
  await checkManifest(entries, entry, { heading: sha256(first), parts: seen }, signer)
}

/** Computes the expected manifest and compares it as text. */
async function checkManifest(
  entries: AsyncGenerator<Entry>,
  first: Entry,
  seen: Manifest,
  signer: string,
) {
  const pieces = [first.content]
  let entry = await readNext(entries)
  for (; entry.name === 'manifest.json'; entry = await readNext(entries))
    pieces.push(entry.content)
  const manifest = Buffer.concat(pieces)
  if (
    entry.name !== 'signature' ||
    !isSignedBy(signer, manifest, entry.content.toString('latin1'))
  )
    throw new ArchiveError(
      'The signature of the archive is invalid: the archive was modified after it was made',
    )
  if (manifest.toString('utf8') !== JSON.stringify(seen))
    throw new ArchiveError(
      `The archive was modified: ${whichDiffers(parse(manifest), seen)}`,
    )
  if (!(await entries.next()).done)
    throw new ArchiveError('The archive has data after its end')
}

function whichDiffers({ parts }: Record<string, unknown>, seen: Manifest): string {
  const written = Array.isArray(parts) ? (parts as PartSum[]) : []
  const at = seen.parts.findIndex(
    (part, nth) => JSON.stringify(part) !== JSON.stringify(written[nth]),
  )
  return `${(seen.parts[at] ?? written[seen.parts.length])?.path ?? 'its heading'} differs from the manifest`
}
