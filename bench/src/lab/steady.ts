// One server with its embedded database, without faults: memory, descriptors and tables must not
// grow. Tables that keep the history may grow with the messages only.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCluster, withClient } from '../database.ts'
import { listDescendants } from '../processes.ts'
import { closeServer } from './kills.ts'
import { findFreePort, LabServer } from './servers.ts'
import type { Findings, OpenStage } from './stage.ts'

export interface Sample {
  messages: number
  serverMb: number
  databaseMb: number
  botsMb: number
  descriptors: number
  historyMb: number
  /** By name. */
  tablesMb: Record<string, number>
}

const megabyte = 1_048_576
const sampleMs = 10_000
/** In each third of the run. */
const minSamples = 3
/** Tables that keep rows of each message, for ever or for a day. */
const history = new Set([
  'message',
  'event',
  'idempotency_key',
  'signal',
  'delivery_attempt',
])
/** Values may grow by a tenth, and by this much more in megabytes or descriptors. */
const slack = { serverMb: 16, databaseMb: 64, botsMb: 32, descriptors: 16, tableMb: 4 }

export const openSteady: OpenStage = async (folder) => {
  const server = new LabServer({
    folder: join(folder, 'data'),
    port: await findFreePort(),
  })
  await server.start()
  const samples: Sample[] = []
  return {
    servers: [server],
    origins: [server.origin],
    pauseMs: [sampleMs, sampleMs],
    faults: {
      sample: {
        outage: false,
        run: async () => void samples.push(await takeSample(server)),
      },
    },
    findings: () => compareSamples(samples),
    close: () => closeServer(server),
  }
}

async function takeSample(server: LabServer): Promise<Sample> {
  const { pid: postmaster, settings } = await findCluster(server.folder)
  const backends = [postmaster, ...listDescendants(postmaster)]
  const bots = listDescendants(server.pid).filter((pid) => !backends.includes(pid))
  const tables = await withClient(settings, (client) =>
    client.query<{ name: string; bytes: string; rows: string }>(
      `select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as rows
       from pg_stat_user_tables`,
    ),
  )
  const tablesMb: Record<string, number> = {}
  let [messages, historyMb] = [0, 0]
  for (const { name, bytes, rows } of tables.rows) {
    if (name === 'message') messages = Number(rows)
    if (history.has(name)) historyMb += Number(bytes) / megabyte
    else tablesMb[name] = Number(bytes) / megabyte
  }
  return {
    messages,
    serverMb: memoryMb([server.pid]),
    databaseMb: memoryMb(backends),
    botsMb: memoryMb(bots),
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    historyMb,
    tablesMb,
  }
}

/** Adds up the processes' shares of the memory (PSS), without those that have just ended. */
function memoryMb(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      return sum + Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024
    } catch {
      return sum
    }
  }, 0)
}

/** Compares the last third of the run with the second; the first warms up. */
export function compareSamples(samples: Sample[]): Findings {
  const third = Math.floor(samples.length / 3)
  if (third < minSamples) throw new Error('`steady` needs at least two minutes')
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  const growth = (of: (sample: Sample) => number, extra: number) => {
    const [before, after] = [mean(middle.map(of)), mean(last.map(of))]
    return { before, after, isGrowing: after > before * 1.1 + extra }
  }
  const server = growth(({ serverMb }) => serverMb, slack.serverMb)
  const database = growth(({ databaseMb }) => databaseMb, slack.databaseMb)
  const bots = growth(({ botsMb }) => botsMb, slack.botsMb)
  const descriptors = growth(({ descriptors }) => descriptors, slack.descriptors)
  const tables = Object.keys(samples.at(-1)!.tablesMb).filter(
    (name) => growth(({ tablesMb }) => tablesMb[name] ?? 0, slack.tableMb).isGrowing,
  )
  const [bytesBefore, bytesAfter] = [bytesPerMessage(middle), bytesPerMessage(last)]
  return {
    promises: {
      growingMemory: [server, database, bots].filter(({ isGrowing }) => isGrowing).length,
      growingDescriptors: Number(descriptors.isGrowing),
      growingTables: tables.length,
      growingHistory: Number(bytesAfter > bytesBefore * 1.25),
    },
    measurements: {
      samples: samples.length,
      serverMb: [server.before, server.after].map(Math.round),
      databaseMb: [database.before, database.after].map(Math.round),
      botsMb: [bots.before, bots.after].map(Math.round),
      descriptors: [descriptors.before, descriptors.after].map(Math.round),
      historyBytesPerMessage: [bytesBefore, bytesAfter].map(Math.round),
      ...(tables.length > 0 && { tables }),
    },
  }
}

function bytesPerMessage(samples: Sample[]): number {
  const [first, last] = [samples[0]!, samples.at(-1)!]
  return (
    ((last.historyMb - first.historyMb) * megabyte) / (last.messages - first.messages)
  )
}

const mean = (values: number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length
