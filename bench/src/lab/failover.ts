// Two servers, and PostgreSQL with a standby that confirms each commit. The primary loses all its
// processes, the standby is promoted, and the servers find it behind HAProxy. Then the old primary
// becomes the new standby.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Cluster } from './cluster.ts'
import { type CurrentCluster, proxyPrimary } from './haproxy.ts'
import { requirePostgres, requireProgram } from './programs.ts'
import { findFreePort, startPair } from './servers.ts'
import { type OpenStage, orClose } from './stage.ts'

export const openFailover: OpenStage = async (folder, chance) => {
  requireProgram('haproxy', 'haproxy')
  const clusters = await openClusters(folder)
  const [one, other] = clusters
  const closeClusters = async () => {
    for (const { cluster } of clusters) await cluster.close()
  }
  const proxy = await orClose(proxyPrimary(folder, clusters), closeClusters)
  const closeAll = () => proxy.close().finally(closeClusters)
  const url = one.cluster.url('botstead', proxy.port)
  const { servers, close } = await orClose(startPair(folder, url), closeAll)
  let [primary, standby] = [one, other]
  return {
    servers,
    origins: servers.map(({ origin }) => origin),
    pauseMs: [2_000, 5_000],
    faults: {
      'kill primary': {
        outage: true,
        async run() {
          await primary.cluster.kill()
          await pause(chance.between(0, 1_000))
          await standby.cluster.promote()
          for (const server of servers) await server.ready()
          ;[primary, standby] = [standby, primary]
          await follow(standby, primary, folder)
        },
      },
    },
    close: () => close().finally(closeAll),
  }
}

async function openClusters(folder: string): Promise<[CurrentCluster, CurrentCluster]> {
  const programs = requirePostgres()
  const [port, standbyPort] = [await findFreePort(), await findFreePort()]
  const primary = {
    port,
    cluster: await Cluster.create(programs, toDataFolder(folder, port), port),
  }
  const standby = { port: standbyPort, cluster: primary.cluster }
  await orClose(follow(standby, primary, folder), () => primary.cluster.close())
  return [primary, standby]
}

/** Makes one a standby of the other, from a copy. */
async function follow(standby: CurrentCluster, primary: CurrentCluster, folder: string) {
  const data = toDataFolder(folder, standby.port)
  standby.cluster = await Cluster.createStandby(primary.cluster, data, standby.port)
  await standby.cluster.start()
  await primary.cluster.requireStandby()
}

const toDataFolder = (folder: string, port: number) => join(folder, `postgres-${port}`)
