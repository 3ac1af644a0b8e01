// A PostgreSQL main process of one cluster: its identity, signs of its progress, and its end. A
// signal reaches only the process that was identified, never another one with the same id.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  descendants,
  isAlive,
  readProcessStart,
  readStartTime,
  readStat,
} from '@botstead/lib'
import type { ClusterSetup } from './embedded-cluster.ts'

export interface Postmaster {
  pid: number
  /** Distinguishes processes with the same id. Null where the system does not report it. */
  startedAt: string | null
}

const onLinux = process.platform === 'linux'

export const identify = (pid: number): Postmaster => ({
  pid,
  startedAt: readProcessStart(pid),
})

export const isRunning = ({ pid, startedAt }: Postmaster): boolean =>
  isAlive(pid) && readProcessStart(pid) === startedAt

/** The clock may have been set since the process started. */
const maxClockSkewSeconds = 60

/**
 * Returns the process that postmaster.pid names, if it works on this cluster: on Linux, it must be a
 * PostgreSQL that runs in the folder and started when the file says. Elsewhere the pid suffices.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const [pidLine, , startLine] = (await readPidFile(cluster)).split('\n')
  const pid = Number.parseInt(pidLine ?? '', 10)
  if (!pid || !isAlive(pid)) return null
  const found = identify(pid)
  if (!onLinux) return found
  const [folder, program] = await Promise.all(
    ['cwd', 'exe'].map((name) => readlink(`/proc/${pid}/${name}`).catch(() => '')),
  )
  const skew = Math.abs((readStartTime(pid) ?? 0) - Number(startLine))
  const isOurs =
    folder === (await realpath(cluster)) &&
    basename(program!.replace(/ \(deleted\)$/, '')) === 'postgres' &&
    skew < maxClockSkewSeconds
  return isOurs && isRunning(found) ? found : null
}

const readPidFile = (cluster: string): Promise<string> =>
  readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')

/** In milliseconds: after a fast and an immediate shutdown, together less than 5 s. */
const [fastMs, immediateMs] = [2_500, 1_500]

/**
 * Fast shutdown: rolls back running transactions, and writes a checkpoint. If that takes long, or
 * with `isReady: false`, immediate shutdown: during a recovery, a fast one would never end. The next
 * start then recovers from the WAL, without loss of committed data.
 */
export async function endPostmaster(
  setup: ClusterSetup,
  postmaster: Postmaster,
  { isReady }: { isReady: boolean },
): Promise<void> {
  if (!onLinux) return endByPgCtl(setup, isReady)
  if (isReady) {
    signal(postmaster, 'SIGINT')
    if (await hasEnded(postmaster, fastMs)) return
  }
  signal(postmaster, 'SIGQUIT')
  if (await hasEnded(postmaster, immediateMs)) return
  // A stopped process receives no other signal. Its children would keep the shared memory in use.
  const children = descendants(postmaster.pid).map(identify)
  for (const one of [postmaster, ...children]) signal(one, 'SIGKILL')
  for (const one of [postmaster, ...children]) await hasEnded(one, immediateMs)
}

/** It checks postmaster.pid itself. */
async function endByPgCtl({ binaries, cluster, user }: ClusterSetup, isReady: boolean) {
  const run = (mode: string, ms: number) => {
    const options = [
      'stop',
      '-D',
      cluster,
      '-m',
      mode,
      '-w',
      '-t',
      String(Math.ceil(ms / 1000)),
    ]
    return promisify(execFile)(binaries.pgCtl, options, { ...user })
  }
  const isStopped = isReady && (await run('fast', fastMs).then(Boolean, () => false))
  if (!isStopped) await run('immediate', immediateMs)
}

function signal(one: Postmaster, name: NodeJS.Signals) {
  if (!isRunning(one)) return
  try {
    process.kill(one.pid, name)
  } catch {
    // The process has already ended.
  }
}

async function hasEnded(one: Postmaster, ms: number): Promise<boolean> {
  for (const deadline = performance.now() + ms; isRunning(one); await pause(20))
    if (performance.now() > deadline) return false
  return true
}

/**
 * Whether the work of its children can be measured: on Linux, with a kernel that lists them. It always
 * has some until it ends.
 */
export const isMeasured = ({ pid }: Postmaster): boolean =>
  onLinux && descendants(pid).length > 0

/**
 * Returns a function that tells whether PostgreSQL worked since its last call: its children used the
 * processor, or wait for the disk. Without figures, its log grew: during a recovery, it reports its
 * progress every ten seconds.
 */
export function watchProgress(
  { log }: ClusterSetup,
  postmaster: Postmaster,
): () => boolean {
  let before = new Map<number, number>()
  let lines = 0
  return () => {
    if (!isMeasured(postmaster)) {
      const known = lines
      lines = countLines(log)
      return lines > known
    }
    const now = new Map(
      descendants(postmaster.pid).map((pid) => [pid, readProcessorTicks(pid)]),
    )
    const works = [...now].some(([pid, ticks]) => ticks > (before.get(pid) ?? ticks))
    before = now
    return works
  }
}

/** A process that waits for the disk counts as one that works. */
function readProcessorTicks(pid: number): number {
  const fields = readStat(pid)
  return fields[0] === 'D'
    ? performance.now() + 1e12
    : Number(fields[11]) + Number(fields[12])
}

/** Lines about rejected connections do not count. */
const countLines = (log: string) => readFileSync(log, 'utf8').split(/ LOG: /).length
