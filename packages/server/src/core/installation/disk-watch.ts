// Watches the disk of the data folder, because a full disk stops the database: logs a warning, then
// lets the server reject writes (core/http/limits/full-disk.ts). The metrics and doctor report the same
// figures.
import { statfs } from 'node:fs/promises'
import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'

interface DiskSpace {
  freeBytes: number
  totalBytes: number
}
export interface DiskWatch {
  /** Null until the first look. */
  space(): DiskSpace | null
  /** Whether the server rejects writes. */
  isFull(): boolean
  /** Looks at once, after an error for lack of space. */
  look(): void
  stop(): Promise<void>
}

/** Below it, the log and doctor warn. */
const lowFreeShare = 0.15
/** Free space that PostgreSQL keeps for its WAL, and an operator for the repair. */
const reserve = { share: 0.05, maxBytes: 4 * 2 ** 30 }
const paceMs = 60_000
/** While the space is low: a fast writer fills the reserve in about a minute. */
const lowPaceMs = 2_000

export const isFull = ({ freeBytes, totalBytes }: DiskSpace) =>
  freeBytes < Math.min(totalBytes * reserve.share, reserve.maxBytes)

export function startDiskWatch(
  { dataFolder }: { dataFolder: string },
  log: Logger,
  read = readSpace,
): DiskWatch {
  let space: DiskSpace | null = null
  let isLow = false
  let isRejecting = false
  const task = new PeriodicTask({
    task: async () => {
      space = await read(dataFolder)
      const free = toFreeShare(space)
      if (free.isLow && !isLow) {
        const figures = {
          freeMb: Math.floor(space.freeBytes / 1e6),
          freePercent: free.percent,
        }
        log.warn(
          figures,
          'the disk of the data folder is nearly full: free space, or enlarge it',
        )
      }
      isLow = free.isLow
      const wasFull = isRejecting
      isRejecting = isFull(space)
      if (isRejecting && !wasFull)
        log.error(
          { freeMb: Math.floor(space.freeBytes / 1e6) },
          'the disk is full: rejecting writes',
        )
      if (wasFull && !isRejecting) log.info('the disk has space again: accepting writes')
      if (isLow) return lowPaceMs
    },
    paceMs,
    failed: (error) =>
      log.warn({ err: error }, 'cannot read the free space of the data folder'),
  })
  return {
    space: () => space,
    isFull: () => isRejecting,
    look: () => task.within(0),
    stop: () => task.stop(),
  }
}

/** Returns the free share of the disk, and whether it is low. */
function toFreeShare({ freeBytes, totalBytes }: DiskSpace) {
  const share = freeBytes / totalBytes
  return { percent: Math.floor(share * 100), isLow: share < lowFreeShare }
}

async function readSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Free space of the disks of the server. */
export const diskSpace = {
  isFull,
  read: readSpace,
  startWatch: startDiskWatch,
  toFreeShare,
}
