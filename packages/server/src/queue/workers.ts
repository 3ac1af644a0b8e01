// This process as a worker: the lease of all its lanes at once. It renews `alive_until`; a worker whose time has passed loses its lanes.
// A worker that finds itself expired (a stopped machine, a long pause) takes a new id, and what it had belongs to whoever claims it.
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'
import { newId } from '../lib/ids.ts'

const leaseSeconds = 15
const renewMs = 3_000

export interface Worker {
  readonly id: string
  /** No other process is alive: there is nobody to tell. */
  readonly alone: boolean
  stop(): Promise<void>
}

/** `onNewId` is called when the id had to change; `onFreed` when lanes of dead workers became free. */
export async function startWorker(database: Database, log: Logger, on: { newId: () => void; freed: () => void }): Promise<Worker> {
  let id = newId('worker')
  let alone = false
  await releaseDeadNeighbours(database)
  await register(database, id)

  const renew = async () => {
    try {
      const { renewed, others } = await beat(database, id)
      alone = others === 0
      if (!renewed) {
        log.warn('this process was taken for dead; going on under a new name')
        id = newId('worker')
        await register(database, id)
        on.newId()
      }
      if ((await releaseExpired(database)) > 0) on.freed()
    } catch (error) {
      alone = false
      log.warn({ err: error }, 'the lease could not be renewed')
    }
  }
  const timer = setInterval(() => void renew(), renewMs)
  await renew()

  return {
    get id() {
      return id
    },
    get alone() {
      return alone
    },
    async stop() {
      clearInterval(timer)
      await database.run('worker-gone', 'delete from worker where id = $1', [id])
    },
  }
}

const register = (database: Database, id: string) =>
  database.run('worker-register', `insert into worker (id, host, pid, alive_until) values ($1, $2, $3, now() + interval '${leaseSeconds} seconds')`, [
    id,
    hostname(),
    process.pid,
  ])

async function beat(database: Database, id: string) {
  const [row] = await database.lazily<{ renewed: boolean; others: number }>(
    'worker-beat',
    `with renewed as (
      update worker set alive_until = now() + interval '${leaseSeconds} seconds' where id = $1 and alive_until > now() returning 1
    )
    select exists (select from renewed) as renewed, (select count(*)::int from worker where id <> $1 and alive_until > now()) as others`,
    [id],
  )
  return row!
}

/** Expired workers lose their lanes, and then their row; how many lanes were freed. */
async function releaseExpired(database: Database) {
  const [row] = await database.lazily<{ freed: number }>(
    'release-expired',
    `with freed as (
      update lane set owner = null
      where owner is not null and not exists (select from worker where id = lane.owner and alive_until >= now()) returning 1
    ),
    gone as (delete from worker where alive_until < now())
    select count(*)::int as freed from freed`,
    [],
  )
  return row!.freed
}

/** After kill -9 and a new start on the same machine there is no need to wait for the lease: the old process is not there any more. */
async function releaseDeadNeighbours(database: Database) {
  const rows = await database.run<{ id: string; pid: number }>('neighbours', 'select id, pid from worker where host = $1', [hostname()])
  const dead = rows.filter(({ pid }) => pid === process.pid || !isAlive(pid)).map(({ id }) => id)
  if (dead.length > 0) await database.run('bury-neighbours', `update worker set alive_until = '-infinity' where id = any($1)`, [dead])
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
