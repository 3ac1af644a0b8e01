// Selects how runner processes are started. Probes each candidate by starting real processes
// (probe.ts) and takes the strongest that passes, never one below the tier that the operator
// requires. The report contains only probed results. isolation.ts has the isolation itself.
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Egress } from './egress.ts'
import {
  availableIsolations,
  describeIsolation,
  egressSocketInside,
  getTier,
  type Isolation,
  type LaunchLimits,
  seccompAt,
  type Tier,
  toCommand,
} from './isolation.ts'
import { type ProbeResult, probe } from './probe.ts'
import type { EgressSocketInside } from './runner/frames.ts'
import { megabyte } from './runner/memory.ts'
import { startProcess } from './runner/start-process.ts'
import { type StartedProcess, Starter } from './runner/starter.ts'
import { freeUser, holdUser } from './users.ts'

export interface Launcher {
  tier: Tier
  /** The protections in use, as shown to the operator. */
  protections: string[]
  /** The attacks that the probe tried and that failed. */
  stopped: string[]
  /** Resolves when a start is short: a large server first needs a small process that starts others. */
  ready(): Promise<void>
  /** Starts a runner, which then sends `ready` on file descriptor 3. */
  start(memoryMb: number): StartedRunner
  /** Returns the resident bytes that a runner with this budget may use. */
  residentLimit(memoryMb: number): number
}

/** A runner and its socket to the server (egress.ts), or null without one. */
interface StartedRunner {
  child: StartedProcess
  egressSocket: EgressSocketInside | null
}

export interface LaunchOptions {
  /** Ways below this tier are skipped. */
  minTier?: Tier
  /** Ways above this tier are skipped. */
  maxTier?: Tier
  /** Creates the socket to the server for each process. */
  egress?: Egress | null
  isolations?: Isolation[]
}

export interface FoundLauncher {
  launcher: Launcher | null
  /** Why stronger ways were not chosen. */
  missed: string[]
}

export async function findLauncher(options: LaunchOptions = {}): Promise<FoundLauncher> {
  const { proven, missed } = await findIsolation(options)
  return { launcher: proven && createLauncher(proven, options.egress ?? null), missed }
}

/** A way and the result of its probe. */
interface VerifiedIsolation {
  isolation: Isolation
  result: ProbeResult
}

export async function findIsolation({
  minTier = 1,
  maxTier = 2,
  egress = null,
  isolations = availableIsolations(),
}: LaunchOptions = {}): Promise<{
  proven: VerifiedIsolation | null
  missed: string[]
}> {
  const missed: string[] = []
  if (!isolations.some((way) => getTier(way) === 2))
    missed.push('tier 2: bubblewrap (bwrap) is not installed')
  for (const isolation of isolations) {
    const tier = getTier(isolation)
    if (tier < minTier || tier > maxTier) continue
    const result = await probe(
      (changes) =>
        startRunner(
          { ...isolation, ...changes },
          { memoryMb: 64, dataBytes: null },
          egress,
        ).child,
      tier,
      isolation,
    )
    if (typeof result !== 'string') return { proven: { isolation, result }, missed }
    missed.push(`tier ${tier}: ${result}`)
  }
  return { proven: null, missed }
}

// Reserve for the stacks of Node's own threads, which start on demand.
const threadBytes = 32 * megabyte
const unknownResident = 64 * megabyte

export function createLauncher(
  { isolation, result: { baseline, stopped } }: VerifiedIsolation,
  egress: Egress | null,
): Launcher {
  return {
    tier: getTier(isolation),
    protections: describeIsolation(isolation),
    stopped,
    ready: async () => findStarter()?.settled,
    start: (memoryMb) =>
      startRunner(
        isolation,
        {
          memoryMb,
          dataBytes: baseline && baseline.dataBytes + threadBytes + memoryMb * megabyte,
        },
        egress,
      ),
    residentLimit: (memoryMb) =>
      (baseline?.residentBytes ?? unknownResident) + memoryMb * megabyte,
  }
}

let host: Buffer | null = null
/** Points to dist/ even when the server runs from its sources. */
function hostText(): Buffer {
  host ??= readFileSync(new URL('../dist/bot-host/bot-host.js', import.meta.url))
  return host
}

function startRunner(
  way: Isolation,
  measures: Omit<LaunchLimits, 'egressSocket'>,
  egress: Egress | null,
): StartedRunner {
  const user = way.ownUser ? freeUser() : null
  const egressSocket = egress && hasSocketFiles ? egress.open(user) : null
  try {
    const child = spawnRunner(
      way,
      { ...measures, egressSocket: egressSocket?.path ?? null },
      user,
    )
    child.on('error', () => egressSocket?.close()).on('exit', () => egressSocket?.close())
    return { child, egressSocket: egressSocket && toSocketInside(way, egressSocket.path) }
  } catch (error) {
    egressSocket?.close()
    throw error
  }
}

const hasSocketFiles = process.platform !== 'win32'

/**
 * A process with direct network access sends only its API calls through the socket, which
 * identifies it to the API.
 */
const toSocketInside = (way: Isolation, path: string): EgressSocketInside =>
  way.bwrap ? { path: egressSocketInside, isOnlyWay: true } : { path, isOnlyWay: false }

function spawnRunner(
  way: Isolation,
  measures: LaunchLimits,
  user: number | null,
): StartedProcess {
  const start = {
    command: toCommand(way, measures),
    user,
    lowersPriority: !(way.nice && way.choom),
    isFiltered: way.seccomp,
  }
  const starter = findStarter()
  const child = starter?.isReady
    ? starter.start(start, seccompAt)
    : startProcess(start, new Array<'pipe'>(seccompAt).fill('pipe'))
  child.on('error', () => {})
  const [stdin] = child.stdio
  // When file descriptors run out, Node returns no streams.
  if (!stdin) throw new Error('too many open files')
  for (const stream of child.stdio) stream?.on('error', () => {})
  if (user) holdUser(user, child)
  ;(stdin as Writable).end(hostText())
  return child
}

/** Of this process. From here on, a start takes 10 ms and more of its main thread. */
const largeBytes = 256 * megabyte
let shared: Starter | null = null

/** Returns the starter of a large server, which may not be ready yet. */
function findStarter(): Starter | null {
  if (process.platform === 'win32' || process.memoryUsage.rss() < largeBytes) return null
  if (!shared || shared.hasEnded) shared = new Starter()
  return shared
}
