// How much memory processes really hold, with all that they started. The second line behind the limits that the launcher sets, and the only one where the
// system has none.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

export const megabyte = 1_048_576
const pageBytes = 4096

/** Bytes by process id, descendants included; processes that have just ended are left out. */
export async function residentBytes(pids: number[]): Promise<Map<number, number>> {
  if (process.platform === 'linux') return new Map(pids.flatMap((pid) => readTree(pid)))
  if (process.platform === 'win32' || pids.length === 0) return new Map()
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], (_error, text) => {
      const rows = text
        .trim()
        .split('\n')
        .map((row) => row.trim().split(/\s+/).map(Number))
      resolve(new Map(rows.map(([pid, kilobytes]) => [pid ?? 0, (kilobytes ?? 0) * 1024])))
    })
  })
}

function readTree(pid: number): [number, number][] {
  try {
    let bytes = 0
    for (const one of [pid, ...descendants(pid)]) bytes += readResident(one)
    return [[pid, bytes]]
  } catch {
    return []
  }
}

const readResident = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes

/** All that it started, near to far; bubblewrap stands between us and the process that runs the code. */
export function descendants(pid: number): number[] {
  const found = children(pid)
  return found.length === 0 ? [] : [...found, ...found.flatMap(descendants)]
}

function children(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    // It has just ended, or this kernel does not tell.
    return []
  }
}
