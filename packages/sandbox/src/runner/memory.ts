// Measures the memory of processes with all their descendants. Resident memory backs up the limits
// that the launcher sets, and replaces them on systems without such limits.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { descendants } from '@botstead/lib'

export const megabyte = 1_048_576
const pageBytes = 4096

/**
 * Returns bytes by process id, including descendants; processes that have just ended are missing.
 */
export async function residentBytes(pids: number[]): Promise<Map<number, number>> {
  if (process.platform === 'linux') return new Map(pids.flatMap((pid) => readTree(pid)))
  if (process.platform === 'win32' || pids.length === 0) return new Map()
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], (_error, text) => {
      const rows = text
        .trim()
        .split('\n')
        .map((row) => row.trim().split(/\s+/).map(Number))
      resolve(
        new Map(rows.map(([pid, kilobytes]) => [pid ?? 0, (kilobytes ?? 0) * 1024])),
      )
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

/**
 * Returns the process's share of the memory, with its descendants' (PSS): memory that processes have
 * in common is divided among them. Null where the system does not report it. Costs the kernel up to
 * a millisecond per process.
 */
export async function proportionalBytes(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null
  try {
    const texts = await Promise.all(
      [pid, ...descendants(pid)].map((one) =>
        readFile(`/proc/${one}/smaps_rollup`, 'utf8'),
      ),
    )
    const kilobytes = texts.map((text) => Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1]))
    return kilobytes.reduce((sum, one) => sum + one, 0) * 1024 || null
  } catch {
    // The process has just ended, or belongs to a user that this one may not inspect.
    return null
  }
}
