// Whether another process lives, and whether it is still the same one.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A dead process that its parent has not buried yet does not live: where a container's first process buries nobody, it lies there for ever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return readStat(pid)[0] !== 'Z'
}

/** Tells apart two processes that had the same number, on one boot. Null when there is none that lives, or the system does not say (Linux does). */
export function startOf(pid: number): string | null {
  const fields = readStat(pid)
  return fields[0] === 'Z' ? null : (fields[19] ?? null)
}

/** The fields after the program's name, which stands in brackets and may hold blanks and brackets itself. */
function readStat(pid: number): string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Where a process number means something: a host between two boots, or a container. */
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
