// One server with its embedded database. SIGKILL ends the server, a process of a hosted bot, a
// connection of the database, or the database itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findCluster } from '../database.ts'
import { listDescendants } from '../processes.ts'
import type { Random } from './random.ts'
import { findFreePort, LabServer } from './servers.ts'
import type { OpenStage } from './stage.ts'

/** After this time, the server has noticed that its database ended. */
const noticedAfterMs = 300
const foundMs = 20_000

export const openKills: OpenStage = async (folder, chance) => {
  const server = new LabServer({
    folder: join(folder, 'data'),
    port: await findFreePort(),
  })
  await server.start()
  const postmaster = async () => (await findCluster(server.folder)).pid
  const killServer = async (also: () => Promise<void> = async () => {}) => {
    await server.end('SIGKILL')
    await also()
    await pause(chance.between(0, 500))
    await server.start()
  }
  const killDatabase = async () => process.kill(await postmaster(), 'SIGKILL')
  return {
    servers: [server],
    origins: [server.origin],
    pauseMs: [500, 2_500],
    faults: {
      'kill server': { outage: true, run: () => killServer() },
      'kill server and database': {
        outage: true,
        run: () => killServer(async () => void (await killDatabase())),
      },
      'kill bot': {
        outage: false,
        run: () => killOne(() => listBots(server.pid), chance),
      },
      'kill database': {
        outage: true,
        async run() {
          const before = await postmaster()
          await killDatabase()
          while ((await postmaster().catch(() => before)) === before) await pause(20)
          await server.ready()
        },
      },
      'kill database connection': {
        outage: true,
        async run() {
          const pid = await postmaster()
          await killOne(() => listConnections(pid), chance)
          await pause(noticedAfterMs)
          await server.ready()
        },
      },
    },
    close: () => closeServer(server),
  }
}

/** The embedded database survives its server; closes both. */
export async function closeServer(server: LabServer) {
  await server.close()
  const left = await findCluster(server.folder).catch(() => null)
  if (left && readCommand(left.pid).join(' ').includes('postgres'))
    process.kill(left.pid, 'SIGQUIT')
}

/** Kills one process; after a restart, it may take a moment until there is one. */
async function killOne(find: () => number[], chance: Random) {
  for (
    const until = performance.now() + foundMs;
    performance.now() < until;
    await pause(50)
  ) {
    const pids = find()
    const victim = pids[Math.floor(chance.between(0, pids.length))]
    if (victim !== undefined) return void process.kill(victim, 'SIGKILL')
  }
  throw new Error('There is no process to kill')
}

/** Processes of hosted bots: Node, with its program on stdin. */
const listBots = (server: number) =>
  listDescendants(server).filter((pid) => {
    const command = readCommand(pid)
    return command[0] === process.execPath && command.at(-1) === '-'
  })

const listConnections = (postmaster: number) =>
  listDescendants(postmaster).filter((pid) =>
    /: postgres botstead/.test(readCommand(pid).join(' ')),
  )

/** Returns the program and its arguments; empty if the process has ended. */
function readCommand(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0')
  } catch {
    return []
  }
}
