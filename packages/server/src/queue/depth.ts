// How much waits, and since when, over all processes: read for those who watch. Both statements read what waits and what is dead by the indexes
// that hold only those, so history costs nothing; and the longer they take, the less often they run.
import type { Database } from '../db/open.ts'

/** Bots told of singly: those with most. */
const mostBots = 20
/** Of each bot, lanes whose next delivery is looked at: those that became busy first. */
const lanesLookedAt = 5
const freshMs = 5_000
/** At most a twentieth of the time is spent reading. */
const shareOfTime = 20
/** Who asks does not wait longer for it. */
const patienceMs = 1_500

export interface Depth {
  waiting: number
  lanes: number
  /** Seconds since the oldest delivery that waits was written down; 0 when none waits. */
  oldestSeconds: number
  dead: number
  bots: { botId: string; waiting: number; oldestSeconds: number }[]
  botsDead: { botId: string; dead: number }[]
}

const waitingStatement = `
  with busy as (
    select bot_id, key, pending, ready_at from lane where owner is not null
    union all
    select bot_id, key, pending, ready_at from lane where owner is null and pending > 0
  ),
  placed as (select *, row_number() over (partition by bot_id order by ready_at) as place from busy where pending > 0),
  heads as (
    select p.bot_id, head.created_at
    from placed p
    cross join lateral (
      select d.created_at from delivery d where d.bot_id = p.bot_id and d.lane = p.key and d.dead_at is null order by d.number limit 1
    ) head
    where p.place <= $2
  ),
  oldest as (select bot_id, min(created_at) as at from heads group by bot_id),
  by_bot as (select bot_id, sum(pending) as waiting, count(*) as lanes from placed group by bot_id)
  select b.bot_id, b.waiting::float8, (sum(b.waiting) over ())::float8 as all_waiting, (sum(b.lanes) over ())::float8 as all_lanes,
    coalesce(extract(epoch from now() - o.at), 0)::float8 as oldest, coalesce(extract(epoch from now() - min(o.at) over ()), 0)::float8 as all_oldest
  from by_bot b left join oldest o on o.bot_id = b.bot_id
  order by b.waiting desc limit $1`

const deadStatement = `
  select bot_id, count(*)::float8 as dead, (sum(count(*)) over ())::float8 as all_dead from delivery where dead_at is not null
  group by bot_id order by 2 desc limit $1`

type WaitingRow = {
  bot_id: string
  waiting: number
  all_waiting: number
  all_lanes: number
  oldest: number
  all_oldest: number
}
type DeadRow = { bot_id: string; dead: number; all_dead: number }

async function readDepth(database: Database): Promise<Depth> {
  const [waiting, dead] = await Promise.all([
    database.run<WaitingRow>('depth-waiting', waitingStatement, [mostBots, lanesLookedAt]),
    database.run<DeadRow>('depth-dead', deadStatement, [mostBots]),
  ])
  return {
    waiting: waiting[0]?.all_waiting ?? 0,
    lanes: waiting[0]?.all_lanes ?? 0,
    oldestSeconds: Math.max(0, waiting[0]?.all_oldest ?? 0),
    dead: dead[0]?.all_dead ?? 0,
    bots: waiting.map((row) => ({
      botId: row.bot_id,
      waiting: row.waiting,
      oldestSeconds: Math.max(0, row.oldest),
    })),
    botsDead: dead.map((row) => ({ botId: row.bot_id, dead: row.dead })),
  }
}

/** The last reading, made anew when it is old; null while the database says nothing. */
export function depthReader(
  database: Database,
  since: { freshMs: number } = { freshMs },
): () => Promise<Depth | null> {
  let last: { depth: Depth; until: number } | null = null
  let reading: Promise<void> | null = null
  const read = async () => {
    const begun = performance.now()
    try {
      const depth = await readDepth(database)
      const now = performance.now()
      last = { depth, until: now + Math.max(since.freshMs, (now - begun) * shareOfTime) }
    } catch {
      last = null // who asks sees that it is missing
    } finally {
      reading = null
    }
  }
  return async () => {
    if (last && performance.now() < last.until) return last.depth
    reading ??= read()
    const tooLate = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref())
    await Promise.race([reading, tooLate])
    return last?.depth ?? null
  }
}
