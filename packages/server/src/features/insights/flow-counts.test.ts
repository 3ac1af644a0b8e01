// Counts of the nodes of flows: made of traces, each counted once, also by several servers that are killed.
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { ours, seedMessaging, theirs } from '../../../test/support/messaging-rows.ts'
import type { Database, Db } from '../../core/db/database.ts'
import { openDatabase } from '../../core/db/open.ts'
import { newId } from '../../core/lib/ids.ts'
import { countFlowNodes, listFlowNodeCounts } from './flow-counts.ts'

const log = pino({ level: 'silent' })
let clone: TestDatabase
let database: Database
let db: Db

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log })
  db = database.db
  await seedMessaging(db)
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
})
beforeEach(async () => {
  await sql`truncate observation, flow_node_day, flow_conversation_day, flow_progress`.execute(
    db,
  )
})

const dayMs = 86_400_000
const midnight = Math.floor(Date.now() / dayMs) * dayMs
/** A time of a day in the past, in milliseconds. */
const at = (daysAgo: number, minute = 0) => midnight - daysAgo * dayMs + minute * 60_000

async function countAll(from = db) {
  while ((await countFlowNodes(from)) !== undefined);
}

interface Turn {
  conversation: string | null
  /** `flow/node`. */
  nodes: string[]
  position?: string
  time?: number
  botId?: string
  integration?: string
  name?: string
}

const split = (path: string) => {
  const [flow, node] = path.split('/')
  return { flow, node }
}

async function trace(...turns: Turn[]) {
  const rows = turns.map(({ conversation, nodes, position, time = at(1), ...turn }) => {
    const steps = nodes.flatMap((path) => [
      { kind: 'node', ...split(path), at: 0 },
      { kind: 'card', type: 'send', index: 0, at: 0 },
    ])
    return {
      bot_id: turn.botId ?? ours,
      id: newId('observation', time),
      name: turn.name ?? 'flows.turn',
      integration: turn.integration ?? null,
      conversation_id: conversation,
      data: { steps, ...(position && { position: split(position) }) },
      created_at: new Date(time),
    }
  })
  await sql`insert into observation (bot_id, id, name, integration, conversation_id, data, created_at)
    select bot_id, id, name, integration, conversation_id, data, created_at
    from jsonb_populate_recordset(null::observation, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  )
}

async function counts({
  botId = ours,
  days = 30,
  flow = undefined as string | undefined,
} = {}) {
  const rows = await listFlowNodeCounts(db, botId, {
    flow,
    days,
    position: null,
    limit: 3000,
  })
  return Object.fromEntries(
    rows.map(({ flow, node, passed, ended }) => [
      `${flow}/${node}`,
      [Number(passed), Number(ended)],
    ]),
  )
}

const countRows = async (table: string) =>
  Number(
    (await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db))
      .rows[0]!.n,
  )

test('counts a conversation once in each node and day, where it ended last', async () => {
  await trace(
    // Pending: the days are not over.
    { conversation: 'c', nodes: ['main/start'], time: Date.now() },
    { conversation: 'a', nodes: ['main/start', 'main/ask'], time: at(2, 1) },
    { conversation: 'b', nodes: ['main/start', 'main/ask'], time: at(2, 2) },
  )
  await countAll()
  expect(await counts()).toEqual({ 'main/ask': [2, 2], 'main/start': [2, 0] })
  await trace(
    // In a loop, and in two runs of the task.
    {
      conversation: 'a',
      nodes: ['main/start', 'main/ask', 'main/start'],
      time: at(2, 3),
    },
    { conversation: 'a', nodes: ['main/ask', 'help/entry'], time: at(2, 4) },
    // On the next day it counts again, where it was and where it is.
    { conversation: 'a', nodes: [], position: 'help/entry', time: at(1, 1) },
  )
  await countAll()
  const all = { 'help/entry': [2, 2], 'main/ask': [2, 1], 'main/start': [2, 0] }
  expect(await counts()).toEqual(all)
  expect(await counts({ days: 2 })).toEqual({ 'help/entry': [1, 1] })
  expect(await counts({ flow: 'main' })).toEqual({
    'main/ask': [2, 1],
    'main/start': [2, 0],
  })
  await countAll()
  expect(await counts()).toEqual(all)
})

test('ends at the position of the turn, not in flows that run after a conversation', async () => {
  await trace(
    // Returned from a flow that the node calls.
    { conversation: 'a', nodes: ['main/start', 'help/entry'], position: 'main/start' },
    {
      conversation: 'a',
      nodes: ['timeout/entry', 'conversationEnd/entry'],
      time: at(1, 40),
    },
  )
  await countAll()
  expect(await counts()).toEqual({
    'conversationEnd/entry': [1, 0],
    'help/entry': [1, 0],
    'main/start': [1, 1],
    'timeout/entry': [1, 0],
  })
})

test('ignores other observations, recent ones, and invalid names', async () => {
  await trace(
    { conversation: null, nodes: ['main/start'] },
    { conversation: 'a', nodes: ['main/start'], name: 'other' },
    { conversation: 'b', nodes: ['main/start'], integration: 'tg' },
    { conversation: 'c', nodes: ['main/start'], time: Date.now() },
    {
      conversation: 'd',
      nodes: ['main/__proto__', 'main/a b', `main/${'x'.repeat(65)}`, '/'],
    },
  )
  const odd = [
    {},
    [],
    { steps: 7 },
    { steps: [{ kind: 'node', flow: {}, node: [] }, null] },
  ]
  for (const [index, data] of odd.entries())
    await sql`insert into observation (bot_id, id, name, conversation_id, data, created_at)
      values (${ours}, ${`odd${index}`}, 'flows.turn', 'e', ${JSON.stringify(data)}::jsonb,
        now() - interval '1 day')`.execute(db)
  await countAll()
  expect(await counts()).toEqual({})
})

test('counts each bot by itself, and at most 2,000 nodes of a day', async () => {
  const many = Array.from(
    { length: 2_100 },
    (_, n) => `main/n${String(n).padStart(4, '0')}`,
  )
  await trace({ conversation: 'z', nodes: ['main/zzz'], time: at(1, 1) })
  await countAll()
  for (let begin = 0; begin < many.length; begin += 200)
    await trace({
      conversation: `c${begin}`,
      nodes: many.slice(begin, begin + 200),
      time: at(1, 2 + begin / 200),
    })
  await trace({ conversation: 'a', nodes: ['main/start'], botId: theirs })
  await countAll()
  await trace({ conversation: 'y', nodes: ['main/zzz', 'main/zzzz'], time: at(1, 60) })
  await countAll()
  expect(await counts({ botId: theirs })).toEqual({ 'main/start': [1, 1] })
  expect(await countRows('flow_node_day')).toBe(2_001)
  const own = await counts()
  expect(own['main/zzz']).toEqual([2, 1])
  expect(own['main/zzzz']).toBeUndefined()
})

/** Turns of 300 conversations through ten nodes, in more batches than one. */
async function traceMany() {
  const turns = Array.from({ length: 3_000 }, (_, n) => ({
    conversation: `c${n % 300}`,
    nodes: [`main/n${Math.floor(n / 300)}`],
    time: at(2, 1) + n,
    botId: n % 2 ? ours : theirs,
  }))
  await trace(...turns)
  const nodes = Array.from({ length: 10 }, (_, n) => `main/n${n}`)
  return Object.fromEntries(nodes.map((node, n) => [node, [150, n === 9 ? 150 : 0]]))
}

test('counts once with several servers that lose their connections', async () => {
  const expected = await traceMany()
  const servers = Array.from({ length: 3 }, () => openDatabase(clone.settings, { log }))
  let isOver = false
  let killed = 0
  const kills = (async () => {
    while (!isOver) {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database()
          and query like '%flow_progress%' and state <> 'idle'`
        .execute(db)
        .catch(() => ({ rows: [] }))
      killed += rows.length
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
  })()
  for (let n = 0; n < 10; n++)
    await Promise.allSettled(servers.map((server) => countAll(server.db)))
  isOver = true
  await kills
  expect(killed).toBeGreaterThan(0)
  await countAll()
  await Promise.all(servers.map((server) => server.close()))
  expect(await counts()).toEqual(expected)
  expect(await counts({ botId: theirs })).toEqual(expected)
})

test('counts once with several servers at the same time', async () => {
  // The first batch of a bot would serialize them.
  await trace({ conversation: 'a', nodes: ['main/first'], time: at(3) })
  await countAll()
  const expected = await traceMany()
  const servers = Array.from({ length: 4 }, () => openDatabase(clone.settings, { log }))
  await Promise.all(servers.map((server) => countAll(server.db)))
  await countAll()
  await Promise.all(servers.map((server) => server.close()))
  expect(await counts()).toEqual({ ...expected, 'main/first': [1, 1] })
})

test('deletes the conversations of counted days, and old counts', async () => {
  await trace(
    { conversation: 'a', nodes: ['main/start'], time: at(95) },
    { conversation: 'a', nodes: ['main/start'], time: at(80) },
  )
  await countAll()
  expect(await countRows('flow_conversation_day')).toBe(0)
  expect(await counts({ days: 400 })).toEqual({ 'main/start': [1, 1] })
})
