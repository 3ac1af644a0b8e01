// Two servers on three PostgreSQL nodes under Patroni, behind HAProxy. Without a person: the leader loses
// its processes or is paused, and Patroni chooses another one.
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findInterruptions, findLatency } from './audits/interruptions.ts'
import { runProxy } from './haproxy.ts'
import { PatroniCluster, type PatroniNode } from './patroni-nodes.ts'
import { toProxyFile } from './patroni-settings.ts'
import { requireProgram } from './programs.ts'
import { findFreePort, startPair } from './servers.ts'
import { type OpenStage, orClose } from './stage.ts'

const proxyFile = fileURLToPath(
  new URL('../../../deploy/haproxy/haproxy.failover.cfg', import.meta.url),
)
/** Writes are back within this time. */
const interruptedSeconds = 15
/** Some pauses are shorter than the ttl of the leader's lock, and some longer. */
const pausedMs: [number, number] = [3_000, 18_000]

export const openPatroni: OpenStage = async (folder, chance) => {
  requireProgram('haproxy', 'haproxy')
  const cluster = await PatroniCluster.open(folder)
  const port = await findFreePort()
  const text = toProxyFile(await readFile(proxyFile, 'utf8'), port, cluster.nodes)
  const proxy = await orClose(runProxy(folder, text, port), () => cluster.close())
  const closeAll = () => proxy.close().finally(() => cluster.close())
  const { servers, close } = await orClose(startPair(folder, cluster.url(port)), closeAll)
  const outage = (breakCluster: () => Promise<void>) => ({
    outage: true,
    async run() {
      await breakCluster()
      await cluster.waitUntilWhole()
      for (const server of servers) await server.ready()
    },
  })
  const replaceLeader = (breakNode: (leader: PatroniNode) => Promise<void>) =>
    outage(async () => {
      const leader = await cluster.find('leader')
      await breakNode(leader)
      await cluster.waitForLeaderOtherThan(leader)
      if (!leader.isRunning) await leader.start()
    })
  const pauseNode = (role: 'leader' | 'sync_standby') =>
    outage(async () => {
      const node = await cluster.find(role)
      await node.pause()
      await pause(chance.between(...pausedMs))
      node.resume()
    })
  return {
    servers,
    origins: servers.map(({ origin }) => origin),
    pauseMs: [2_000, 5_000],
    faults: {
      'kill leader': replaceLeader((leader) => leader.kill()),
      'kill postgres of leader': replaceLeader((leader) => leader.killPostgres()),
      'kill patroni of leader': replaceLeader((leader) => leader.killPatroni()),
      'pause leader': pauseNode('leader'),
      'pause synchronous standby': pauseNode('sync_standby'),
      switchover: outage(() => cluster.switchOver()),
    },
    findings: (people, faults) => {
      const interruptions = findInterruptions(people, faults)
      const late = interruptions.filter(({ seconds }) => seconds > interruptedSeconds)
      return {
        promises: { lateFailovers: late.length },
        measurements: { interruptions, p99Ms: findLatency(people, faults) },
      }
    },
    close: () => close().finally(closeAll),
  }
}
