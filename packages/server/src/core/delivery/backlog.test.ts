// A slow conversation delays only itself. A large backlog delays neither new messages nor the
// statements that claim work. Times are compared within one run only, because machines differ.
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type ChatPeople,
  openChatPeople,
  type Person,
} from '../../../test/support/chat-people.ts'
import {
  openRecordingBot,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import type { Queue } from '../queue/queue.ts'

const waiting = Number(process.env.BOTSTEAD_BACKLOG ?? 100_000)

let scene: Scene
let bot: RecordingBot
let people: ChatPeople
let chatUrl: string

beforeAll(async () => {
  bot = await openRecordingBot()
  scene = await openScene({ config: { checkAnswers: false, leaseSeconds: 1 } })
  chatUrl = `${await scene.listen()}/chat/${scene.webhookId}`
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await bot?.close()
}, 60_000)
beforeEach(async () => {
  bot.received.length = 0
  bot.behave(() => 200)
  people = await openChatPeople(() => chatUrl, 20)
})
afterEach(() => people.close())

const queue = () => scene.app.services.deliveries as Queue

/**
 * Latencies in ms from sending a message until the bot receives it, sorted, for the people after
 * the first, who talk during these milliseconds.
 */
async function measure(ms: number): Promise<number[]> {
  const since = performance.now()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ms)
  await people.talk(15, stop.signal)
  const sent = people.people
    .slice(1)
    .flatMap((person) =>
      person.said.filter(({ at, status }) => at >= since && status === 201),
    )
  await vi.waitFor(() => {
    const received = new Set(bot.received.map(({ messageId }) => messageId))
    expect(sent.filter(({ messageId }) => !received.has(messageId!))).toEqual([])
  }, 10_000)
  const receivedAt = new Map(bot.received.map(({ messageId, at }) => [messageId, at]))
  return sent
    .map(({ at, messageId }) => receivedAt.get(messageId!)! - at)
    .sort((a, b) => a - b)
}
const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)]!

/**
 * Measures up to three windows and returns the first that is about as good as usual, because other
 * work on the machine may disturb a window.
 */
async function measureCalm(ms: number, usual: number): Promise<number[]> {
  for (let window = 1; ; window++) {
    const measured = await measure(ms)
    if (window === 3 || p95(measured) < tolerated(usual)) return measured
  }
}
const tolerated = (usual: number) => 3 * usual + 50

test('one stuck conversation does not slow down nineteen others', {
  timeout: 60_000,
  retry: 1,
}, async () => {
  await measure(500)
  const usual = await measure(1_500)
  let release = () => {}
  const stuck = new Promise<void>((resolve) => {
    release = resolve
  })
  const [slow] = people.people as [Person]
  bot.behave(async ({ conversationId }) => {
    if (conversationId === slow.conversationId) await stuck
    return 200
  })
  const disturbed = await measureCalm(1_500, p95(usual))
  const receivedOfSlow = bot.received.filter(
    ({ conversationId, answeredAt }) =>
      conversationId === slow.conversationId && answeredAt === null,
  )
  release()
  console.log(
    JSON.stringify({
      usual: usual.length,
      usualP95: p95(usual),
      disturbed: disturbed.length,
      disturbedP95: p95(disturbed),
    }),
  )
  expect(receivedOfSlow).toHaveLength(1)
  expect(disturbed.length).toBeGreaterThan(usual.length / 3)
  expect(p95(disturbed)).toBeLessThan(tolerated(p95(usual)))
  // The slow conversation catches up, in order.
  const inOrder = slow.said.map(({ text }) => text)
  await vi.waitFor(
    () =>
      expect(
        bot.received
          .filter(({ conversationId }) => conversationId === slow.conversationId)
          .map(({ text }) => text),
      ).toEqual(inOrder),
    20_000,
  )
})

interface Backlog {
  lane: string
  lanes: number
  each: number
}

/** Creates a backlog of events in the given number of lanes, as a crashed process leaves it. */
async function createBacklog({ lane, lanes, each }: Backlog) {
  const all = `generate_series(1, ${lanes}) l, generate_series(1, ${each}) n`
  await change(
    `insert into event (bot_id, id, type, payload)
     select $1, $2 || l || '-' || n, 'left', jsonb_build_object('n', n) from ${all}`,
    lane,
  )
  await change(
    `insert into delivery (bot_id, lane, number, id, kind, subject_id)
     select $1, $2 || l, n, $2 || l || '-' || n, 'event', $2 || l || '-' || n from ${all}`,
    lane,
  )
  await change(
    `insert into lane (bot_id, key, pending, last_number, ready_at)
     select $1, $2 || l, ${each}, ${each}, now() - interval '1 hour' from generate_series(1, ${lanes}) l`,
    lane,
  )
}

async function deleteBacklog({ lane }: Backlog) {
  for (const what of ['delivery where lane', 'lane where key', 'event where id'])
    await change(
      `delete from ${what.replace('where', 'where bot_id = $1 and')} like $2 || '%'`,
      lane,
    )
}

async function change(text: string, lane: string) {
  const client = await scene.app.services.database.connect()
  await client.query(text, [scene.botId, lane]).finally(() => client.end())
}

test.each([
  { lane: 'many-', lanes: waiting, each: 1 },
  { lane: 'one-', lanes: 1, each: waiting },
])(
  'delivers a new message at once and claims work as cheaply with $lanes lanes of $each pending events',
  { timeout: 120_000, retry: 1 },
  async (backlog) => {
    await measure(500)
    const usual = await measure(1_000)
    const before = await costs()
    // The bot is slow, so that many deliveries run at the same time.
    bot.behave(async ({ text }) => {
      if (text === '') await new Promise((resolve) => setTimeout(resolve, 400))
      return 200
    })
    await createBacklog(backlog)
    await vi.waitFor(
      () =>
        expect(bot.received.filter(({ text }) => text === '').length).toBeGreaterThan(
          Math.min(100, 10 * backlog.lanes),
        ),
      20_000,
    )
    const rss = process.memoryUsage().rss
    const disturbed = await measureCalm(2_000, p95(usual))
    const after = await costs()
    const { lanes, held } = queue().stats
    console.log(
      JSON.stringify({
        usualP95: p95(usual),
        disturbedP95: p95(disturbed),
        lanes,
        held,
        rssMb: (process.memoryUsage().rss - rss) >> 20,
        before,
        after,
      }),
    )
    await deleteBacklog(backlog)
    expect(lanes).toBeLessThan(500)
    expect(held).toBeLessThan(500)
    expect(p95(disturbed)).toBeLessThan(tolerated(p95(usual)))
    for (const [name, { pages, scans }] of Object.entries(after)) {
      expect(scans, name).toEqual([])
      expect(pages, name).toBeLessThan(3_000)
    }
  },
)

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/**
 * For each statement of the queue: the pages that it touches now, and the tables that it scans
 * completely.
 */
async function costs() {
  const { database } = scene.app.services
  const seen = new Map<string, { text: string; values: unknown[] }>()
  const real = { run: database.run, lazily: database.lazily }
  for (const way of ['run', 'lazily'] as const)
    database[way] = (name, text, values) => {
      seen.set(name, { text, values })
      return real[way](name, text, values)
    }
  await measure(300)
  await queue().sweep()
  Object.assign(database, real)
  const wanted = [
    'claim-lanes',
    'load-deliveries',
    'release-expired',
    'record-outcomes',
    'record-simple-outcomes',
    'record-outcome',
  ]
  const client = await database.connect()
  try {
    await client.query(
      'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off',
    )
    return Object.fromEntries(
      await sequence(
        [...seen].filter(([name]) => wanted.includes(name)),
        ([name, { text, values }]) => cost(client, name, text, values),
      ),
    )
  } finally {
    await client.end()
  }
}

async function cost(client: pg.Client, name: string, text: string, values: unknown[]) {
  await client.query('begin')
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  )
  await client.query('rollback')
  const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!
  const nodes = (one: Plan): Plan[] => [one, ...(one.Plans ?? []).flatMap(nodes)]
  const scans = nodes(plan).filter(
    (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'worker',
  )
  return [
    name,
    {
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      scans: scans.map((node) => node['Relation Name']),
    },
  ] as const
}

async function sequence<In, Out>(
  items: In[],
  of: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const out: Out[] = []
  for (const item of items) out.push(await of(item))
  return out
}

test('delivers a whole backlog, each lane in order', { timeout: 120_000 }, async () => {
  const backlogs = [
    { lane: 'wide-', lanes: 1_500, each: 2 },
    { lane: 'deep-', lanes: 2, each: 700 },
  ]
  for (const backlog of backlogs) await createBacklog(backlog)
  const all = backlogs.reduce((sum, { lanes, each }) => sum + lanes * each, 0)
  const begun = performance.now()
  await vi.waitFor(() => expect(bot.received.length).toBeGreaterThanOrEqual(all), {
    timeout: 60_000,
    interval: 100,
  })
  console.log(
    JSON.stringify({ workedOff: all, ms: Math.round(performance.now() - begun) }),
  )
  const order = new Map<string, number[]>()
  for (const { eventId } of bot.received) {
    const [, lane, number] = /^(.+-\d+)-(\d+)$/.exec(eventId)!
    order.set(lane!, [...(order.get(lane!) ?? []), Number(number)])
  }
  const wrong = [...order].filter(([, numbers]) =>
    numbers.some((number, at) => number !== at + 1),
  )
  expect(wrong).toEqual([])
  expect(order.size).toBe(1_502)
})
