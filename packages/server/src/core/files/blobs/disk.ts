// Blobs in a folder. Invariant: a file under its final name is complete and on disk; unfinished
// uploads are in `incoming`.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { constants, copyFile, link, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@botstead/contract'
import { makeFolder, renameDurably } from '@botstead/lib'
import { BlobNotFound, type Blobs, checkedName } from './blobs.ts'

const leftoverAfterMs = 24 * 3_600_000
/** Large enough that the overhead of file system calls is small. */
const pieceBytes = 262_144

/** Calls `onDiskFull` when the disk has no space for a blob. */
export async function openDiskBlobs(
  folder: string,
  onDiskFull = () => {},
): Promise<Blobs> {
  const incoming = join(folder, 'incoming')
  await makeFolder(incoming)
  await clearLeftovers(incoming)
  const toPath = (name: string) => join(folder, ...fanOut(name), name)
  /** Calls `make` to create a complete and durable file under a temporary name, then renames it. */
  const settle = async <T>(
    name: string,
    make: (arriving: string) => Promise<T>,
  ): Promise<T> => {
    const path = toPath(name)
    const arriving = join(incoming, randomUUID())
    try {
      const made = await make(arriving)
      await makeFolder(dirname(path))
      await renameDurably(arriving, path)
      return made
    } catch (error) {
      await rm(arriving, { force: true })
      if (!isFull(error)) throw error
      onDiskFull()
      throw new ApiError(
        'Unavailable',
        'The server has no disk space left for this content',
        {
          cause: error,
        },
      )
    }
  }
  return {
    write: (name, content) => settle(name, (arriving) => writeDurably(arriving, content)),
    copy: (name, to) => settle(to, (arriving) => copyDurably(toPath(name), arriving)),
    async read(name, range) {
      const stream = createReadStream(toPath(name), {
        ...range,
        highWaterMark: pieceBytes,
      })
      await once(stream, 'open').catch(rethrow)
      return stream
    },
    remove: (name) => rm(toPath(name), { force: true }),
  }
}

async function writeDurably(path: string, content: Readable) {
  const hash = createHash('sha256')
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(
    content,
    hashed,
    createWriteStream(path, {
      flags: 'wx',
      mode: 0o600,
      highWaterMark: pieceBytes,
      flush: true,
    }),
  )
  return { sha256: hash.digest('hex') }
}

/**
 * Creates a hard link, since blobs never change. Falls back to a copy, because some file systems
 * lack hard links or limit their number.
 */
async function copyDurably(from: string, to: string) {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissing(error)) throw new BlobNotFound()
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch(
      rethrow,
    )
    const file = await open(to, 'r+')
    await file.sync().finally(() => file.close())
  }
}

/** Spreads files over two levels of 256 folders. */
function fanOut(name: string): string[] {
  const digest = createHash('sha256').update(checkedName(name)).digest('hex')
  return [digest.slice(0, 2), digest.slice(2, 4)]
}

/** Removes leftovers of crashes. Recent files may belong to another process. */
async function clearLeftovers(incoming: string) {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > leftoverAfterMs) await rm(path, { force: true })
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
const rethrow = (error: unknown): never => {
  throw isMissing(error) ? new BlobNotFound() : error
}
const isFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
