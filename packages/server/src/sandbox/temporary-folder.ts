// The temporary folder of a runner: a file system in memory, in the namespaces of its process, so it ends with that process however it ends. Its bytes are
// bounded by its mount (way.ts). Its files are not: each empty one costs kernel memory that no limit of the process counts, so the watchdog counts them here.
import { statfsSync } from 'node:fs'
import { descendants, megabyte } from './memory.ts'
import { temporaryFolder } from './serverless-node.ts'

export const temporaryBytes = 64 * megabyte

/** Of an empty file: inode and directory entry. */
const bytesPerFile = 1_024

/** Memory that the folder of a runner takes. 0 where it has none, or the system hides it from the server. */
export function bytesInTemporaryFolder(pid: number): number {
  // The process that was started stays outside the namespaces; its child is inside.
  const [inside] = descendants(pid)
  if (inside === undefined) return 0
  try {
    const { bsize, blocks, bfree, files, ffree } = statfsSync(`/proc/${inside}/root${temporaryFolder}`)
    // Until its root is set up, the child sees the folder of the machine, which has another size.
    if (bsize * blocks !== temporaryBytes) return 0
    return bsize * (blocks - bfree) + bytesPerFile * (files - ffree)
  } catch {
    return 0
  }
}
