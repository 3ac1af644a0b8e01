// Files that survive a power failure. A file is written under a temporary name, synced and renamed;
// then its folder is synced, because otherwise the rename, or a new folder, may be lost.
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file at once: a reader, or a start after a crash, sees the old or the new content. */
export async function writeDurably(
  file: string,
  content: string | Buffer,
  mode = 0o600,
): Promise<void> {
  const draft = `${file}.new`
  const handle = await open(draft, 'w', mode)
  try {
    // The draft of an interrupted write keeps its mode.
    await handle.chmod(mode)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await renameDurably(draft, file)
}

/** Renames a file with synced content, or a folder. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Creates a folder with all missing parents. */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode })
  if (first === undefined) return
  const end = dirname(first)
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    await syncFolder(parent)
    if (parent === end || parent === dirname(parent)) return
  }
}

/** Does nothing where folders cannot be opened or synced: on Windows, and on some file systems. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  const ignore = (error: NodeJS.ErrnoException) => {
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(error.code ?? '')) throw error
  }
  await handle
    ?.sync()
    .catch(ignore)
    .finally(() => handle.close())
}
