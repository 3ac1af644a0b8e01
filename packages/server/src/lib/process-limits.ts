// The limits of the system on this process. One that is too low shows late and elsewhere: as a database
// that does not start, or a connection that is refused.
import { readFileSync } from 'node:fs'
import { StartError } from './start-error.ts'

export interface ProcessLimit {
  /** As an operator knows it. */
  name: string
  /** What sets it in a shell. */
  command: string
  value: number
  needed: number
}

const known = [
  { line: 'Max open files', name: 'open files', command: 'ulimit -n', needed: 512 },
  { line: 'Max processes', name: 'processes and threads of this user', command: 'ulimit -u', needed: 256 },
]

/**
 * Of Linux; empty where the system does not tell. Node has raised the soft limit to the hard one, so what
 * is left is the hard one.
 */
export function readProcessLimits(text = readOwnLimits()): ProcessLimit[] {
  return known.flatMap(({ line, ...limit }) => {
    const soft = new RegExp(`^${line} +(\\S+)`, 'm').exec(text)?.[1]
    if (!soft) return []
    return [{ ...limit, value: soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) }]
  })
}

function readOwnLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

export const tooLow = ({ name, command, value, needed }: ProcessLimit) =>
  `The limit on ${name} is ${value} (${command}), and a server with its database needs ${needed} or more: raise it, with LimitNOFILE and LimitNPROC in a systemd unit, or --ulimit in a container`

/** Throws StartError for the first limit that is too low. */
export function checkProcessLimits(limits = readProcessLimits()): void {
  const low = limits.find(({ value, needed }) => value < needed)
  if (low) throw new StartError(tooLow(low))
}
