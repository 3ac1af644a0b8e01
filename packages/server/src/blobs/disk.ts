// Blobs in a folder. Invariant: a file under its final name is whole and on the disk; what is still arriving, or was cut off, lies in `incoming`.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@botstead/contract'
import { type Blobs, checkedName, NoSuchBlob } from './blobs.ts'

const leftoverAfterMs = 24 * 3_600_000
/** At a time between us and the disk: enough that the way there costs little beside the bytes. */
const pieceBytes = 262_144

export async function openDiskBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await clearLeftovers(incoming)
  const placeOf = (name: string) => join(folder, ...fanOut(name), name)
  /** `make` makes it whole and durable under the temporary name that it gets. */
  const settle = async <T>(name: string, make: (arriving: string) => Promise<T>): Promise<T> => {
    const place = placeOf(name)
    const arriving = join(incoming, randomUUID())
    try {
      const made = await make(arriving)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      await rename(arriving, place)
      await syncFolder(dirname(place))
      return made
    } catch (error) {
      await rm(arriving, { force: true })
      throw isFull(error)
        ? new ApiError('Unavailable', 'There is no room left to store this content', { cause: error })
        : error
    }
  }
  return {
    write: (name, content) => settle(name, (arriving) => writeDurably(arriving, content)),
    copy: (name, to) => settle(to, (arriving) => copyDurably(placeOf(name), arriving)),
    async read(name, range) {
      const stream = createReadStream(placeOf(name), { ...range, highWaterMark: pieceBytes })
      await once(stream, 'open').catch(noneThere)
      return stream
    },
    remove: (name) => rm(placeOf(name), { force: true }),
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
    createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: pieceBytes, flush: true }),
  )
  return { sha256: hash.digest('hex') }
}

/** A blob never changes, so a second name for it is as good as a copy; the file system counts them. Not every one can, nor without end. */
async function copyDurably(from: string, to: string) {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissing(error)) throw new NoSuchBlob()
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch(noneThere)
    const file = await open(to, 'r+')
    await file.sync().finally(() => file.close())
  }
}

/** Two levels of 256 folders, so that none grows too large. */
function fanOut(name: string): string[] {
  const digest = createHash('sha256').update(checkedName(name)).digest('hex')
  return [digest.slice(0, 2), digest.slice(2, 4)]
}

/** The new name itself must be on the disk too. Windows cannot sync folders, and does not need it. */
async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** What a crash left behind. Young ones may belong to another process. */
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
const noneThere = (error: unknown): never => {
  throw isMissing(error) ? new NoSuchBlob() : error
}
const isFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
