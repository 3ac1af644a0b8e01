// Records how deliveries ended: delivery, event and lane in one statement, many at a time. It does not wait for the disk: an outcome that
// a crash of the database forgets means that the delivery is made once more, under the same id.
import type { Database } from '../db/open.ts'
import type { Settled } from '../queue/queue.ts'

const statement = `
  with ended as (
    select * from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::timestamptz[], $11::int[], $12::text[])
      as e (bot_id, lane, number, id, kind, subject_id, result, attempts, started_at, ms, reason)
  ),
  -- Given up after all attempts: it stays, on the dead-letter list.
  buried as (
    update delivery d set dead_at = now(), attempts = e.attempts, last_error = e.reason
    from ended e
    where e.result = 'retry' and d.bot_id = e.bot_id and d.lane = e.lane and d.number = e.number and d.dead_at is null
    returning d.bot_id, d.lane, d.id, d.attempts, e.reason, e.started_at, e.ms
  ),
  last_attempts as (
    insert into delivery_attempt (bot_id, delivery_id, attempt, started_at, ms, error)
    select bot_id, id, attempts, started_at, ms, reason from buried on conflict do nothing
  ),
  removed as (
    delete from delivery d using ended e
    where e.result <> 'retry' and d.bot_id = e.bot_id and d.lane = e.lane and d.number = e.number
    returning d.bot_id, d.lane
  ),
  -- Once over, nobody asks how often it had to be tried.
  forgotten as (
    delete from delivery_attempt a using ended e where e.result = 'done' and e.attempts > 1 and a.bot_id = e.bot_id and a.delivery_id = e.id
  ),
  told as (
    update event v set status = case e.result when 'done' then 'processed' when 'ignored' then 'ignored' else 'failed' end, failure_reason = e.reason
    from ended e
    where e.kind = 'event' and v.bot_id = e.bot_id and v.id = e.subject_id
  ),
  counted as (
    select bot_id, lane, count(*) as n from (select bot_id, lane from removed union all select bot_id, lane from buried) gone group by bot_id, lane
  ),
  -- Locked in one order by all who write lanes, so that two of them never wait for each other.
  locked as (
    select l.bot_id, l.key, counted.n from lane l join counted on counted.bot_id = l.bot_id and counted.lane = l.key order by l.bot_id, l.key for update of l
  )
  update lane l set
    pending = l.pending - locked.n,
    owner = case when l.pending - locked.n <= 0 then null when l.owner is null then $1 else l.owner end
  from locked where l.bot_id = locked.bot_id and l.key = locked.key
  returning l.bot_id, l.key, l.pending, l.owner`

/** What is left in each lane of ours, by `botId lane`. */
export async function recordOutcomes(database: Database, workerId: string, settled: Settled[]): Promise<Map<string, number>> {
  const column = <T>(of: (one: Settled) => T) => settled.map(of)
  const rows = await database.lazily<{ bot_id: string; key: string; pending: number; owner: string | null }>('record-outcomes', statement, [
    workerId,
    column((s) => s.delivery.botId),
    column((s) => s.delivery.lane),
    column((s) => s.delivery.number),
    column((s) => s.delivery.id),
    column((s) => s.delivery.kind),
    column((s) => s.delivery.subjectId),
    column((s) => s.outcome.result),
    column((s) => s.attempts),
    column((s) => (s.outcome.result === 'retry' ? s.outcome.startedAt : null)),
    column((s) => (s.outcome.result === 'retry' ? Math.round(s.outcome.ms) : null)),
    column((s) => ('reason' in s.outcome ? s.outcome.reason.slice(0, 4_000).replaceAll('\0', '') : null)),
  ])
  return new Map(rows.filter(({ owner }) => owner === null || owner === workerId).map(({ bot_id, key, pending }) => [`${bot_id} ${key}`, pending]))
}
