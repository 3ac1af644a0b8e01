// How runner processes come to be: finds out what holds here by starting them (probe.ts), and takes the best way that holds, never one below the
// tier that the operator demands. What was found is told, never assumed; way.ts has the walls themselves.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Writable } from 'node:stream'
import type { Egress } from './egress.ts'
import type { DoorInside } from './frames.ts'
import { megabyte } from './memory.ts'
import { type Held, probe } from './probe.ts'
import { seccompProgram } from './seccomp.ts'
import { freeUser, holdUser } from './users.ts'
import {
  commandOf,
  describeWay,
  doorInside,
  type Measures,
  seccompAt,
  type Tier,
  tierOf,
  type Way,
  waysHere,
} from './way.ts'

export interface Launcher {
  tier: Tier
  /** What it protects with, in words for the operator. */
  protections: string[]
  /** What was tried against it when it was found, in vain. */
  stopped: string[]
  /** Starts a runner that says `ready` on file descriptor 3. */
  start(memoryMb: number): Started
  /** How many bytes of memory a runner with this budget may really use. */
  residentLimit(memoryMb: number): number
}

/** A runner, and where it finds its socket to the server (egress.ts); null where there is none. */
export interface Started {
  child: ChildProcess
  door: DoorInside | null
}

export interface LaunchOptions {
  /** Below it nothing is started. */
  minTier?: Tier
  /** Nothing above it is tried. */
  maxTier?: Tier
  /** What gives each process its socket to the server. */
  egress?: Egress | null
  ways?: Way[]
}

export interface Found {
  launcher: Launcher | null
  /** Why there is nothing better. */
  missed: string[]
}

export async function findLauncher(options: LaunchOptions = {}): Promise<Found> {
  const { proven, missed } = await findWay(options)
  return { launcher: proven && launcherOf(proven, options.egress ?? null), missed }
}

/** A way, and what it was seen to hold. */
export interface Proven {
  way: Way
  held: Held
}

export async function findWay({
  minTier = 1,
  maxTier = 2,
  egress = null,
  ways = waysHere(),
}: LaunchOptions = {}): Promise<{
  proven: Proven | null
  missed: string[]
}> {
  const missed: string[] = []
  if (!ways.some((way) => tierOf(way) === 2)) missed.push('tier 2: bubblewrap (bwrap) is not installed')
  for (const way of ways) {
    const tier = tierOf(way)
    if (tier < minTier || tier > maxTier) continue
    const held = await probe(
      (changes) => startRunner({ ...way, ...changes }, { memoryMb: 64, dataBytes: null }, egress).child,
      tier,
      way,
    )
    if (typeof held !== 'string') return { proven: { way, held }, missed }
    missed.push(`tier ${tier}: ${held}`)
  }
  return { proven: null, missed }
}

// Stacks of Node's own threads, which it starts when first needed.
const threadBytes = 32 * megabyte
const unknownResident = 64 * megabyte

export function launcherOf({ way, held: { baseline, stopped } }: Proven, egress: Egress | null): Launcher {
  return {
    tier: tierOf(way),
    protections: describeWay(way),
    stopped,
    start: (memoryMb) =>
      startRunner(
        way,
        { memoryMb, dataBytes: baseline && baseline.dataBytes + threadBytes + memoryMb * megabyte },
        egress,
      ),
    residentLimit: (memoryMb) => (baseline?.residentBytes ?? unknownResident) + memoryMb * megabyte,
  }
}

let host: Buffer | null = null
/** Compiled, also when the server itself runs from its sources. */
function hostText(): Buffer {
  host ??= readFileSync(new URL('../../dist/sandbox/bot-host.js', import.meta.url))
  return host
}

function startRunner(way: Way, measures: Omit<Measures, 'door'>, egress: Egress | null): Started {
  const user = way.ownUser ? freeUser() : null
  const door = egress && hasSocketFiles ? egress.open(user) : null
  try {
    const child = spawnRunner(way, { ...measures, door: door?.path ?? null }, user)
    child.on('error', () => door?.close()).on('exit', () => door?.close())
    return { child, door: door && insideOf(way, door.path) }
  } catch (error) {
    door?.close()
    throw error
  }
}

const hasSocketFiles = process.platform !== 'win32'

/** Where a process has a network, only its calls to our API go through the door: by that the API knows whose they are. */
const insideOf = (way: Way, path: string): DoorInside =>
  way.bwrap ? { path: doorInside, isOnlyWay: true } : { path, isOnlyWay: false }

function spawnRunner(way: Way, measures: Measures, user: number | null): ChildProcess {
  const [program, ...parameters] = commandOf(way, measures)
  const child = spawn(program!, parameters, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...(way.seccomp ? ['pipe' as const] : [])],
    detached: true,
    env: {},
    cwd: '/',
    windowsHide: true,
    ...(user && { uid: user, gid: user }),
  })
  child.on('error', () => {})
  // Out of file descriptors, Node leaves even the streams out.
  if (!child.stdin) throw new Error('too many open files')
  for (const stream of child.stdio) stream?.on('error', () => {})
  if (child.pid && !(way.nice && way.choom)) humble(child.pid)
  if (user) holdUser(user, child)
  if (way.seccomp) (child.stdio[seccompAt] as Writable).end(seccompProgram())
  child.stdin.end(hostText())
  return child
}

/** Last in line for the processor, first for the kernel when memory runs out. Before the first thread starts, which inherits it. */
function humble(pid: number): void {
  try {
    setPriority(pid, 19)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // It has just ended, or the system says no: nothing depends on it.
  }
}
