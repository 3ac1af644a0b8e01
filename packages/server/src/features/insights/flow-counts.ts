// Owns the tables flow_node_day, flow_conversation_day and flow_progress: how many conversations passed each
// node of a bot's flows in a day, and ended there. A periodic task counts the traces of turns
// (observations.ts), so a turn writes nothing more. Counts and position of a bot are written in one
// transaction: after a crash, another server continues without counting a trace twice.
import { builtInFlows } from '@botstead/flows'
import { turnObservation } from '@botstead/flows/seeing'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'

/** Traces are counted after this time: by then those with an earlier time are committed. */
const delayMs = 60_000
const tracesPerBatch = 500
const pauseMs = 500
const botsPerPage = 100
/** The API returns at most the last 90 days. */
const keptDays = 90
/** Further nodes of a day are not counted, because bots write their traces themselves. */
const maxNodesPerDay = 2_000
/** The schema of names in documents. */
const namePattern = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'
/** The engine enters these after a conversation has ended elsewhere. */
const closingFlows = [builtInFlows.timeout, builtInFlows.conversationEnd]

const today = sql`(now() at time zone 'UTC')::date`

/**
 * Periodic task: counts a batch of each bot's new traces. Returns the delay in milliseconds before the next
 * run if a bot has more. Throws the first error of a bot after the others are counted.
 */
export async function countFlowNodes(db: Db): Promise<number | undefined> {
  const failures: unknown[] = []
  let hasMore = false
  for await (const botId of listPendingBots(db)) {
    const count = await countBatch(db, botId).catch((error) => void failures.push(error))
    hasMore ||= count === tracesPerBatch
  }
  await removeCountedDays(db)
  await removeOldCounts(db)
  if (failures.length > 0) throw failures[0]
  return hasMore ? pauseMs : undefined
}

/** Condition on the trace `o`: not counted before `p`, the progress of its bot or null. */
const isPending = sql`o.name = ${turnObservation}
  and (o.created_at, o.id) > (coalesce(p.through, 'epoch'), coalesce(p.last_id, ''))`
const isSettled = sql`o.created_at < now() - ${delayMs} * interval '1 millisecond'`

async function* listPendingBots(db: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string }>`
      select b.id from bot b left join flow_progress p on p.bot_id = b.id
        cross join lateral (
          select from observation o where o.bot_id = b.id and ${isPending} and ${isSettled} limit 1
        ) pending
      where b.id > ${after} and not exists (select from resting_bot resting where resting.bot_id = b.id)
      order by b.id limit ${botsPerPage}`.execute(db)
    for (const { id } of rows) yield id
    if (rows.length < botsPerPage) return
    after = rows.at(-1)!.id
  }
}

/** Returns the number of traces; 0 while another server counts those of the bot. */
function countBatch(db: Db, botId: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`insert into flow_progress (bot_id, through, last_id) values (${botId}, 'epoch', '')
      on conflict do nothing`.execute(trx)
    // A separate statement: the next one must see the counts of the server that held the lock.
    const { rows } = await sql`
      select from flow_progress where bot_id = ${botId} for update skip locked`.execute(
      trx,
    )
    return rows.length === 0 ? 0 : countTraces(trx, botId)
  })
}

async function countTraces(db: Db, botId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with trace as materialized (
      select o.id, o.created_at, (o.created_at at time zone 'UTC')::date as day, o.integration,
        o.conversation_id, o.data
      from flow_progress p join observation o on o.bot_id = p.bot_id and ${isPending}
      where p.bot_id = ${botId} and ${isSettled}
      order by o.created_at, o.id limit ${tracesPerBatch}
    ),
    path as materialized (${selectPaths}),
    visited as (
      select distinct day, conversation_id, node from path, unnest(nodes) as node
    ),
    accepted as (${selectAccepted(botId)}),
    latest as (
      select distinct on (path.day, conversation_id) path.day, conversation_id, last_node
      from path join accepted a on a.day = path.day and a.node = last_node
      order by path.day, conversation_id, created_at desc, id desc
    ),
    progressed as (
      select v.day, v.conversation_id, f.last_node as former_node,
        coalesce(l.last_node, f.last_node) as last_node,
        array_agg(v.node) filter (where f.nodes is null or v.node <> all (f.nodes)) as added
      from visited v join accepted using (day, node)
        left join latest l using (day, conversation_id)
        left join flow_conversation_day f on f.bot_id = ${botId}
          and f.conversation_id = v.conversation_id and f.day = v.day
      group by v.day, v.conversation_id, f.nodes, f.last_node, l.last_node
    ),
    counted as (${addCounts(botId)}),
    kept as (
      insert into flow_conversation_day as f (bot_id, conversation_id, day, nodes, last_node)
      select ${botId}, conversation_id, day, coalesce(added, '{}'), last_node from progressed
      where added is not null or last_node is distinct from former_node
      on conflict (bot_id, conversation_id, day) do update
        set nodes = f.nodes || excluded.nodes, last_node = excluded.last_node
    ),
    continued as (
      update flow_progress p set through = newest.created_at, last_id = newest.id
      from (select created_at, id from trace order by created_at desc, id desc limit 1) newest
      where p.bot_id = ${botId}
    )
    select count(*)::int as count from trace`.execute(db)
  return rows[0]!.count
}

/** The nodes of each trace as `flow/node`. Bots deployed with an older engine write no position. */
const selectPaths = sql`
  select t.day, t.conversation_id, t.created_at, t.id, walked.nodes, walked.last_node
  from trace t cross join lateral (
    select array_agg(distinct flow || '/' || node) as nodes,
      (array_agg(flow || '/' || node order by n desc) filter (where flow <> all (${closingFlows})))[1]
        as last_node
    from (
      select step ->> 'flow' as flow, step ->> 'node' as node, n
      from jsonb_path_query(t.data, '$.steps[0 to 399] ? (@.kind == "node")') with ordinality
        as steps (step, n)
      union all
      select t.data #>> '{position,flow}', t.data #>> '{position,node}', 401
    ) named
    where flow ~ ${namePattern} and node ~ ${namePattern}
  ) walked
  where t.integration is null and t.conversation_id is not null`

/** The nodes of `visited` that are known on their day, and as many others as it may have. */
const selectAccepted = (botId: string) => sql`
  select day, node from (
    select v.day, v.node, d.bot_id is not null as is_known,
      row_number() over (partition by v.day, d.bot_id is null order by v.node) as n
    from (select distinct day, node from visited) v
      left join flow_node_day d on d.bot_id = ${botId} and d.day = v.day
        and d.flow = split_part(v.node, '/', 1) and d.node = split_part(v.node, '/', 2)
  ) candidate
  where is_known or n <= ${maxNodesPerDay} - (
    select count(*) from flow_node_day d where d.bot_id = ${botId} and d.day = candidate.day
  )`

/** A conversation that continues in a day no longer ends at its former node. */
const addCounts = (botId: string) => sql`
  insert into flow_node_day as d (bot_id, flow, node, day, passed, ended)
  select ${botId}, split_part(node, '/', 1), split_part(node, '/', 2), day, sum(passed), sum(ended)
  from (
    select day, node, 1 as passed, 0 as ended from progressed, unnest(added) as node
    union all
    select day, last_node, 0, 1 from progressed where last_node is distinct from former_node
    union all
    select day, former_node, 0, -1 from progressed where former_node <> last_node
  ) change
  where node is not null
  group by day, node
  on conflict (bot_id, flow, node, day) do update
    set passed = d.passed + excluded.passed, ended = d.ended + excluded.ended`

/** Deletes a batch of the days of which no trace is pending. */
async function removeCountedDays(db: Db): Promise<void> {
  await sql`
    delete from flow_conversation_day where ctid = any(array(
      select f.ctid from flow_conversation_day f join flow_progress p on p.bot_id = f.bot_id
      where f.day < ${today} and (
        f.day < (p.through at time zone 'UTC')::date
        or f.day < ${today} - 1
        and not exists (select from observation o where o.bot_id = f.bot_id and ${isPending})
      ) limit 10000
    ))`.execute(db)
}

async function removeOldCounts(db: Db): Promise<void> {
  await sql`
    delete from flow_node_day where ctid = any(array(
      select d.ctid from flow_progress p join flow_node_day d on d.bot_id = p.bot_id
        and d.day < ${today} - ${keptDays}::int limit 10000
    ))`.execute(db)
}

interface FlowNodeListing {
  flow?: string | undefined
  /** Including today (UTC). */
  days: number
  /** The last node of the previous page. */
  position: { flow: string; node: string } | null
  limit: number
}

interface FlowNodeRow {
  flow: string
  node: string
  passed: string
  ended: string
}

/** Returns the sums of the days, by flow and node. */
export async function listFlowNodeCounts(
  db: Db,
  botId: string,
  { flow, days, position, limit }: FlowNodeListing,
): Promise<FlowNodeRow[]> {
  const ofFlow = flow === undefined ? sql`true` : sql`flow = ${flow}`
  const isNext = position
    ? sql`(flow, node) > (${position.flow}, ${position.node})`
    : sql`true`
  const { rows } = await sql<FlowNodeRow>`
    select flow, node, sum(passed) as passed, sum(ended) as ended from flow_node_day
    where bot_id = ${botId} and day > ${today} - ${days}::int and ${ofFlow} and ${isNext}
    group by flow, node order by flow, node limit ${limit}`.execute(db)
  return rows
}
