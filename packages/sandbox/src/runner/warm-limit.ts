// How many processes may stay warm: as many as fit into half of the machine's memory by their
// measured share of it (PSS), at least eight. Where the system does not report the share, resident
// memory counts, which includes what processes have in common.
import { totalmem } from 'node:os'
import { megabyte, proportionalBytes } from './memory.ts'

interface Measurable {
  pid: number
  usedAt: number
  /** Counts where the system does not report the share. */
  residentBytes: number | null
}

interface WarmLimit {
  readonly max: number
  /**
   * How many processes may run, with the busy ones: the others count as `assumedBytes` of the other
   * half of the memory, because a busy process needs more.
   */
  readonly maxRunning: number
  /**
   * Measures some of the processes: new ones, and those used since their last measurement. Call it
   * with all processes. Never rejects.
   */
  measure(processes: Measurable[]): Promise<void>
}

const assumedBytes = 64 * megabyte
const minProcesses = 8
/** Each process also needs open files and process ids. */
const maxProcesses = 500
const atATime = 16
const paceMs = 60_000

/** `maxWarm` is a further limit. */
export function createWarmLimit(
  maxWarm: number | undefined,
  memory = availableBytes() / 2,
): WarmLimit {
  const most = maxWarm ?? Math.max(maxProcesses, Math.floor(memory / assumedBytes))
  let measured = new Map<number, { bytes: number; at: number }>()
  const getMeasuredAt = (pid: number) => measured.get(pid)?.at ?? Number.NEGATIVE_INFINITY
  let max = toMaxProcesses(assumedBytes)

  function toMaxProcesses(bytes: number): number {
    return Math.min(most, Math.max(minProcesses, Math.floor(memory / bytes)))
  }

  return {
    get max() {
      return max
    },
    get maxRunning() {
      return max + toMaxProcesses(assumedBytes)
    },
    async measure(processes) {
      const now = performance.now()
      const due = processes
        .filter(({ pid, usedAt }) => getMeasuredAt(pid) < Math.min(usedAt, now - paceMs))
        .sort((a, b) => getMeasuredAt(a.pid) - getMeasuredAt(b.pid))
        .slice(0, atATime)
      const found = await Promise.all(
        due.map(async ({ pid, residentBytes }) => ({
          pid,
          bytes: (await proportionalBytes(pid)) ?? residentBytes,
        })),
      )
      for (const { pid, bytes } of found) if (bytes) measured.set(pid, { bytes, at: now })
      const pids = new Set(processes.map(({ pid }) => pid))
      measured = new Map([...measured].filter(([pid]) => pids.has(pid)))
      const all = [...measured.values()].map(({ bytes }) => bytes)
      if (all.length > 0)
        max = toMaxProcesses(all.reduce((sum, bytes) => sum + bytes, 0) / all.length)
    },
  }
}

/** The memory of the machine or, if it is smaller, of the container. */
const availableBytes = () =>
  Math.min(totalmem(), process.constrainedMemory?.() || totalmem())
