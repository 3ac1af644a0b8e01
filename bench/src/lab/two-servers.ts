// Experiments with two servers on one PostgreSQL: servers are paused, restarted in turn, or have
// clocks that jump.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { adminHeaders } from '../botstead-server.ts'
import { listDescendants } from '../processes.ts'
import { Cluster } from './cluster.ts'
import { proxyServers } from './haproxy.ts'
import { demand } from './http.ts'
import { countLostAnswers, fillDatabase } from './installation.ts'
import { toCommand } from './other-version.ts'
import { requirePostgres, requireProgram } from './programs.ts'
import { findFreePort, type LabServer, type Pair, startPair } from './servers.ts'
import { type OpenStage, orClose } from './stage.ts'

/** Longer than the lease of two seconds. */
const pausedMs: [number, number] = [3_000, 8_000]
/** Shorter than most pauses, so that people send the same message to the other server. */
const patienceMs = 2_500

export async function openPair(
  folder: string,
  own?: Parameters<typeof startPair>[2],
  recorded?: string,
): Promise<Pair & { cluster: Cluster }> {
  const programs = requirePostgres()
  const cluster = await Cluster.create(
    programs,
    join(folder, 'postgres'),
    await findFreePort(),
  )
  const start = async () => {
    if (recorded) await fillDatabase(recorded, cluster)
    return startPair(folder, cluster.url(), own, recorded)
  }
  const pair = await orClose(start(), () => cluster.close())
  return { ...pair, cluster, close: () => pair.close().finally(() => cluster.close()) }
}

const toOrigins = (servers: LabServer[]) => servers.map(({ origin }) => origin)

/** SIGSTOP one of two servers, so that the other takes over, then SIGCONT. */
export const openPause: OpenStage = async (folder, chance) => {
  const { servers, close } = await openPair(folder)
  const pauseSome = async (listProcesses: (server: LabServer) => number[]) => {
    const pids = listProcesses(chance.shuffled(servers)[0]!)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await pause(chance.between(...pausedMs))
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    for (const server of servers) await server.ready()
  }
  return {
    servers,
    origins: toOrigins(servers),
    patienceMs,
    pauseMs: [1_000, 3_000],
    faults: {
      'pause server': { outage: true, run: () => pauseSome(({ pid }) => [pid]) },
      'pause server and its bots': {
        outage: true,
        run: () => pauseSome(({ pid }) => [pid, ...listDescendants(pid)]),
      },
    },
    close,
  }
}

const minute = 60_000
const jumps = [minute, 60 * minute, 24 * 60 * minute, 40 * 24 * 60 * minute]

/** The wall clock of one server jumps. The database keeps the true time. */
export const openClock: OpenStage = async (folder, chance) => {
  const preload = fileURLToPath(new URL('shifted-clock.js', import.meta.url))
  const toClockFile = (data: string) => `${data}.clock`
  const { servers, close } = await openPair(folder, (data) => ({
    settings: { LAB_CLOCK_FILE: toClockFile(data) },
    nodeOptions: ['--import', preload],
  }))
  const jump = async (sign: 1 | 0 | -1) => {
    const [server] = chance.shuffled(servers)
    const [offset] = chance.shuffled(jumps)
    await writeFile(toClockFile(server!.folder), String(sign * offset!))
  }
  return {
    servers,
    origins: toOrigins(servers),
    pauseMs: [1_000, 3_000],
    faults: {
      'clock ahead': { outage: false, run: () => jump(1) },
      'clock behind': { outage: false, run: () => jump(-1) },
      'clock right': { outage: false, run: () => jump(0) },
    },
    close,
  }
}

/** Longer than HAProxy takes to notice that a server is not ready. */
const drainSeconds = 5
/** In which HAProxy notices that a server is ready, on a busy machine too. */
const noticedMs = 3_000

const { version: ownVersion } = JSON.parse(
  readFileSync(new URL('../../../packages/server/package.json', import.meta.url), 'utf8'),
)

/** Returns the version that a running server reports. */
async function fetchVersion({ origin, running }: LabServer): Promise<string> {
  const headers = adminHeaders(running.credentials)
  const url = `${origin}/v1/platform/health`
  return (await demand<{ health: { version: string } }>('GET', url, headers)).health
    .version
}

/**
 * SIGTERM of two servers in turn behind HAProxy with health checks. No request may fail. With the
 * folder of another version, both servers begin with it, and each restart brings this version: the
 * first one migrates the database while the other server works on it. With a recorded installation, its
 * answers must be the same afterwards.
 */
export const openRolling: OpenStage = async (folder, _, { from, data }) => {
  requireProgram('haproxy', 'haproxy')
  const command = from && toCommand(from)
  const own = () => ({
    settings: { BOTSTEAD_DRAIN_SECONDS: String(drainSeconds) },
    ...(command && { command }),
  })
  const { servers, close } = await openPair(folder, own, data)
  const versionsBefore = await orClose(Promise.all(servers.map(fetchVersion)), close)
  const proxy = await orClose(proxyServers(folder, toOrigins(servers)), close)
  // Version 0.1.0 has no drain time, so requests fail while it stops.
  const outage = command !== undefined
  const restart = async (nth: 0 | 1) => {
    const code = await servers[nth].end('SIGTERM')
    if (code !== 0) throw new Error(`The server exited with ${code} after SIGTERM`)
    servers[nth].upgrade()
    await servers[nth].start()
    await pause(noticedMs)
  }
  return {
    servers,
    origins: [`http://127.0.0.1:${proxy.port}`],
    // Longer, so that both versions run together for a while.
    pauseMs: command ? [8_000, 10_000] : [500, 2_000],
    faults: {
      'restart first server': { outage, run: () => restart(0) },
      'restart second server': { outage, run: () => restart(1) },
    },
    findings: async () => {
      const versionsAfter = await Promise.all(servers.map(fetchVersion))
      const old = servers.filter(
        (one, i) => one.isOlder || versionsAfter[i] !== ownVersion,
      )
      return {
        promises: {
          ...(command && { notUpgraded: old.length }),
          ...(data && { lostAnswers: await countLostAnswers(data, servers[0].origin) }),
        },
        measurements: command ? { versionsBefore, versionsAfter } : {},
      }
    },
    close: () => proxy.close().finally(close),
  }
}
