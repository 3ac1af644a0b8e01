// The stop of a workspace's writes at the source. First its requests wait and its deliveries end
// (pausing), then the database rejects its writes (stopped): the exclusive lock waits for the
// transactions that have passed the triggers' check.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, statement } from '../../../core/db/index.ts'
import { freeLanes } from '../../../core/queue/index.ts'
import {
  announceMoves,
  type Move,
  type MoveState,
  wakeBotsStatement,
} from './move-rows.ts'

/** The longest time in which deliveries may end. Those that take longer are repeated at the target. */
export const pauseMs = 3_000
const lockTimeoutMs = 3_000

const restBotsStatement = statement<{ workspaceId: string }>(
  'rest-bots',
  `insert into resting_bot (bot_id, workspace_id)
     select id, workspace_id from bot where workspace_id = :workspaceId on conflict do nothing`,
)

const beginPauseStatement = statement<{ id: string }>(
  'begin-pause',
  `update workspace_move set state = 'pausing', updated_at = now() where id = :id
         and state = 'following' returning id`,
)

const clearPausesStatement = statement<{ moveId: string }>(
  'clear-pauses',
  'delete from move_pause where move_id = :moveId',
)

/** From now on, servers begin no work for the workspace. */
export async function beginPause(
  database: Database,
  { id, workspaceId }: Move,
): Promise<void> {
  await database.inTransaction(async (inside) => {
    const rows = await inside.run(...beginPauseStatement({ id }))
    if (rows.length === 0) return
    await inside.run(...clearPausesStatement({ moveId: id }))
    await inside.run(...restBotsStatement({ workspaceId }))
  })
  await announceMoves(database)
}

const busyServersStatement = statement<{ moveId: string }>(
  'busy-servers',
  `select exists (select from worker w where w.alive_until > now() and not exists
         (select from move_pause p where p.move_id = :moveId and p.worker_id = w.id)) as busy`,
)

/** Waits until every server has ended the deliveries of the workspace, or for `pauseMs`. */
export async function waitForServers(database: Database, { id }: Move): Promise<void> {
  const until = performance.now() + pauseMs + 500
  while (performance.now() < until) {
    const [row] = await database.run<{ busy: boolean }>(
      ...busyServersStatement({ moveId: id }),
    )
    if (!row!.busy) return
    await pause(20)
  }
}

const endPauseStatement = statement<{ moveId: string; workerId: string }>(
  'end-pause',
  `insert into move_pause (move_id, worker_id) select id, :workerId from workspace_move
       where id = :moveId and state = 'pausing' on conflict do nothing`,
)

/** Notes that this server has ended the deliveries of the workspace. */
export const endPause = (database: Database, moveId: string, workerId: string) =>
  database.run(...endPauseStatement({ moveId, workerId }))

/**
 * After this, no write to the workspace is committed here, and outcomes of deliveries do not count.
 * Returns the time of this stop; null if another server has continued the move.
 */
export async function stopWrites(
  database: Database,
  { id, workspaceId }: Move,
): Promise<string | null> {
  const session = await database.connect()
  try {
    await session.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    await session.query('select pg_advisory_xact_lock(7236111, hashtext($1))', [id])
    const [, restBots, values] = restBotsStatement({ workspaceId })
    await session.query(restBots, values)
    const { rows } = await session.query<{ at: string }>(
      `update workspace_move set state = 'stopped', is_stopped = true, stopped_at = clock_timestamp(),
         updated_at = now() where id = $1 and state = 'pausing' returning stopped_at::text as at`,
      [id],
    )
    await session.query('commit')
    if (!rows[0]) return null
    await session.query(`begin; set local botstead.moving = 'on'`)
    await freeLanes(session, workspaceId)
    await session.query('commit')
    return rows[0].at
  } finally {
    await session.end()
    await announceMoves(database)
  }
}

const closeStopStatement = statement<{ id: string; stop: string; pass: number }>(
  'close-stop',
  `update workspace_move set state = 'deciding', final_pass = :pass, updated_at = now() where id = :id
         and state = 'stopped' and stopped_at::text = :stop and pass = :pass returning id`,
)

/**
 * Records the transfer that was read during this stop, so that the target can be requested to
 * decide. Returns false if this stop has ended, or another transfer has begun.
 */
export const closeStop = async (
  database: Database,
  { id }: Move,
  { stop, pass }: { stop: string; pass: number },
): Promise<boolean> =>
  (await database.run(...closeStopStatement({ id, stop, pass }))).length > 0

const endStopStatement = statement<{ id: string; next: string }>(
  'end-stop',
  `update workspace_move set state = :next, is_stopped = false, updated_at = now() where id = :id
         and state in ('requested', 'copying', 'following', 'pausing', 'stopped') returning id`,
)

/** Lets the workspace be used here again, before the target had to decide. */
export async function endStop(
  database: Database,
  { id, workspaceId }: Move,
  next: MoveState = 'following',
): Promise<void> {
  await database.inTransaction(async (inside) => {
    const rows = await inside.run(...endStopStatement({ id, next }))
    if (rows.length === 0) return
    await inside.run(...wakeBotsStatement({ workspaceId }))
  })
  await announceMoves(database)
}
