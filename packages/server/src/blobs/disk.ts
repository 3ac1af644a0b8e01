// Blobs in a folder. Invariant: a file under its final name is whole and on the disk; what is still arriving, or was cut off, lies in `incoming`.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { Blobs } from './blobs.ts'

const leftoverAfterMs = 24 * 3_600_000

export async function openDiskBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await clearLeftovers(incoming)
  const placeOf = (name: string) => join(folder, ...fanOut(name), name)
  return {
    async write(name, content) {
      const place = placeOf(name)
      const arriving = join(incoming, randomUUID())
      try {
        const written = await writeDurably(arriving, content)
        await mkdir(dirname(place), { recursive: true, mode: 0o700 })
        await rename(arriving, place)
        await syncFolder(dirname(place))
        return written
      } catch (error) {
        await rm(arriving, { force: true })
        throw isFull(error) ? new ApiError('Unavailable', 'There is no room left to store this content', { cause: error }) : error
      }
    },
    read: (name, range) => createReadStream(placeOf(name), range),
    remove: (name) => rm(placeOf(name), { force: true }),
  }
}

async function writeDurably(path: string, content: Readable) {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** Two levels of 256 folders, so that none grows too large. The name is checked, although only ours come here: a path is built from it. */
function fanOut(name: string): string[] {
  if (!/^\w[\w-]{0,99}$/.test(name)) throw new Error('Not the name of a blob')
  const digest = createHash('sha256').update(name).digest('hex')
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

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
