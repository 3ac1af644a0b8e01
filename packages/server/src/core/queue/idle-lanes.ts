// Deletes lanes that have been idle for a day; the next delivery creates its lane again. Lanes with
// pending deliveries or dead letters stay, because those hold numbers of the lane.
//
// An enqueue may come at any time. If it comes first, the deletion finds the lane locked and skips
// it, or sees the new row, which is not idle any more. If the deletion comes first, the enqueue
// waits for it and then creates the lane, with higher numbers (store.ts).

import { type Database, statement } from '../db/index.ts'
import type { LaneName } from './deliveries.ts'
import { isAwake } from './resting.ts'

const idleSeconds = 86_400
/** Lanes per statement. Enqueues into lanes that it deletes wait for the statement. */
const batch = 1_000
const pauseMs = 100

const isIdle = `pending = 0 and owner is null
  and ready_at < now() - :idleSeconds::float8 * interval '1 second'`

const removeStatement = statement<LaneName & { idleSeconds: number }>(
  'remove-idle-lanes',
  `
  with seen as (
    select ctid, * from lane where (bot_id, key) > (:botId, :lane) order by bot_id, key limit ${batch}
  ),
  idle as (
    select ctid from lane l
    where ctid = any (array(select ctid from seen where ${isIdle})) and ${isIdle}
      and ${isAwake('l.bot_id')}
      -- Not an anti-join, for which the planner might read all deliveries.
      and (select true from delivery d where d.bot_id = l.bot_id and d.lane = l.key limit 1) is null
    for update skip locked
  ),
  removed as (delete from lane where ctid = any (array(select ctid from idle)))
  select bot_id, key from seen order by bot_id desc, key desc limit 1`,
)

/**
 * Looks at the next lanes after the given one, in order of bot and key, and deletes those that are
 * idle. Returns the last lane that it looked at, or null after the last lane of the table.
 */
export async function removeIdleLanes(
  database: Database,
  after: LaneName,
  seconds = idleSeconds,
): Promise<LaneName | null> {
  const [last] = await database.lazily<{ bot_id: string; key: string }>(
    ...removeStatement({ ...after, idleSeconds: seconds }),
  )
  return last ? { botId: last.bot_id, lane: last.key } : null
}

/**
 * Returns a task that looks at one batch of lanes per run. It resolves with the delay in ms before
 * the next batch, or with undefined after the last one.
 */
export function createLaneRemoval(database: Database): () => Promise<number | undefined> {
  const start: LaneName = { botId: '', lane: '' }
  let after = start
  return async () => {
    const last = await removeIdleLanes(database, after)
    after = last ?? start
    return last ? pauseMs : undefined
  }
}
