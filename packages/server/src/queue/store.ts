// The queue's own statements. Owns worker, lane, delivery and delivery_attempt; marks wait for no disk, since a forgotten
// mark means only that a delivery is made again.
import type { Database } from '../db/open.ts'
import type { Enqueued, Settled } from './queue.ts'

/**
 * Gives deliveries their place. A fragment, so that what a delivery follows from is written by the same statement:
 * expects a CTE `due(bot_id, lane, delivery_id, kind, subject_id, ord)`, and makes `enqueued` with the columns that `enqueuedOf` reads.
 * `$owner` is the place of the parameter with the owner to write.
 */
export const enqueueDue = (owner: string) => `
  lanes as (
    insert into lane as l (bot_id, key, owner, pending, last_number)
    select bot_id, lane, ${owner}::text, count(*), count(*) from due group by bot_id, lane order by bot_id, lane
    on conflict (bot_id, key) do update set
      pending = l.pending + excluded.pending,
      last_number = l.last_number + excluded.last_number,
      owner = coalesce(l.owner, excluded.owner),
      ready_at = case when l.pending = 0 then now() else l.ready_at end
    returning bot_id, key, owner, pending, last_number
  ),
  placed as (
    select due.*, lanes.owner,
      lanes.last_number - count(*) over lane + row_number() over in_lane as number,
      lanes.pending - count(*) over lane + row_number() over in_lane - 1 as ahead
    from due join lanes on lanes.bot_id = due.bot_id and lanes.key = due.lane
    window lane as (partition by due.bot_id, due.lane), in_lane as (partition by due.bot_id, due.lane order by due.ord)
  ),
  enqueued as (
    insert into delivery (bot_id, lane, number, id, kind, subject_id)
    select bot_id, lane, number, delivery_id, kind, subject_id from placed
    returning bot_id, lane, number, id, kind, subject_id
  )`

interface EnqueuedRow {
  bot_id: string
  lane: string
  number: string
  id: string
  kind: 'event' | 'message'
  subject_id: string
  owner: string | null
  ahead?: string | number
  attempts?: number
}

export const enqueuedOf = (row: EnqueuedRow, content?: unknown): Enqueued => ({
  botId: row.bot_id,
  lane: row.lane,
  number: row.number,
  id: row.id,
  kind: row.kind,
  subjectId: row.subject_id,
  owner: row.owner,
  ...(row.ahead !== undefined && { ahead: Number(row.ahead) }),
  ...(row.attempts && { attempts: row.attempts }),
  ...(content !== undefined && { content }),
})

export async function claimLanes(database: Database, workerId: string, limit: number) {
  const rows = await database.lazily<{ bot_id: string; key: string }>(
    'claim-lanes',
    `with free as (
      select bot_id, key from lane where pending > 0 and owner is null order by ready_at limit $2 for update skip locked
    )
    update lane set owner = $1 from free where lane.bot_id = free.bot_id and lane.key = free.key
    returning lane.bot_id, lane.key`,
    [workerId, limit],
  )
  return rows.map(({ bot_id, key }) => ({ botId: bot_id, lane: key }))
}

export async function loadDeliveries(database: Database, botId: string, lane: string, after: string, limit: number): Promise<Enqueued[]> {
  const rows = await database.run<EnqueuedRow>(
    'load-deliveries',
    `select d.bot_id, d.lane, d.number, d.id, d.kind, d.subject_id, d.attempts, l.owner
     from delivery d join lane l on l.bot_id = d.bot_id and l.key = d.lane
     where d.bot_id = $1 and d.lane = $2 and d.number > $3 and d.dead_at is null order by d.number limit $4`,
    [botId, lane, after, limit],
  )
  return rows.map((row) => enqueuedOf(row))
}

export async function ownedLanes(database: Database, workerId: string, limit: number) {
  const rows = await database.run<{ bot_id: string; key: string }>('owned-lanes', 'select bot_id, key from lane where owner = $1 limit $2', [workerId, limit])
  return rows.map(({ bot_id, key }) => ({ botId: bot_id, lane: key }))
}

export async function releaseLanes(database: Database, workerId: string) {
  await database.lazily('release-lanes', 'update lane set owner = null, ready_at = now() where owner = $1', [workerId])
}

export async function recordAttempt(database: Database, { delivery, outcome, attempts }: Settled) {
  if (outcome.result !== 'retry') return
  await database.lazily(
    'record-attempt',
    `with counted as (
      update delivery set attempts = $4, last_error = $5 where bot_id = $1 and lane = $2 and number = $3 returning bot_id, id
    )
    insert into delivery_attempt (bot_id, delivery_id, attempt, started_at, ms, error)
    select bot_id, id, $4, $6, $7, $5 from counted on conflict do nothing`,
    [delivery.botId, delivery.lane, delivery.number, attempts, outcome.reason, outcome.startedAt, outcome.ms],
  )
}
