import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the bytes of all files below a folder. */
export async function getFolderSize(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
