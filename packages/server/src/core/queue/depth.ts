// Number and age of pending deliveries over all processes, for monitoring and the dashboard. Both
// statements use partial indexes of pending and dead deliveries, so history costs nothing. The
// longer they take, the less often they run.
import { type Database, statement } from '../db/index.ts'

/** Lanes per bot in which the oldest delivery is searched: those that became busy first. */
const lanesPerBot = 5
const freshMs = 200
/** Reading takes at most one twentieth of the time. */
const shareOfTime = 20
/** Maximum time that a caller waits for a read. */
const maxWaitMs = 1_500

export interface Depth {
  waiting: number
  lanes: number
  /** Age in seconds of the oldest pending delivery; 0 when there is none. */
  oldestSeconds: number
  dead: number
  /** By bot id, those with the most pending deliveries first. */
  bots: Map<string, BotDepth>
  /** Number of dead letters by bot id, the highest first. */
  botsDead: Map<string, number>
}

interface BotDepth {
  waiting: number
  lanes: number
  /** Lanes that a server is working through. */
  inProgress: number
  oldestSeconds: number
}

const waitingStatement = statement<{ lanesPerBot: number }>(
  'depth-waiting',
  `
  with busy as (
    select bot_id, key, pending, ready_at, owner from lane where owner is not null
    union all
    select bot_id, key, pending, ready_at, owner from lane where owner is null and pending > 0
  ),
  placed as (select *, row_number() over (partition by bot_id order by ready_at) as place from busy
    where pending > 0),
  heads as (
    select p.bot_id, head.created_at
    from placed p
    cross join lateral (
      select d.created_at from delivery d where d.bot_id = p.bot_id and d.lane = p.key and d.dead_at is null
        order by d.number limit 1
    ) head
    where p.place <= :lanesPerBot
  ),
  oldest as (select bot_id, min(created_at) as at from heads group by bot_id),
  by_bot as (
    select bot_id, sum(pending) as waiting, count(*) as lanes, count(owner) as owned
    from placed group by bot_id
  )
  select b.bot_id, b.waiting::float8, b.lanes::float8, b.owned::float8,
    (sum(b.waiting) over ())::float8 as all_waiting,
    (sum(b.lanes) over ())::float8 as all_lanes,
    coalesce(extract(epoch from now() - o.at), 0)::float8 as oldest,
      coalesce(extract(epoch from now() - min(o.at) over ()), 0)::float8 as all_oldest
  from by_bot b left join oldest o on o.bot_id = b.bot_id
  order by b.waiting desc`,
)

const deadStatement = statement(
  'depth-dead',
  `
  select bot_id, count(*)::float8 as dead, (sum(count(*)) over ())::float8 as all_dead from delivery
    where dead_at is not null
  group by bot_id order by 2 desc`,
)

type WaitingRow = {
  bot_id: string
  waiting: number
  lanes: number
  owned: number
  all_waiting: number
  all_lanes: number
  oldest: number
  all_oldest: number
}
type DeadRow = { bot_id: string; dead: number; all_dead: number }

async function readDepth(database: Database): Promise<Depth> {
  const [waiting, dead] = await Promise.all([
    database.run<WaitingRow>(...waitingStatement({ lanesPerBot })),
    database.run<DeadRow>(...deadStatement({})),
  ])
  return {
    waiting: waiting[0]?.all_waiting ?? 0,
    lanes: waiting[0]?.all_lanes ?? 0,
    oldestSeconds: Math.max(0, waiting[0]?.all_oldest ?? 0),
    dead: dead[0]?.all_dead ?? 0,
    bots: new Map(waiting.map((row) => [row.bot_id, toBotDepth(row)])),
    botsDead: new Map(dead.map((row) => [row.bot_id, row.dead])),
  }
}

const toBotDepth = ({ waiting, lanes, owned, oldest }: WaitingRow): BotDepth => ({
  waiting,
  lanes,
  inProgress: owned,
  oldestSeconds: Math.max(0, oldest),
})

/**
 * Returns a function that reads the depth, at most as often as `since.freshMs` allows. It returns
 * null while the database is not available.
 */
export function createDepthReader(
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
      last = null // the caller sees null
    } finally {
      reading = null
    }
  }
  return async () => {
    if (last && performance.now() < last.until) return last.depth
    reading ??= read()
    const tooLate = new Promise<void>((resolve) => setTimeout(resolve, maxWaitMs).unref())
    await Promise.race([reading, tooLate])
    return last?.depth ?? null
  }
}
