// Finds a folder in memory for temporary files of the tests. Each test file has a copy of the database, and
// creating its thousand files on a disk costs fifteen times the CPU. As a program, prints the folder.
import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { pathToFileURL } from 'node:url'

const folder = '/dev/shm'
/** All tests fill less than half of it. */
const neededBytes = 6 * 2 ** 30

/** Returns null without a file system in memory that has room and may run programs. */
export function findMemoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const [, , type, options] = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === folder)
    const hasRoom = Math.min(bavail * bsize, freemem()) >= neededBytes
    return type === 'tmpfs' && !options.includes('noexec') && hasRoom ? folder : null
  } catch {
    return null
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(findMemoryFolder() ?? '/tmp')
