// Files of archives.
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { renameDurably } from '@botstead/lib'
import { ArchiveError } from './format/archive-error.ts'

/**
 * Writes to `<file>.part` and renames it after a complete write and flush. Only the owner can read
 * the file.
 */
export async function writeAtomically<Result>(
  file: string,
  write: (out: WriteStream) => Promise<Result>,
): Promise<Result> {
  if (await stat(file).catch(() => null))
    throw new ArchiveError(`${file} already exists: choose another name, or delete it`)
  const partial = `${file}.part`
  await rm(partial, { force: true })
  const out = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  await once(out, 'open').catch((error) => {
    throw new ArchiveError(`Cannot write ${partial} (${error.code})`)
  })
  try {
    const result = await write(out)
    await renameDurably(partial, file)
    return result
  } catch (error) {
    out.destroy()
    await rm(partial, { force: true })
    throw error
  }
}
