// Detects whether another process is alive, and whether it is still the same process.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Returns false for a zombie: in a container without an init process, zombies stay forever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return readStat(pid)[0] !== 'Z'
}

/**
 * Returns the start time, which distinguishes processes with the same id during one boot. Null when
 * no such process is alive, or the system does not report it (Linux does).
 */
export function readProcessStart(pid: number): string | null {
  const fields = readStat(pid)
  return fields[0] === 'Z' ? null : (fields[19] ?? null)
}

/** Returns the start time in seconds since 1970, by the clock of now; null where it is unknown. */
export function readStartTime(pid: number): number | null {
  const ticks = readProcessStart(pid)
  const boot = /^btime (\d+)$/m.exec(
    orNothing(() => readFileSync('/proc/stat', 'utf8')),
  )?.[1]
  return ticks === null || boot === undefined
    ? null
    : Number(boot) + Number(ticks) / ticksPerSecond
}

/** Of the kernel's figures for processes (USER_HZ), on all platforms of Node. */
const ticksPerSecond = 100

/**
 * Returns the fields after the program's name, which is in brackets and may itself contain spaces
 * and brackets.
 */
export function readStat(pid: number): string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Identifies the scope in which a process id is valid: a boot of a host, or a container. */
export function findMachine(): string {
  const boot = orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
  const container = orNothing(() => readlinkSync('/proc/self/ns/pid'))
  return [hostname(), boot.trim(), container].join(' ')
}

function orNothing(read: () => string): string {
  try {
    return read()
  } catch {
    return '' // not Linux
  }
}

/**
 * Lists all descendants, parents first; with bubblewrap, the process that runs the code is a
 * grandchild.
 */
export function descendants(pid: number): number[] {
  const found = children(pid)
  return found.length === 0 ? [] : [...found, ...found.flatMap(descendants)]
}

function children(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    // The process has just ended, or the kernel does not provide this file.
    return []
  }
}
