// The temporary folder of a runner: a tmpfs in the namespaces of its process, so it disappears with
// the process. The mount limits its bytes (isolation.ts) but not its number of files. Each empty
// file costs kernel memory that no limit of the process counts, so the watchdog counts it here.
import { statfsSync } from 'node:fs'
import { descendants } from '@botstead/lib'
import { megabyte } from './runner/memory.ts'
import { temporaryFolder } from './serverless-node.ts'

export const temporaryBytes = 64 * megabyte

/** Kernel memory of an empty file: inode and directory entry. */
const bytesPerFile = 1_024

/**
 * Returns the memory of a runner's folder, or 0 when it has none or the system hides it from the
 * server.
 */
export function bytesInTemporaryFolder(pid: number): number {
  // The started process stays outside the namespaces; its child is inside.
  const [inside] = descendants(pid)
  if (inside === undefined) return 0
  try {
    const { bsize, blocks, bfree, files, ffree } = statfsSync(
      `/proc/${inside}/root${temporaryFolder}`,
    )
    // Until its root is set up, the child sees the machine's own folder, which has another size.
    if (bsize * blocks !== temporaryBytes) return 0
    return bsize * (blocks - bfree) + bytesPerFile * (files - ffree)
  } catch {
    return 0
  }
}
