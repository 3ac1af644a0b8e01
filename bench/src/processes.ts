// Starts child processes, waits until they are ready, and stops them at the end of the run. Reads
// their CPU time and memory from /proc (Linux only).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface RunningProgram {
  pid: number
  child: ChildProcess
  /** The first line of its stdout, with `readyLine`. */
  line: string
  stop(): Promise<void>
}

const graceMs = 15_000
const running = new Set<ChildProcess>()
let isInterrupted = false

/**
 * After SIGINT or SIGTERM, stops all programs and starts no more; then the run fails and removes
 * its temporary folders.
 */
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.exitCode = 1
    isInterrupted = true
    for (const child of running) child.kill('SIGTERM')
  })
}

interface ProgramOptions {
  env: NodeJS.ProcessEnv
  cwd?: string
  /** Waits for the first line of its stdout. */
  readyLine: boolean
  /** Default: Node. */
  program?: string
  /** A file for its stderr. Default: the stderr of this process. */
  stderr?: number
  /** Default: the user of this process. */
  user?: { uid: number; gid: number }
}

export async function startProgram(
  name: string,
  args: string[],
  options: ProgramOptions,
): Promise<RunningProgram> {
  if (isInterrupted) throw new Error('The run was interrupted')
  const { program = process.execPath, stderr = 'inherit', user } = options
  const child = spawn(program, args, {
    env: options.env,
    stdio: ['ignore', 'pipe', stderr],
    ...(options.cwd && { cwd: options.cwd }),
    ...user,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const lines = createInterface({ input: child.stdout! })
  const ended = once(child, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`${name} exited before it was ready (${code ?? signal})`)),
  )
  ended.catch(() => {})
  const line = options.readyLine
    ? (await Promise.race([once(lines, 'line'), ended]))[0]
    : ''
  return { pid: child.pid!, child, line, stop: () => stop(child) }
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  child.kill('SIGTERM')
  await exited
  clearTimeout(killTimer)
}

const ticksPerSecond = 100

interface Stat {
  pid: number
  parent: number
  /** With those of reaped children. */
  ticks: number
  ownTicks: number
}

/**
 * Returns the CPU milliseconds that these processes and their descendants have used, without those
 * of `excluded`: the server's database is its child. Includes reaped children. NaN without /proc.
 */
export function cpuMs(roots: number[], excluded: number[] = []): number {
  const stats = readStats()
  if (!stats) return Number.NaN
  const ignored = descendants(stats, excluded)
  const counted = descendants(stats, roots)
  return stats
    .filter(({ pid }) => counted.has(pid) && !ignored.has(pid))
    .reduce((sum, { ticks }) => sum + (ticks * 1000) / ticksPerSecond, 0)
}

/** Returns the CPU milliseconds of one process with its threads. NaN without /proc. */
export const ownCpuMs = (pid: number): number => {
  const found = readStats()?.find((stat) => stat.pid === pid)
  return found ? (found.ownTicks * 1000) / ticksPerSecond : Number.NaN
}

/** Returns the processes below this one; none without /proc. */
export function listDescendants(root: number): number[] {
  const stats = readStats()
  return stats ? [...descendants(stats, [root])].filter((pid) => pid !== root) : []
}

function descendants(stats: Stat[], roots: number[]): Set<number> {
  const found = new Set(roots)
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent } of stats) if (found.has(parent)) found.add(pid)
  }
  return found
}

function readStats(): Stat[] | null {
  if (process.platform !== 'linux') return null
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)))
}

function readStat(pid: number): Stat[] {
  try {
    // The process name in parentheses may contain any characters: split after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .split(') ')
      .at(-1)!
      .split(' ')
    const sumFields = (places: number[]) =>
      places.reduce((sum, at) => sum + Number(fields[at]), 0)
    return [
      {
        pid,
        parent: Number(fields[1]),
        ticks: sumFields([11, 12, 13, 14]),
        ownTicks: sumFields([11, 12]),
      },
    ]
  } catch {
    return [] // The process has exited.
  }
}

/** Returns the resident memory of a process in KB; NaN without /proc. */
export function residentKb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
}
