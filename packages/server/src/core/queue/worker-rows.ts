// The statements about workers and their leases. Invariant: a worker's row exists until its lanes
// are released, by one statement that locks the row first. So a worker that finds its row still
// owns its lanes, even if its lease has expired meanwhile. Writes check the row, too (fencing.ts):
// the release skips a row that a write in progress holds, and after its commit, writes under that
// lease are rejected.
import { hostname } from 'node:os'
import { findMachine, isAlive, readProcessStart } from '@botstead/lib'
import type pg from 'pg'
import { statement } from '../db/index.ts'

/** Runs a prepared statement on any connection. */
export type Run = <Row extends object>(
  name: string,
  text: string,
  values: unknown[],
) => Promise<Row[]>

export interface WorkerRow {
  id: string
  host: string
  machine: string | null
  pid: number
  processStart: string | null
  /** Milliseconds until the lease expires; negative afterwards. */
  remainingMs: number
}

/**
 * Channel of notifications about workers: `<id of the sender> hello` or `<id of the sender> freed`.
 */
export const workerChannel = 'botstead_workers'

const self = { host: hostname(), machine: findMachine(), pid: process.pid }

/**
 * Returns the start time of the process. Call it on the main thread. Only Linux provides it;
 * elsewhere the process makes up its own value.
 */
export const findProcessStart = () =>
  readProcessStart(process.pid) ?? `unknown ${Math.round(performance.timeOrigin)}`

const register = statement(
  'worker-register',
  `with self as (
    insert into worker (id, host, machine, pid, process_start, alive_until)
    values (:id, :host, :machine, :pid, :processStart, now() + :leaseSeconds * interval '1 second')
  ),
  others as (
    update worker set alive_until = now() + :leaseSeconds * interval '1 second'
    where id in (
      select id from worker where id <> :id
        and alive_until > now() + :leaseSeconds * interval '1 second'
      order by id for update
    )
  )
  select pg_notify('${workerChannel}', :id || ' hello')`,
)

/**
 * Registers a worker and notifies the others. A worker that ran alone may hold a long lease: this
 * shortens it to `leaseSeconds`, and the worker renews when it receives the notification.
 */
export const registerWorker = (
  run: Run,
  id: string,
  leaseSeconds: number,
  processStart: string,
) => run(...register({ ...self, id, leaseSeconds, processStart }))

const columns = `'id', w.id, 'host', w.host, 'machine', w.machine, 'pid', w.pid, 'processStart',
  w.process_start,
  'remainingMs', 1000 * extract(epoch from
    least(greatest(w.alive_until, now() - interval '1 hour'), now() + interval '1 hour') - now())`

const renew = statement(
  'worker-beat',
  `with renewed as (
    update worker set alive_until = now() + :leaseSeconds * interval '1 second' where id = :id
    returning 1
  )
  select exists (select from renewed) as renewed,
    (select coalesce(json_agg(json_build_object(${columns})), '[]')
      from worker w where w.id <> :id) as others`,
)

/**
 * Renews the lease. `renewed` is false when the row was deleted. Returns the other workers as well.
 */
export async function renewWorker(run: Run, id: string, leaseSeconds: number) {
  const [row] = await run<{ renewed: boolean; others: WorkerRow[] }>(
    ...renew({ id, leaseSeconds }),
  )
  return row!
}

const release = statement(
  'release-workers',
  `with recursive owners as (
    (select min(owner) as owner from lane where owner is not null)
    union all
    select (select min(l.owner) from lane l where l.owner > owners.owner)
    from owners where owners.owner is not null
  ),
  dead as (
    select id from worker where id = any(:dead) or (:expired and id <> :id and alive_until < now())
    for update skip locked
  ),
  lost as (
    select id from dead
    union select owner from owners
    where owner is not null and not exists (select from worker where id = owner)
  ),
  taken as (
    select l.bot_id, l.key from lane l join lost on l.owner = lost.id
    order by l.bot_id, l.key for update of l
  ),
  freed as (
    update lane l set owner = null from taken
    where l.bot_id = taken.bot_id and l.key = taken.key and l.owner in (select id from lost) returning 1
  ),
  removed as (delete from worker where id in (select id from dead) returning 1),
  counts as (select (select count(*) from freed)::int as freed,
    (select count(*) from removed)::int as removed)
  select freed, case when freed + removed > 0 then pg_notify('${workerChannel}', :id || ' freed') end
  from counts`,
)

/**
 * Deletes the workers in `dead` and, with `expired`, those with an expired lease. Releases their
 * lanes and the lanes of owners without a row, and notifies the other servers. Skips rows that are
 * being renewed. Returns the number of released lanes.
 */
export async function releaseWorkers(
  run: Run,
  id: string,
  { dead, expired }: { dead: string[]; expired: boolean },
): Promise<number> {
  const [row] = await run<{ freed: number }>(...release({ id, dead, expired }))
  return row!.freed
}

/** Takes the lanes of a workspace from their owners, in the transaction of the session. */
export const freeLanes = (session: Pick<pg.Client, 'query'>, workspaceId: string) =>
  session.query(
    `update lane l set owner = null from (select bot_id, key from lane where owner is not null
         and bot_id in (select id from bot where workspace_id = $1) order by bot_id, key for update) held
       where l.bot_id = held.bot_id and l.key = held.key`,
    [workspaceId],
  )

const removeWorkerStatement = statement<{ id: string }>(
  'remove-worker',
  'delete from worker where id = :id',
)

/** Deletes the row of a worker that has released its lanes. */
export const deleteWorker = (run: Run, id: string) =>
  run(...removeWorkerStatement({ id }))

const notifyFreedStatement = statement<{ id: string }>(
  'notify-freed',
  `select pg_notify('${workerChannel}', :id || ' freed')`,
)

/** Notifies the other servers that there are free lanes. */
export const announceFreed = (run: Run, id: string) =>
  run(...notifyFreedStatement({ id }))

/**
 * Returns whether this machine can see that process: same host name, boot and process namespace.
 */
export const isNeighbour = ({ host, machine }: WorkerRow) =>
  host === self.host && (machine ?? self.machine) === self.machine

/**
 * Returns whether a neighbour's process has died. Other workers of this same process live as long
 * as it does.
 */
export function hasDied({ pid, processStart }: WorkerRow, ownStart: string): boolean {
  if (pid === self.pid) return processStart !== ownStart
  const startedAt = readProcessStart(pid)
  if (startedAt !== null && processStart !== null) return startedAt !== processStart
  return !isAlive(pid)
}
