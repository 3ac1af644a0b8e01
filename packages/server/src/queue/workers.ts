// This process as a worker: the lease of all its lanes at once. It renews `alive_until`; a worker whose time has passed loses its lanes.
// A worker that finds itself expired (a stopped machine, a long pause) takes a new id, and what it had belongs to whoever claims it.
import { hostname } from 'node:os'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'
import { newId } from '../lib/ids.ts'
import { isAlive } from '../lib/process-life.ts'

export interface Worker {
  readonly id: string
  /** No other process is alive: there is nobody to tell. */
  readonly alone: boolean
  /** Another process says that it is there. */
  noticeOther(): void
  stop(): Promise<void>
}

export interface WorkerOptions {
  log: Logger
  /** How long a silent process keeps its lanes; it renews five times as often. */
  leaseSeconds: number
  /** The id had to change: what this process had is not its own any more. */
  lost: () => void
  /** Lanes of dead workers became free. */
  freed: () => void
}

/** All that this process has been, which may hold several servers: what else has its number is left of an earlier one. */
const ours = new Set<string>()

export async function startWorker(
  database: Database,
  { log, leaseSeconds, lost, freed }: WorkerOptions,
): Promise<Worker> {
  let id = newId('worker')
  let alone = false
  let renewing: Promise<void> | null = null
  await releaseDeadNeighbours(database)
  await register(database, id, leaseSeconds)

  const renew = async () => {
    try {
      const { renewed, others } = await beat(database, id, leaseSeconds)
      alone = others === 0
      if (!renewed) {
        log.warn('this process was taken for dead; going on under a new name')
        const next = newId('worker')
        await register(database, next, leaseSeconds)
        id = next
        alone = false
        lost()
      }
      if ((await releaseExpired(database)) > 0) freed()
    } catch (error) {
      alone = false
      log.warn({ err: error }, 'the lease could not be renewed')
    }
  }
  const renewOnce = () => {
    renewing ??= renew().finally(() => {
      renewing = null
    })
    return renewing
  }
  const timer = setInterval(() => void renewOnce(), leaseSeconds * 200).unref()
  await renewOnce()

  return {
    get id() {
      return id
    },
    get alone() {
      return alone
    },
    noticeOther() {
      alone = false
    },
    async stop() {
      clearInterval(timer)
      await renewing
      await database.run('worker-gone', 'delete from worker where id = $1', [id])
    },
  }
}

/** For other statements: whether the worker that `id` names is alive. */
export const isAliveWorker = (id: string) =>
  `exists (select from worker w where w.id = ${id} and w.alive_until > now())`

/**
 * For other statements: whether nobody works on it, by the column that says who does. What this worker had it may have again: whoever asks leaves out
 * what is in its hands, and the rest was lost on the way.
 */
export const isFree = (column: string, workerId: string): RawBuilder<boolean> =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} = ${workerId} or not ${sql.raw(isAliveWorker(column))})`

function register(database: Database, id: string, leaseSeconds: number) {
  ours.add(id)
  const values = [id, hostname(), process.pid, leaseSeconds]
  return database.run(
    'worker-register',
    "insert into worker (id, host, pid, alive_until) values ($1, $2, $3, now() + $4 * interval '1 second')",
    values,
  )
}

async function beat(database: Database, id: string, leaseSeconds: number) {
  const [row] = await database.lazily<{ renewed: boolean; others: number }>(
    'worker-beat',
    `with renewed as (
      update worker set alive_until = now() + $2 * interval '1 second' where id = $1 and alive_until > now() returning 1
    )
    select exists (select from renewed) as renewed, (select count(*)::int from worker where id <> $1 and alive_until > now()) as others`,
    [id, leaseSeconds],
  )
  return row!
}

/**
 * Expired workers lose their lanes, and then their row; how many lanes were freed. Who is dead is settled before the lanes are locked: a lane that
 * changes hands meanwhile belongs to somebody who is not among them.
 */
async function releaseExpired(database: Database) {
  const [row] = await database.lazily<{ freed: number }>(
    'release-expired',
    `with recursive owners as (
      (select min(owner) as owner from lane where owner is not null)
      union all
      select (select min(l.owner) from lane l where l.owner > owners.owner) from owners where owners.owner is not null
    ),
    dead as (select owner from owners where owner is not null and not exists (select from worker where id = owner and alive_until >= now())),
    taken as (select l.bot_id, l.key from lane l join dead on l.owner = dead.owner order by l.bot_id, l.key for update of l),
    freed as (update lane l set owner = null from taken where l.bot_id = taken.bot_id and l.key = taken.key and l.owner in (select owner from dead) returning 1),
    gone as (delete from worker where alive_until < now())
    select count(*)::int as freed from freed`,
    [],
  )
  return row!.freed
}

/** After kill -9 and a new start on the same machine there is no need to wait for the lease: the old process is not there any more. */
async function releaseDeadNeighbours(database: Database) {
  const rows = await database.run<{ id: string; pid: number }>(
    'neighbours',
    'select id, pid from worker where host = $1',
    [hostname()],
  )
  const dead = rows
    .filter(({ id, pid }) => (pid === process.pid ? !ours.has(id) : !isAlive(pid)))
    .map(({ id }) => id)
  if (dead.length > 0)
    await database.run('bury-neighbours', `update worker set alive_until = '-infinity' where id = any($1)`, [
      dead,
    ])
}
