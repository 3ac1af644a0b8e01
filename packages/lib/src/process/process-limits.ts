// Reads the system limits of this process. A low limit would otherwise show later, as a database
// that does not start or a connection that fails.
import { readFileSync } from 'node:fs'
import { StartError } from './start-error.ts'

interface ProcessLimit {
  /** Name for the operator. */
  name: string
  /** Shell command that sets it. */
  command: string
  value: number
  needed: number
}

const checkedLimits = [
  { line: 'Max open files', name: 'open files', command: 'ulimit -n', needed: 512 },
  {
    line: 'Max processes',
    name: 'processes and threads of this user',
    command: 'ulimit -u',
    needed: 256,
  },
]

/**
 * Returns the soft limits on Linux, otherwise an empty list. Node raises the soft limit to the hard
 * one at startup.
 */
export function readProcessLimits(text = readOwnLimits()): ProcessLimit[] {
  return checkedLimits.flatMap(({ line, ...limit }) => {
    const soft = new RegExp(`^${line} +(\\S+)`, 'm').exec(text)?.[1]
    if (!soft) return []
    return [
      { ...limit, value: soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) },
    ]
  })
}

function readOwnLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

/** Describes the first limit with which the server does not start; null without one. */
export function findLowLimit(limits = readProcessLimits()): string | null {
  const low = limits.find(({ value, needed }) => value < needed)
  return low ? describe(low) : null
}

const describe = ({ name, command, value, needed }: ProcessLimit) =>
  `The limit on ${name} is ${value} (${command}), but the server and its database need at least ` +
  `${needed}: raise it with LimitNOFILE and LimitNPROC in a systemd unit, or --ulimit for a container`

/** Throws StartError for the first limit that is too low. */
export function checkProcessLimits(limits = readProcessLimits()): void {
  const low = findLowLimit(limits)
  if (low) throw new StartError(low)
}
