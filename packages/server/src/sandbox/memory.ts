// How much memory processes really hold. The second line behind the limits that the launcher sets, and the only one where the system has none.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

const pageBytes = 4096

/** Bytes by process id; processes that have just ended are left out. */
export async function residentBytes(pids: number[]): Promise<Map<number, number>> {
  if (process.platform === 'linux') return new Map(pids.flatMap((pid) => readResident(pid)))
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

function readResident(pid: number): [number, number][] {
  try {
    return [[pid, Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes]]
  } catch {
    return []
  }
}
